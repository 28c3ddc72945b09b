"""The file on disk: made privately, recognised before anything touches it."""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress
from urllib.parse import quote

import apsw

from memfold.errors import NotAMemfoldFile, StoreError, StoreReadOnly
from memfold.stores.sqlite.schema import APPLICATION_ID

LOG = "-wal"
COMPANIONS = ("", LOG, "-shm")
"""What SQLite appends to the path for the files that belong together."""

_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes; https://www.sqlite.org/fileformat2.html#the_database_header
_APPLICATION = slice(68, 72)

# Closing any descriptor of a file drops the locks that this process holds on it (POSIX), those
# of a SQLite connection opened meanwhile by another thread included.
_creating = threading.Lock()


def resolve(path: str) -> str:
    """The absolute path without links: the log lies beside the file that a link leads to."""
    try:
        return os.path.realpath(path)
    except ValueError as error:
        raise NotAMemfoldFile(f"{path!r} cannot be opened: {error}") from error


def prepare(path: str) -> bool:
    """Make the file, readable by its user alone, or see that it is one of memfold's.

    Returns whether it may be written. NotAMemfoldFile when it is another's, StoreReadOnly when
    it would have to be made, StoreError when it may not be read; it is left as it was.
    """
    try:
        with _creating:
            status = _status(path)
    except PermissionError as error:
        if _may(os.path.dirname(path), os.X_OK):
            raise StoreReadOnly(f"{path} cannot be made: {error.strerror}") from error
        raise StoreError(f"{path} cannot be opened: {error.strerror}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotAMemfoldFile(f"{path!r} cannot be opened: {reason}") from error
    if stat.S_ISDIR(status.st_mode):
        raise NotAMemfoldFile(f"{path} is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise NotAMemfoldFile(f"{path} is not an ordinary file")
    if not _may(path, os.R_OK):
        raise StoreError(f"{path} may not be read: permission denied")
    writable = _may_write(path)
    # An empty one becomes ours; what mktemp makes is such a file.
    if status.st_size:
        _recognise(path, status.st_size)
    elif not writable:
        raise StoreReadOnly(f"{path} is empty, and may not be written")
    if writable:
        _make_private(path)
    return writable


def _may(path: str, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _may_write(path: str) -> bool:
    """Whether the file may be written, and its log beside it."""
    beside = [path + end for end in COMPANIONS if end]
    return _may(path, os.W_OK) and (
        _may(os.path.dirname(path), os.W_OK) or all(_may(each, os.W_OK) for each in beside)
    )


Identity = tuple[tuple[int, int], ...]


def identity(path: str) -> Identity | None:
    """What tells the file, and its log, from any other in their places; None without them."""
    try:
        found = [os.stat(path + end) for end in ("", LOG)]
    except OSError:
        return None
    return tuple((each.st_dev, each.st_ino) for each in found)


def address(path: str) -> tuple[str, int]:
    """The name, and the flags, by which SQLite opens a file that may only be read.

    Reading a log takes a file beside it, which may not be made either. Where there is no log,
    nobody is writing, and the file is read as what does not change.
    """
    if os.path.exists(path + LOG):
        return path, apsw.SQLITE_OPEN_READONLY
    name = quote(path.encode("utf-8", "surrogateescape"))
    return f"file:{name}?immutable=1", apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def _status(path: str) -> os.stat_result:
    try:
        return os.stat(path)
    except FileNotFoundError:
        if not os.path.isdir(os.path.dirname(path)):
            raise
    with suppress(FileExistsError):  # another process was quicker
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    return os.stat(path)


def _recognise(path: str, size: int) -> None:
    """Read the header through SQLite's own file layer, which keeps this process's locks.

    Opening another application's file as a database could already change it: what stands in
    its write-ahead log would be moved into it on closing.
    """
    flags = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
    try:
        file = apsw.VFSFile("", path, flags)
        try:
            header = file.xRead(_HEADER, 0) if size >= _HEADER else b""
        finally:
            file.xClose()
    except apsw.Error as error:
        raise NotAMemfoldFile(f"{path} cannot be read: {error}") from error
    if not header.startswith(_MAGIC):
        raise NotAMemfoldFile(f"{path} is not a memfold file")
    if int.from_bytes(header[_APPLICATION], "big") != APPLICATION_ID:
        raise NotAMemfoldFile(f"{path} is a SQLite file, but not one of memfold's")


def _make_private(path: str) -> None:
    for end in COMPANIONS:
        try:
            if stat.S_IMODE(os.stat(path + end).st_mode) & 0o077:
                os.chmod(path + end, 0o600)
        except FileNotFoundError:
            pass  # no log at the moment, or it went meanwhile
        except PermissionError:
            pass  # another user's file, shared on purpose: it is theirs to close


def size(path: str) -> int:
    """Bytes on disk of the file and its log."""
    total = 0
    for end in COMPANIONS:
        with suppress(FileNotFoundError):  # the log goes when the last connection closes
            total += os.stat(path + end).st_size
    return total

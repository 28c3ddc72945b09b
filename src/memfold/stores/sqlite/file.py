"""The file on disk: made privately, recognised before anything touches it."""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress

import apsw

from memfold.errors import NotAMemfoldFile
from memfold.stores.sqlite.schema import APPLICATION_ID

COMPANIONS = ("", "-wal", "-shm")
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


def prepare(path: str) -> None:
    """Make the file, readable by its user alone, or see that it is one of memfold's.

    NotAMemfoldFile when it is not, or cannot be; it is left as it was.
    """
    try:
        with _creating:
            status = _status(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotAMemfoldFile(f"{path!r} cannot be opened: {reason}") from error
    if stat.S_ISDIR(status.st_mode):
        raise NotAMemfoldFile(f"{path} is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise NotAMemfoldFile(f"{path} is not an ordinary file")
    # An empty one becomes ours; what mktemp makes is such a file.
    if status.st_size:
        _recognise(path, status.st_size)
    _make_private(path)


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

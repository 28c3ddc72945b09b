"""Bytes of an import file, plain or compressed, line by line, however far they can be read."""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final, cast

from memfold.adapters.encodings import UTF8, by_mark, known_encoding
from memfold.errors import InvalidInput, shown

_CHUNK: Final = 1 << 16
_GZIP = b"\x1f\x8b"
_XZ = b"\xfd7zXZ\x00"
_BOM = b"\xef\xbb\xbf"
_SUFFIXES = (".xz", ".gz", ".json", ".jsonl", ".ndjson", ".txt")
_ONE_A_LINE = (".jsonl", ".ndjson")


class Source:
    """An open import file. A context manager.

    A compressed file is recognised by its first bytes, and so is UTF-16 with a byte order mark;
    other encodings than UTF-8 have to be named. Lines are UTF-8 in any case. Where reading fails
    halfway, they end there and ``failure`` says why. Who reads the file as a whole and gives it
    out piece by piece says in ``given`` which share of it that was so far.
    """

    def __init__(
        self, file: str | os.PathLike[str] | BinaryIO, *, encoding: str | None = None
    ) -> None:
        self.failure = ""
        self.given: float | None = None
        named = known_encoding(encoding) if encoding else ""
        self._raw: BinaryIO
        if isinstance(file, str | os.PathLike):
            self.path: str | None = os.fspath(file)
            self._raw, self.total = _open(self.path)
        elif callable(getattr(file, "read", None)):
            self.path, self._raw, self.total = None, file, 0
        else:
            raise InvalidInput(f"a path or an open binary file is read, not {shown(file)}")
        try:
            buffered: io.BufferedReader[io.RawIOBase] = io.BufferedReader(
                cast(io.RawIOBase, self._raw), _CHUNK
            )
            magic = buffered.peek(len(_XZ))
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise InvalidInput(f"{self.name} cannot be read: {error}") from error
        self.compression = "xz" if magic.startswith(_XZ) else "gz" if magic[:2] == _GZIP else ""
        self._stream = _decompressed(buffered, self.compression)
        self._encoding = named or self._marked()

    @property
    def name(self) -> str:
        """The file as it was named, for messages."""
        return self.path if self.path is not None else "standard input"

    @property
    def stem(self) -> str:
        """The name without folders and endings such as ``.jsonl.xz``."""
        if self.path is None:
            return "stdin"
        stem = os.path.basename(self.path)
        while stem.lower().endswith(_SUFFIXES) and len(os.path.splitext(stem)[0]) > 0:
            stem = os.path.splitext(stem)[0]
        return stem.encode("utf-8", "replace").decode()

    @property
    def one_a_line(self) -> bool:
        """Whether the name says that each line is a document."""
        name = (self.path or "").lower().removesuffix(".xz").removesuffix(".gz")
        return name.endswith(_ONE_A_LINE)

    @property
    def done(self) -> int:
        """Bytes of the file dealt with so far, of ``total`` (0: not known)."""
        if not self.total:
            return 0
        return self._raw.tell() if self.given is None else int(self.given * self.total)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines with their numbers, from 1; the last may be cut off."""
        number, rest = 1, b""
        for chunk in self._chunks() if self._encoding == UTF8 else self._recoded():
            *whole, tail = chunk.split(b"\n")
            if not whole:
                rest += tail
                continue
            whole[0] = rest + whole[0]
            rest = tail
            for line in whole:
                yield number, line.removeprefix(_BOM) if number == 1 else line
                number += 1
        if rest:
            yield number, rest.removeprefix(_BOM) if number == 1 else rest

    def _marked(self) -> str:
        try:
            head = self._stream.peek(4)  # type: ignore[attr-defined] # all three streams have it
        except (EOFError, OSError, zlib.error, lzma.LZMAError):
            return UTF8  # it is told of where it is read
        return by_mark(head)

    def _recoded(self) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(self._encoding)()
        try:
            for chunk in self._chunks():
                yield decoder.decode(chunk).encode()
            yield decoder.decode(b"", final=True).encode()
        except UnicodeError as error:
            self.failure = f"not {self._encoding}: {getattr(error, 'reason', error)}"

    def _chunks(self) -> Iterator[bytes]:
        while True:
            try:
                chunk = self._stream.read1(_CHUNK)
            except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
                self.failure = _reason(error, self.compression)
                return
            if not chunk:
                return
            yield chunk

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        if self.path is not None:
            self._raw.close()


def _open(path: str) -> tuple[BinaryIO, int]:
    try:
        raw = open(path, "rb", buffering=0)  # noqa: SIM115 - closed by Source
        return cast(BinaryIO, raw), os.fstat(raw.fileno()).st_size
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput(f"{path}: {reason or 'cannot be read'}") from error


def _decompressed(buffered: io.BufferedReader[io.RawIOBase], compression: str) -> io.BufferedIOBase:
    if compression == "gz":
        return gzip.GzipFile(fileobj=buffered)
    return lzma.LZMAFile(buffered) if compression == "xz" else buffered


def _reason(error: Exception, compression: str) -> str:
    if isinstance(error, EOFError):
        return f"the .{compression} data ends too early"
    if compression:
        return f"the .{compression} data is damaged: {error}"
    return f"cannot be read: {error}"

"""JSON documents of an import file, one after the other, as far as they are whole.

A file is one document (a list is taken element by element) or one document a line. Where it
breaks off, everything whole before the break is given first, and then :class:`Broken` raised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from memfold.adapters.encodings import not_utf8
from memfold.adapters.source import Source

Document = tuple[Any, int]
"""A JSON value and the number of the line where it begins."""

MESSAGES: Final = "messages"

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Broken(Exception):
    """The file cannot be read further than ``line``."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def documents(source: Source) -> tuple[bool, Iterator[Document]]:
    """Whether the file is one single document, and its documents.

    It is one document a line when its name says so, or when its first line is whole and others
    follow.
    """
    lines = ((number, line) for number, line in source.lines() if line.strip())
    first = next(lines, None)
    if first is None:
        return False, _nothing(source)
    if source.one_a_line:
        return False, _by_line(source, chain([first], lines))
    second = next(lines, None)
    started = chain([first], [second] if second else [], lines)
    if second is not None and _is_whole(first[1]):
        return False, _by_line(source, started)
    return _starts_object(first[1]), _by_element(source, started)


def _nothing(source: Source) -> Iterator[Document]:
    if source.failure:
        raise Broken(source.failure, 1)
    yield from ()


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _starts_object(line: bytes) -> bool:
    return line.lstrip().startswith(b"{")


def _by_line(source: Source, lines: Iterator[tuple[int, bytes]]) -> Iterator[Document]:
    number = 0
    for number, line in lines:
        try:
            value = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise Broken(_why(source, error), number) from error
        yield value, number
    if source.failure:
        raise Broken(source.failure, number + 1)


def _by_element(source: Source, lines: Iterator[tuple[int, bytes]]) -> Iterator[Document]:
    """The document, or the elements of its list; blank lines are kept for the numbers' sake."""
    text, first, cut = _text(lines)
    place = _Lines(text, first)
    try:
        for value, at in _elements(text):
            source.given = at / len(text)
            yield value, place.of(at)
    except _Stop as stop:
        reason = cut or _why(source, stop.error)
        if stop.partial is not None:
            yield stop.partial, place.of(stop.began)
        raise Broken(reason, place.of(stop.at)) from stop.error
    if source.failure:
        raise Broken(source.failure, place.of(len(text)))


def _text(lines: Iterator[tuple[int, bytes]]) -> tuple[str, int, str]:
    """The lines as one text, the number of the first, and why the text ends too early, if so."""
    pieces: list[str] = []
    first = last = 0
    for number, line in lines:
        first = first or number
        pieces.append("\n" * (number - (last or number)))
        last = number
        try:
            pieces.append(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            pieces.append(line[: error.start].decode("utf-8"))
            return "".join(pieces), first, not_utf8(line, error)
    return "".join(pieces), first, ""


class _Stop(Exception):
    """Decoding stopped at offset ``at``; ``partial`` is what was whole of the last element."""

    def __init__(self, error: Exception, at: int, *, began: int, partial: Any) -> None:
        super().__init__(str(error))
        self.error = error
        self.at = at
        self.began = began
        self.partial = partial


def _elements(text: str) -> Iterator[tuple[Any, int]]:
    at = _skip(text, 0)
    if text.startswith("[", at):
        at = _skip(text, at + 1)
        if text.startswith("]", at):
            at += 1
        else:
            for value, began, end in _list(text, at):
                at = end
                yield value, began
    else:
        value, at = _decode(text, at)
        yield value, 0
    at = _skip(text, at)
    if at < len(text):
        error = ValueError("more follows after the end of the document")
        raise _Stop(error, at, began=at, partial=None)


def _list(text: str, at: int) -> Iterator[tuple[Any, int, int]]:
    """Elements of a list from the first on: value, where it begins, and where the list goes on."""
    while True:
        began = at
        value, at = _decode(text, at)
        at = _skip(text, at)
        last = text.startswith("]", at)
        yield value, began, at + 1
        if last:
            return
        if not text.startswith(",", at):
            error = json.JSONDecodeError("Expecting ',' delimiter", text, at)
            raise _Stop(error, at, began=at, partial=None)
        at = _skip(text, at + 1)


def _decode(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        where = error.pos if isinstance(error, json.JSONDecodeError) else at
        raise _Stop(error, where, began=at, partial=_salvaged(text, at)) from error


def _salvaged(text: str, at: int) -> dict[str, Any] | None:
    """What is whole of a conversation that breaks off: its fields, and its first messages."""
    found: dict[str, Any] = {}
    if not text.startswith("{", at):
        return None
    try:
        at = _skip(text, at + 1)
        while not text.startswith("}", at):
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # the colon between
            if name == MESSAGES and text.startswith("[", at) and not _is_empty(text, at):
                found[name] = []
                for value, _, end in _list(text, _skip(text, at + 1)):
                    found[name].append(value)
                    at = end
            else:
                found[name], at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # the comma between
    except (ValueError, TypeError, RecursionError, _Stop):
        pass
    return found if found.get(MESSAGES) else None


def _is_empty(text: str, at: int) -> bool:
    return text.startswith("]", _skip(text, at + 1))


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


class _Lines:
    """Numbers of lines for offsets that mostly grow."""

    def __init__(self, text: str, first: int) -> None:
        self._text = text
        self._at, self._line, self._first = 0, first, first

    def of(self, at: int) -> int:
        """The number of the line that holds offset ``at``."""
        if at < self._at:
            self._at, self._line = 0, self._first
        self._line += self._text.count("\n", self._at, at)
        self._at = at
        return self._line


def _why(source: Source, error: Exception) -> str:
    if source.failure:
        return source.failure
    if isinstance(error, UnicodeDecodeError):
        return not_utf8(error.object, error)
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return f"not JSON: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)

"""The details of tools' work that later steps use again: ids, paths, errors, named numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from memfold.text.chat import call_texts, is_tool_output, opens, speech
from memfold.types import Artifact, Message

if TYPE_CHECKING:
    from memfold.text.entities import EntityExtractor

MOST: Final = 120
"""Artifacts that are taken from one message at most."""
LONGEST: Final = 200
"""Characters of one artifact at most."""
_READ: Final = 1_000_000
# The extractor is thorough, and so only sees both ends of a long output.
_EXTRACTED: Final = 8_000

# What is dropped first where a message has too many: the last.
_USEFUL: Final = ("error", "id", "path", "url", "number")
_KINDS: Final = {"url": "url", "path": "path", "hash": "id", "identifier": "id", "email": "id"}

_PATTERNS: Final = (
    (
        "error",
        re.compile(
            r"^[^\n]{0,120}?(?:\b(?:[A-Z]\w*)?(?:Error|Exception)\b|\b(?:error|fatal|panic)\s*:|"
            r"\b(?:FAILED|ERR!|ERROR)\b)[^\n]*",
            re.MULTILINE,
        ),
    ),
    ("path", re.compile(r"\bFile \"[^\"\n]{1,160}\", line \d+")),
    (
        "path",
        re.compile(
            r"(?<![\w/.:@])(?:[~.]{0,2}/)?(?:[\w.@+-]{1,80}/){1,20}(?:[\w.@+-]{1,80})?(?::\d+\b)?"
        ),
    ),
    (
        "path",
        re.compile(r"(?<![\w/.@-])[\w-]{1,80}(?:\.[\w-]{1,20}){0,2}\.[a-zA-Z]\w{0,7}(?::\d+\b)?"),
    ),
    ("url", re.compile(r"\bhttps?://[^\s<>\"'`|\\^{}]+")),
    ("number", re.compile(r"\"[\w .-]{1,60}\"\s*:\s*-?\d+(?:\.\d+)?\b")),
    ("id", re.compile(r"(?<=\")(?=[^\"\n]{0,40}[\dA-Z_])[\w.@+:#-]{2,80}(?=\"(?!\s*:))")),
    (
        "number",
        re.compile(r"\blines?:? \d+(?:-\d+)?\b|^\d{1,7}(?=:)", re.MULTILINE | re.IGNORECASE),
    ),
    ("id", re.compile(r"(?<![\w.-])(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[\w-]{4,80}(?![\w-])")),
)


def artifacts(messages: Sequence[Message], extractor: EntityExtractor) -> tuple[Artifact, ...]:
    """Return the artifacts of the messages that work with tools, each once, in order.

    They stand in tools' outputs, in the arguments of calls, and in what is said around them. Of
    one message at most 120 are kept, errors first, then ids, paths, addresses and numbers.
    """
    found: dict[tuple[str, str], Artifact] = {}
    uses_tools = any(is_tool_output(m.raw) or opens(m.raw) for m in messages)
    for message in messages if uses_tools else ():
        for kind, text in details("\n".join(_texts(message)), extractor):
            found.setdefault((kind, text), Artifact(kind=kind, text=text, source=message.id))
    return tuple(found.values())


def details(text: str, extractor: EntityExtractor) -> list[tuple[str, str]]:
    """Return kind and text of the artifacts of one output, in order, at most 120."""
    places: dict[tuple[str, str], int] = {}
    for kind, start, end in _found(text[:_READ], extractor):
        piece = text[start:end].strip()[:LONGEST].rstrip()
        if piece and places.get((kind, piece), start) >= start:
            places[kind, piece] = start
    rank = {kind: at for at, kind in enumerate(_USEFUL)}
    useful = sorted(places, key=lambda each: (rank[each[0]], places[each]))
    return sorted(islice(useful, MOST), key=lambda each: (places[each], each))


def _texts(message: Message) -> Iterator[str]:
    if message.role in ("system", "developer"):
        return
    if is_tool_output(message.raw):
        yield message.text
        return
    yield speech(message.raw)
    yield from call_texts(message.raw)


def _found(text: str, extractor: EntityExtractor) -> Iterator[tuple[str, int, int]]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield kind, match.start(), match.end()
    tail = max(len(text) - _EXTRACTED, _EXTRACTED)
    for offset, part in ((0, text[:_EXTRACTED]), (tail, text[tail:])):
        for entity in extractor.extract(part):
            if (kind := _KINDS.get(entity.kind, "")) and "\n" not in entity.text:
                yield kind, offset + entity.start, offset + entity.end

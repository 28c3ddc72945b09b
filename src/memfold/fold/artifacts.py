"""The details of tools' work that later steps use again: ids, paths, errors, named numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from memfold.text.chat import call_texts, is_tool_output, opens, speech
from memfold.types import Artifact, Message

if TYPE_CHECKING:
    from memfold.text.entities import EntityExtractor

MOST: Final = {"error": 20, "id": 60, "path": 40, "url": 20, "number": 80}
"""Artifacts of each kind that are taken from one message at most: the first ones."""
LONGEST: Final = 200
"""Characters of one artifact at most."""
# Of a longer output both ends are read: the middle adds little once the lists are full.
_HEAD: Final = 300_000
_TAIL: Final = 100_000
# The extractor is thorough, and so only sees both ends of a long output.
_EXTRACTED: Final = 8_000
# Of more numbered lines than these (a file that was opened) only the first and the last count.
_NUMBERED: Final = 20
_KINDS: Final = {"url": "url", "path": "path", "hash": "id", "identifier": "id", "email": "id"}
_DIGIT: Final = re.compile(r"\d")
_LINE_NUMBER: Final = re.compile(r"^\d{1,7}(?=[:\t])", re.MULTILINE)

# Repetitions are bounded: a failed attempt is repeated at every place of an output.
_PATTERNS: Final = (
    (
        "error",
        re.compile(
            r"^[^\n]{0,120}?(?:\b(?:[A-Z]\w{0,60})?(?:Error|Exception)\b|\b(?:[Ee]rror|fatal|"
            r"panic)\s?:|\b(?:FAILED|ERR!|ERROR)\b)[^\n]*",
            re.MULTILINE,
        ),
    ),
    ("path", re.compile(r"\bFile \"[^\"\n]{1,160}\", line \d+")),
    (
        "path",
        re.compile(
            r"(?<![\w/.:@<-])(?:[~.]{0,2}/)?(?:[\w.@+-]{1,80}/){1,20}(?:[\w.@+-]{1,80})?(?::\d+\b)?"
        ),
    ),
    (
        "path",
        re.compile(
            r"(?<![\w/.@-])[\w-]{1,80}(?:\.[\w-]{1,20}){0,2}\.[a-z][a-z0-9]{0,4}(?::\d+)?\b(?!\()"
        ),
    ),
    ("url", re.compile(r"\bhttps?://[^\s<>\"'`|\\^{}]{1,300}")),
    ("number", re.compile(r"\"[\w .-]{1,60}\"\s?:\s?-?\d+(?:\.\d+)?\b")),
    (
        "number",
        re.compile(
            r"\blines?:? \d+(?:-\d+)?\b|^-?\d[\d.,]{0,30}$"
            r"|(?<![\w.])\d+(?:\.\d+)?\s?(?:passed|failed|errors?|warnings?|lines?|files?|ms|s|"
            r"seconds?|[KMG]i?B|%)(?!\w)",
            re.MULTILINE | re.IGNORECASE,
        ),
    ),
    # A value in quotes that is a code (JFK, M05KNL, mia_li_3668), but no name of a field.
    (
        "id",
        re.compile(
            r"(?<=\")(?=[^\"\n]{0,40}[\dA-Z_])[\w.@+:#-]{2,80}(?=\"(?!\s?:))|(?<=\")[A-Z]{3,8}(?=\")"
        ),
    ),
    (
        "id",
        re.compile(
            r"(?<![\w.-])(?=[A-Za-z_-]{0,40}\d)(?=[\d_-]{0,40}[A-Za-z])[\w-]{4,80}(?![\w-])"
        ),
    ),
)


def artifacts(messages: Sequence[Message], extractor: EntityExtractor) -> tuple[Artifact, ...]:
    """Return the artifacts of the messages that work with tools, each once, in order.

    They stand in tools' outputs, in the arguments of calls, and in what an assistant says in a
    run that uses tools. One message gives the first 20 errors, 60 ids, 40 paths, 20 addresses and
    80 numbers at most, of its first 300,000 and last 100,000 characters.
    """
    found: dict[tuple[str, str], Artifact] = {}
    uses_tools = any(is_tool_output(m.raw) or opens(m.raw) for m in messages)
    for message in messages if uses_tools else ():
        for kind, text in details("\n".join(_texts(message)), extractor):
            found.setdefault((kind, text), Artifact(kind=kind, text=text, source=message.id))
    return tuple(found.values())


def details(text: str, extractor: EntityExtractor) -> list[tuple[str, str]]:
    """Return kind and text of the artifacts of one output, each once, in order."""
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    places: dict[tuple[str, str], int] = {}
    for kind, start, end in _found(text, extractor):
        piece = text[start:end].strip()[:LONGEST].rstrip()
        if piece and places.get((kind, piece), start) >= start:
            places[kind, piece] = start
    taken: list[tuple[str, str]] = []
    left = dict(MOST)
    for each in sorted(places, key=lambda each: (places[each], each)):
        if left[each[0]] > 0:
            left[each[0]] -= 1
            taken.append(each)
    return taken


def _texts(message: Message) -> Iterator[str]:
    if is_tool_output(message.raw):
        yield message.text
    elif message.role == "assistant":
        yield speech(message.raw)
        yield from call_texts(message.raw)


def _found(text: str, extractor: EntityExtractor) -> Iterator[tuple[str, int, int]]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield kind, match.start(), match.end()
    numbered = [match.span() for match in _LINE_NUMBER.finditer(text)]
    for start, end in numbered if len(numbered) <= _NUMBERED else (numbered[0], numbered[-1]):
        yield "number", start, end
    tail = max(len(text) - _EXTRACTED, _EXTRACTED)
    for offset, part in ((0, text[:_EXTRACTED]), (tail, text[tail:])):
        for entity in extractor.extract(part):
            kind = _KINDS.get(entity.kind, "")
            is_code = entity.kind != "identifier" or _DIGIT.search(entity.text)
            if kind and is_code and "\n" not in entity.text:
                yield kind, offset + entity.start, offset + entity.end

"""Sentences and passages of English and Chinese text, code blocks and lists among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memfold.text.scripts import CJK
from memfold.text.truncation import boundary

LONGEST_SENTENCE: Final = 1_000
"""Characters after which text without an end of sentence is cut."""
LONGEST_PASSAGE: Final = 1_200
"""Characters that a passage holds at most, a CJK one counted as three."""
CJK_WEIGHT: Final = 3
"""What a CJK character counts for in a passage: it says about as much as three Latin letters."""

_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_FENCE = re.compile(r"\s*(```|~~~)")
_LIST_NUMBER = re.compile(r"\s*(?:[-*•>]\s+)?(?:\d{1,3}|[a-zA-Z])$")
_END = re.compile(r"(?P<marks>[.!?。！？；｡…⋯]+)(?P<closers>[\"'”’»」』）】〕》〉)\]}*_`]*)")
_FULL_STOPS = frozenset("。！？；｡")
_QUOTES = frozenset("\"'”’»」』")
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_CJK_RUN = re.compile(f"[{CJK}]+")
_WIDE_PUNCTUATION = frozenset("“‘「『（【《〈，、：")
_WORD_BEFORE = re.compile(r"[^\s(\[{\"'“‘]*$")
_BREAK = re.compile(r"[\s,;:，、；：]")
_LONGEST_ABBREVIATION = 12


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never the last word of a sentence; before a number only; at an end when a capital follows.
_INSIDE = _words(
    "mr mrs ms mx dr prof st mt gen rep sen gov capt lt col sgt rev hon vs e.g i.e eg ie cf ca viz "
    "approx resp incl"
)
_BEFORE_NUMBER = _words(
    "no nos fig figs eq sec ch vol p pp art ver jan feb mar apr jun jul aug sep sept oct nov dec"
)
_EITHER = _words("etc inc ltd co corp jr sr dept est min max hr hrs ave blvd rd ed eds al a.m p.m")


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """The stretch `text[start:end]` of a text."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """Return the sentences of `text`: in order, not overlapping, without outer white space.

    Together they cover all that is not white space. A line end always ends a sentence; a line of
    a fenced code block is one; what goes on for more than 1,000 characters is cut.
    """
    found: list[Span] = []
    fence = ""
    for line in _LINE.finditer(text):
        opened = _FENCE.match(line.group())
        if opened and fence in ("", opened[1]):
            fence = "" if fence else opened[1]
            ends = [line.end()]
        else:
            ends = [line.end()] if fence else list(_ends(line.group(), line.start()))
        start = line.start()
        for end in ends:
            found += _stripped_pieces(text, start, end, LONGEST_SENTENCE)
            start = end
    return found


def passages(text: str, max_chars: int = LONGEST_PASSAGE) -> list[Span]:
    """Group the sentences of `text` into passages for indexing, in order and not overlapping.

    A passage holds at most `max_chars` characters, of which a CJK one counts for three; a text no
    longer than that is one passage. Only a sentence that is longer by itself is cut.
    """
    limit = max(max_chars, CJK_WEIGHT)
    if CJK_WEIGHT * len(text) <= limit or weight(text) <= limit:
        return _stripped_pieces(text, 0, len(text), len(text))
    found: list[Span] = []
    start = end = size = 0
    for sentence in _short_enough(text, limit):
        size += weight(text[end : sentence.end])
        if end and size > limit:
            found.append(Span(start=start, end=end))
            end = 0
        if not end:
            start = sentence.start
            size = weight(text[start : sentence.end])
        end = sentence.end
    return [*found, Span(start=start, end=end)] if end else found


def _short_enough(text: str, limit: int) -> Iterator[Span]:
    for sentence in sentences(text):
        if weight(text[sentence.start : sentence.end]) <= limit:
            yield sentence
        else:
            yield from _stripped_pieces(text, sentence.start, sentence.end, limit // CJK_WEIGHT)


def weight(text: str) -> int:
    """The length of `text` as passages count it: a CJK character as three."""
    if text.isascii():
        return len(text)
    return len(text) + (CJK_WEIGHT - 1) * sum(map(len, _CJK_RUN.findall(text)))


def _stripped_pieces(text: str, start: int, end: int, limit: int) -> list[Span]:
    """Return `text[start:end]` without outer white space, in pieces of at most `limit`."""
    found = []
    while start < end:
        stop = end if end - start <= limit else _cut(text, start, start + limit)
        piece = text[start:stop]
        if stripped := piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            found.append(Span(start=begin, end=begin + len(stripped)))
        start = stop
    return found


def _cut(text: str, start: int, end: int) -> int:
    """Return the best place to cut before `end`: in the second half after a space or a comma."""
    for at in range(end, (start + end) // 2, -1):
        if _BREAK.match(text[at - 1]):
            return at
    at = boundary(text, end)
    return at if at > start else end


def _ends(line: str, offset: int) -> Iterator[int]:
    for match in _END.finditer(line):
        if match.end() < len(line) and _is_end(line, match):
            yield offset + match.end()
    yield offset + len(line)


def _is_end(line: str, match: re.Match[str]) -> bool:
    marks, closers, at = match["marks"], match["closers"], match.end()
    if not _FULL_STOPS.isdisjoint(marks):
        return True
    if marks == "." and _LIST_NUMBER.match(line, 0, match.start()):
        return False
    following = line[at : at + 80].lstrip()[:1]
    is_apart = line[at].isspace()
    if following in _WIDE_PUNCTUATION or _CJK_CHARACTER.match(following):
        return is_apart or marks != "." or not line[match.start() - 1].isdigit()
    if not is_apart:
        return False
    if marks[0] in "…⋯" or marks.startswith(".."):
        return not following.islower()
    if not _QUOTES.isdisjoint(closers) and following.islower():
        return False
    return marks != "." or not _is_abbreviation(line, match.start(), following)


def _is_abbreviation(line: str, at: int, following: str) -> bool:
    """Tell whether the full stop at `at` belongs to the word before it."""
    before = _WORD_BEFORE.search(line[max(at - _LONGEST_ABBREVIATION, 0) : at])
    word = before.group() if before else ""
    lowered = word.lower()
    if lowered in _EITHER:
        return not following.isupper()
    if lowered in _BEFORE_NUMBER:
        return following.isdigit()
    is_initial = len(word) == 1 and word.isupper() and word != "I" and following.isupper()
    has_dots = "." in word and all(len(part) == 1 for part in word.split("."))
    return lowered in _INSIDE or is_initial or has_dots

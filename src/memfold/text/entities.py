"""Protected details: what a summary of a text must not lose, and whether it did."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Protocol

from memfold.errors import InvalidInput, shown
from memfold.text.entity_patterns import DETAILS
from memfold.text.given import string
from memfold.text.names import name_spans
from memfold.text.scripts import fold_han
from memfold.text.times import date_mentions

# Counts up whenever the patterns change: figures compare only within one version.
_VERSION = 2
_SENTENCE_IN_QUOTES = re.compile(r"[.!?。！？；](?:\s|$)|[。！？；]")
_MOST_QUOTED_WORDS = 8
_MOST_QUOTED_HAN = 20
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# Absolute dates do not depend on it, but for those without a year, on which both sides agree.
_ANY_DAY = datetime(2020, 7, 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """A protected detail `text` of a `kind`, at `[start:end]` of the text it was found in.

    Kinds: date, time, number, money, email, url, path, identifier, version, hash, phone, ip,
    quoted, name; with the extra `ner` also person, place, organisation; and the user's own.
    """

    kind: str
    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """The form in which entities are equal: width, case, spaces, character set removed."""
        return entity_key(self.text)


class Ner(Protocol):
    """Finds people, places and organisations, given the text."""

    @property
    def name(self) -> str:
        """Names the model, with its version: part of the extractor's fingerprint."""
        ...

    def entities(self, text: str) -> list[Entity]:
        """Return the entities of `text`."""
        ...


class EntityExtractor:
    """Finds the protected details of a text by patterns and, if given one, with a model.

    `patterns` maps the user's own kinds to regular expressions, which go before all others; a
    pattern that does not compile raises `InvalidInput`.
    """

    def __init__(self, patterns: Mapping[str, str] | None = None, ner: Ner | None = None) -> None:
        if patterns is not None and not isinstance(patterns, Mapping):
            raise InvalidInput(f"patterns is a dict of kinds and patterns, not {shown(patterns)}")
        if ner is not None and not (hasattr(ner, "name") and hasattr(ner, "entities")):
            raise InvalidInput(f"ner is to have a name and entities, not {shown(ner)}")
        self._own = [(kind, _compiled(kind, source)) for kind, source in (patterns or {}).items()]
        self._ner = ner
        parts = [str(_VERSION), *(f"{kind}={own.pattern}" for kind, own in self._own)]
        parts.append(ner.name if ner else "")
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass"))
        self._fingerprint = digest.hexdigest()[:16]

    @property
    def fingerprint(self) -> str:
        """Changes with whatever changes what is found: figures compare only within one."""
        return self._fingerprint

    def extract(self, text: str) -> list[Entity]:
        """Return the entities of `text` in order, not overlapping.

        Of two that overlap the user's own goes first, then the longer, then the more specific.
        """
        string(text, "the text")
        own = [
            Entity(kind=kind, text=match.group(), start=match.start(), end=match.end())
            for kind, pattern in self._own
            for match in pattern.finditer(text)
            if match.group().strip()
        ]
        found = [*_dates(text), *_details(text)]
        if self._ner:
            found += self._ner.entities(text)
        found += _names(text)
        found.sort(key=lambda entity: entity.start - entity.end)
        return _apart([*own, *found])


def retained(required: Iterable[Entity], text: str) -> set[str]:
    """Return the keys of those of the `required` entities that stand in `text`.

    Spaces, case, width and the Chinese character set make no difference, nor does the way a date
    is written; but 24 does not stand in 2024, nor Ann in Annual.
    """
    haystack, breaks = _condensed(text)
    kept: set[str] = set()
    dates: set[tuple[date, date]] | None = None
    for entity in required:
        key = entity.key
        if key in kept or not key:
            continue
        if _stands_in(key, haystack, breaks):
            kept.add(key)
        elif entity.kind == "date":
            dates = _days(text) if dates is None else dates
            if (days := _days(entity.text)) and days <= dates:
                kept.add(key)
    return kept


@lru_cache(maxsize=1 << 14)
def entity_key(text: str) -> str:
    """Return the form of an entity's text in which it is compared with others."""
    return _condensed(text)[0]


def _condensed(text: str) -> tuple[str, frozenset[int]]:
    """Return `text` normalised and without spaces, and the places where these were."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    if not normal.isascii():
        normal = fold_han(unicodedata.normalize("NFKC", normal))
    words = _THOUSANDS.sub("", normal).split()
    breaks = set()
    length = 0
    for word in words:
        breaks.add(length)
        length += len(word)
    return "".join(words), frozenset(breaks | {length})


def _stands_in(key: str, haystack: str, breaks: frozenset[int]) -> bool:
    at = haystack.find(key)
    while at >= 0:
        end = at + len(key)
        if not _continues(haystack, breaks, at) and not _continues(haystack, breaks, end):
            return True
        at = haystack.find(key, at + 1)
    return False


def _continues(text: str, breaks: frozenset[int], at: int) -> bool:
    """Tell whether a Latin word or a number goes on across `at`."""
    if at in breaks:
        return False
    before, after = text[at - 1], text[at]
    if before.isdigit() and after == ".":
        return at + 1 not in breaks and text[at + 1].isdigit()
    if before == "." and after.isdigit():
        return at - 1 not in breaks and text[at - 2].isdigit()
    if before.isdigit() or after.isdigit():
        return before.isdigit() and after.isdigit()
    return _is_letter(before) and _is_letter(after)


def _is_letter(character: str) -> bool:
    # Chinese has no word boundaries; in all other scripts a letter beside a letter is one word.
    return character == "_" or (character.isalpha() and character < "\u2e80")


def _days(text: str) -> set[tuple[date, date]]:
    return {(mention.first, mention.last) for mention in date_mentions(text, _ANY_DAY)}


def _dates(text: str) -> Iterator[Entity]:
    for mention in date_mentions(text, _ANY_DAY):
        yield Entity(kind="date", text=mention.text, start=mention.start, end=mention.end)


def _details(text: str) -> Iterator[Entity]:
    for detail in DETAILS:
        for start, end in detail.spans(text):
            if detail.kind == "quoted":
                start, end = start + 1, end - 1
                if end - start == 1 and _is_letter(text[start]):
                    continue
                if _is_speech(text[start:end]):
                    continue
            yield Entity(kind=detail.kind, text=text[start:end], start=start, end=end)


def _is_speech(quoted: str) -> bool:
    """Tell whether something is quoted that was said rather than named."""
    if _SENTENCE_IN_QUOTES.search(quoted):
        return True
    return quoted.count(" ") >= _MOST_QUOTED_WORDS or (
        not quoted.isascii() and len(quoted) > _MOST_QUOTED_HAN and " " not in quoted
    )


def _names(text: str) -> Iterator[Entity]:
    for start, end in name_spans(text):
        yield Entity(kind="name", text=text[start:end], start=start, end=end)


def _apart(ranked: list[Entity]) -> list[Entity]:
    """Return those that overlap with none before them, in text order."""
    taken: list[Entity] = []
    covered = bytearray(max((entity.end for entity in ranked), default=0))
    for entity in ranked:
        if not any(covered[entity.start : entity.end]):
            covered[entity.start : entity.end] = b"\1" * (entity.end - entity.start)
            taken.append(entity)
    return sorted(taken, key=lambda entity: entity.start)


def _compiled(kind: str, source: str) -> re.Pattern[str]:
    string(kind, "the kind of a pattern")
    string(source, f"the pattern of {shown(kind)}")
    try:
        return re.compile(source)
    except (re.error, RecursionError, OverflowError) as error:
        raise InvalidInput(f"the pattern of {shown(kind)} does not compile: {error}") from error

"""What a context shows: whether a message stands in it, and whether an answer does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property, lru_cache

from memfold.evals.dates import dated_answer, stated_ranges, states
from memfold.evals.profiles import Containment
from memfold.text.calendar import Range
from memfold.text.sentences import sentences
from memfold.text.terms import query_terms, terms

# What memfold puts behind "yesterday": the message is no less there.
_LABEL = re.compile(r"\s?\[\d{4}[\d.\-]*\]")
_WORD = re.compile(r"[^\W_]+")


def plain(text: str) -> str:
    """The words of a text, between single spaces: what is compared to find it in another."""
    folded = unicodedata.normalize("NFKC", _LABEL.sub("", text)).casefold()
    return f" {' '.join(_WORD.findall(folded))} "


_plain = lru_cache(maxsize=1 << 14)(plain)
_terms = lru_cache(maxsize=1 << 14)(lambda text: frozenset(terms(text)))


class Shown:
    """The text of a context, made ready for looking things up in it.

    ``at`` is when it was asked for: days without a year are near it.
    """

    def __init__(self, text: str, *, at: datetime) -> None:
        self._text = text
        self._at = at

    @property
    def text(self) -> str:
        """The text as it is."""
        return self._text

    @cached_property
    def _plain(self) -> str:
        return plain(self._text)

    @cached_property
    def _terms(self) -> frozenset[str]:
        return frozenset(terms(self._text))

    @cached_property
    def _stated(self) -> list[Range]:
        return stated_ranges(self._text, self._at)

    def holds(self, message: str, answer: str, *, rule: Containment) -> bool:
        """Tell whether a message's text stands here by the rule."""
        return self._has(message) or (rule == "excerpt" and self._has_excerpt(message, answer))

    def _has(self, text: str) -> bool:
        words = _plain(text)
        # A message of nothing but emoji has no words to compare.
        return words in self._plain if words.strip() else text.strip() in self._text

    def _has_excerpt(self, message: str, answer: str) -> bool:
        wanted = frozenset(query_terms(answer)) & _terms(message) if answer else frozenset()
        if not wanted:
            return False
        here = {term for sentence in self._sentences_of(message) for term in _terms(sentence)}
        return wanted <= here

    def _sentences_of(self, message: str) -> Iterator[str]:
        for span in sentences(message):
            sentence = message[span.start : span.end]
            if self._has(sentence):
                yield sentence

    def answers(self, answer: str, *, dated: bool) -> bool:
        """Tell whether all terms of an answer occur here; if ``dated``, its dates in any format."""
        found = dated_answer(answer, self._at) if dated else None
        if found is None:
            return self._has(answer) or frozenset(query_terms(answer)) <= self._terms
        rest = frozenset(terms(found.rest))
        return self._has(answer) or (states(self._stated, found) and rest <= self._terms)

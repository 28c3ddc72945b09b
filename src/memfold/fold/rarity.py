"""How rare a word is in general, told by its place in a tokenizer's table.

Byte-pair encoding joins what is frequent first, so that the rank of a word's token follows its
frequency: "work" has rank 1,101 of o200k_base, "pottery" 128,558, and rarer words have none.
That is a frequency list of both languages which the token counter brings along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import log
from typing import Final

from memfold.text.bytepairs import byte_pairs
from memfold.text.memo import Memo
from memfold.text.scripts import CJK
from memfold.text.terms import terms

EVERYDAY: Final = 0.4
"""What the most frequent words count for, beside 1 for the rare ones."""

_ENCODING: Final = "o200k_base"
# Ranks of the most frequent words and of those that are rare already, in Latin script and in
# Han, whose pairs come later because the table's texts are mostly English.
_LATIN_RANKS: Final = (600, 60_000)
_HAN_RANKS: Final = (2_000, 200_000)
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_PAIR: Final = re.compile(f"[{CJK}]{{2}}")


def rarities(texts: Iterable[str], known: Iterable[str]) -> dict[str, float]:
    """Return the rarity, from 0.4 to 1, of the ``known`` terms of these texts.

    A term that several words share (stems) is as rare as the most frequent of them. What is
    neither a word nor a pair of characters (a number, an identifier) counts as rare.
    """
    found: dict[str, float] = {}
    for text in texts:
        for word in _WORD.findall(text):
            rarity = _OF_WORD[word]
            for term in terms(word):
                found[term] = min(found.get(term, 1.0), rarity)
    return {term: found.get(term) or _OF_TERM[term] for term in known}


def _of_word(word: str) -> float:
    lower = word.lower()
    pieces = (f" {lower}", f" {lower.capitalize()}")
    ranks = [rank for piece in pieces if (rank := byte_pairs(_ENCODING).rank(piece)) is not None]
    return _scaled(min(ranks), _LATIN_RANKS) if ranks else 1.0


def _of_term(term: str) -> float:
    if not _PAIR.fullmatch(term):
        return 1.0
    rank = byte_pairs(_ENCODING).rank(term)
    return 1.0 if rank is None else _scaled(rank, _HAN_RANKS)


def _scaled(rank: int, ranks: tuple[int, int]) -> float:
    low, high = map(log, ranks)
    share = (log(max(rank, 1)) - low) / (high - low)
    return EVERYDAY + (1 - EVERYDAY) * min(max(share, 0.0), 1.0)


_OF_WORD: Final = Memo(_of_word, most=1 << 15, longest=40)
_OF_TERM: Final = Memo(_of_term, most=1 << 15, longest=40)

"""An inverted index over 32-bit term ids that grows: which documents hold a term, how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# A batch is folded into the sorted arrays once what was added since outgrows this share of
# them: searching stays a binary search plus a short list, adding stays cheap on average.
_MERGE_SHARE = 0.25
_MERGE_LEAST = 50_000

_EMPTY = np.empty(0, dtype=np.int64)


class Postings:
    """Documents by term. Documents are numbered by the caller."""

    def __init__(self) -> None:
        # Sorted by (term, document): the key is term << 32 | document.
        self._keys: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)
        self._counts: NDArray[np.float32] = np.empty(0, dtype=np.float32)
        self._recent: dict[int, list[tuple[int, int]]] = {}
        self._recent_size = 0

    def add(self, first: int, documents: Sequence[bytes]) -> None:
        """Add documents ``first``, ``first + 1``, … given the bytes of their term id arrays."""
        if sum(map(len, documents)) // 4 > _MERGE_LEAST:
            self._merge(*_sorted(first, documents))
            return
        for document, raw in enumerate(documents, first):
            for term, count in Counter(np.frombuffer(raw, dtype="<u4").tolist()).items():
                self._recent.setdefault(term, []).append((document, count))
                self._recent_size += 1
        if self._recent_size > max(_MERGE_LEAST, _MERGE_SHARE * len(self._keys)):
            self._fold_recent()

    def _fold_recent(self) -> None:
        triples = [
            (term << 32 | document, count)
            for term, found in self._recent.items()
            for document, count in found
        ]
        triples.sort()
        self._recent, self._recent_size = {}, 0
        self._merge(
            np.array([key for key, _ in triples], dtype=np.uint64),
            np.array([count for _, count in triples], dtype=np.float32),
        )

    def _merge(self, keys: NDArray[np.uint64], counts: NDArray[np.float32]) -> None:
        keys = np.concatenate([self._keys, keys])
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._counts = np.concatenate([self._counts, counts])[order]

    def find(self, term: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Documents that hold the term, each once, and how often each does."""
        # No document has the last number, and the term after the last would not fit.
        bounds = np.array([term << 32, term << 32 | 0xFFFFFFFF], dtype=np.uint64)
        low, high = np.searchsorted(self._keys, bounds)
        documents = (self._keys[low:high] & np.uint64(0xFFFFFFFF)).astype(np.int64)
        counts = self._counts[low:high]
        recent = self._recent.get(term)
        if recent:
            added = np.array(recent, dtype=np.int64)
            documents = np.concatenate([documents, added[:, 0]])
            counts = np.concatenate([counts, added[:, 1].astype(np.float32)])
        return documents, counts

    def sizes(self, terms: Sequence[int]) -> NDArray[np.int64]:
        """How many documents hold each of the terms: much quicker than finding them."""
        low = np.array(terms, dtype=np.uint64) << np.uint64(32)
        ends = np.searchsorted(self._keys, np.stack([low, low | np.uint64(0xFFFFFFFF)]))
        recent = np.array([len(self._recent.get(term, ())) for term in terms], dtype=np.int64)
        held: NDArray[np.int64] = ends[1] - ends[0] + recent
        return held


def _sorted(
    first: int, documents: Sequence[bytes]
) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
    """Keys in order, each once, and their counts."""
    lengths = np.fromiter(map(len, documents), dtype=np.int64, count=len(documents)) // 4
    terms = np.frombuffer(b"".join(documents), dtype="<u4").astype(np.uint64)
    numbers = np.repeat(np.arange(first, first + len(documents), dtype=np.uint64), lengths)
    keys, counts = np.unique(terms << np.uint64(32) | numbers, return_counts=True)
    return keys, counts.astype(np.float32)

"""Plain BM25, the baseline that every figure stands beside: nothing of memfold's own ranking."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from memfold.text.terms import query_terms, terms

K1: Final = 1.2
B: Final = 0.75


class BM25:
    """Ranks texts for a question by BM25 over their terms (stems; characters and pairs of Han).

    score = Σ idf · f · (k1 + 1) / (f + k1 · (1 − b + b · length / average length)), with
    idf = ln(1 + (N − n + 0.5) / (n + 0.5)): Robertson and Zaragoza 2009, with the idf of Lucene.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._count = len(texts)
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = []
        for number, text in enumerate(texts):
            counts = Counter(terms(text))
            lengths.append(sum(counts.values()))
            for term, times in counts.items():
                self._postings[term].append((number, times))
        average = sum(lengths) / max(len(lengths), 1) or 1
        self._norms = [K1 * (1 - B + B * length / average) for length in lengths]

    def ranked(self, question: str) -> list[int]:
        """The numbers of the texts that share a term with the question, best first."""
        scores: defaultdict[int, float] = defaultdict(float)
        for term in set(query_terms(question)):
            postings = self._postings.get(term, ())
            holding = len(postings)
            idf = math.log(1 + (self._count - holding + 0.5) / (holding + 0.5))
            for number, times in postings:
                scores[number] += idf * times * (K1 + 1) / (times + self._norms[number])
        return sorted(scores, key=lambda number: (-scores[number], number))

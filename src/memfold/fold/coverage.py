"""Which sentences say most of a span within a token limit.

Maximises a monotone submodular function, weighted coverage of protected entities and of
informative terms (Lin and Bilmes 2011, "A Class of Submodular Functions for Document
Summarization"), under a knapsack constraint, by the lazy cost-scaled greedy rule with the best
single sentence as the alternative (Lin and Bilmes 2010; Leskovec et al. 2007, CELF).
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from memfold.fold.lines import Layout
from memfold.fold.units import Candidate
from memfold.fold.weights import Weights

# Every sentence costs its reader so many tokens beside its own: of "Cheers!", "Yay!" and
# "I got the job." the last one goes first.
_READING: Final = 1


def choose(
    candidates: Sequence[Candidate],
    weights: Weights,
    layout: Layout,
    limit: int,
    reserved: Mapping[str, int],
) -> list[Candidate]:
    """Return the sentences to keep, the best first; together with ``reserved`` they fit the limit.

    ``reserved`` maps entities to the tokens for which the key-facts line can name each.
    """
    selection = Selection(weights, layout, limit, reserved)
    heap: list[tuple[float, int, Candidate]] = []
    single, most = [], 0.0
    for candidate in candidates:
        gain, cost = selection.gain(candidate), selection.cost(candidate)
        heap.append((-_rate(gain, cost), candidate.order, candidate))
        if gain > most and cost <= selection.free:
            single, most = [candidate], gain
    heapq.heapify(heap)
    chosen: list[Candidate] = []
    total = 0.0
    while heap:
        _, order, candidate = heapq.heappop(heap)
        gain, cost = selection.gain(candidate), selection.cost(candidate)
        if gain <= 0 or cost > selection.free:
            continue
        rate = _rate(gain, cost)
        if heap and -rate > heap[0][0]:
            heapq.heappush(heap, (-rate, order, candidate))
            continue
        total += gain
        selection.add(candidate)
        chosen.append(candidate)
    return single if most > total else chosen


def value(chosen: Iterable[Candidate], weights: Weights, layout: Layout) -> float:
    """Return what the sentences are worth together: the function that ``choose`` maximises."""
    selection = Selection(weights, layout, 0, {})
    total = 0.0
    for candidate in chosen:
        total += selection.gain(candidate)
        selection.add(candidate)
    return total


def _rate(gain: float, cost: int) -> float:
    return gain / max(cost + _READING, 1)


def _order(candidate: Candidate) -> int:
    return candidate.order


class Selection:
    """Sentences chosen so far, what they cover and what they cost.

    ``reserved`` are entities with the tokens for which each can be named in the key-facts line;
    their sum is set aside, and a sentence that brings one in sets its tokens free. So a sentence
    costs what it takes from the limit after that.
    """

    def __init__(
        self, weights: Weights, layout: Layout, limit: int, reserved: Mapping[str, int]
    ) -> None:
        self._weights = weights
        self._layout = layout
        self.free = limit - sum(reserved.values())
        self._reserved = dict(reserved)
        self._terms: dict[str, float] = {}
        self.entities: set[str] = set()
        self.chosen: list[Candidate] = []

    def gain(self, candidate: Candidate) -> float:
        """Return by how much the candidate would raise the function."""
        entities = self._weights.entities
        total = sum(entities[key] for key in candidate.entities if key not in self.entities)
        manner, known, weights = candidate.manner, self._terms, self._weights.terms
        for term in candidate.terms:
            more = manner - known.get(term, 0.0)
            if more > 0:
                total += more * weights[term]
        return total

    def cost(self, candidate: Candidate) -> int:
        """Return what the candidate would take from the limit; below 0 when it saves tokens."""
        at = bisect_left(self.chosen, candidate.order, key=_order)
        before = self.chosen[at - 1].line if at else None
        after = self.chosen[at].line if at < len(self.chosen) else None
        between = self._layout.cost_between
        line = candidate.line
        cost = candidate.tokens + (between(before, line) if line != before else 0)
        if after is not None and not before == line == after:
            cost += between(line, after) - between(before, after)
        for key in candidate.entities:
            cost -= self._reserved.get(key, 0)
        return cost

    def add(self, candidate: Candidate) -> None:
        """Choose the candidate."""
        self.free -= self.cost(candidate)
        insort(self.chosen, candidate, key=_order)
        self.entities.update(candidate.entities)
        for key in candidate.entities:
            self._reserved.pop(key, None)
        for term in candidate.terms:
            self._terms[term] = max(self._terms.get(term, 0.0), candidate.manner)

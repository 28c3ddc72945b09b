"""Strategies that show whole messages: all, the newest, the nearest, those of chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from memfold.evals.compare.policy import Given, Policy, Tools
from memfold.evals.dataset import Case, Question
from memfold.evals.lines import Lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK_TOKENS: Final = 256
BANK: Final = 64
"""So many chunks the bank holds: with more, the oldest have gone."""
_RECENT: Final = 0.25  # of a budget, for the newest messages beside the chunks
_BATCH: Final = 64


class _Messages(Policy):
    """Whole messages as lines with date and speaker."""

    def __init__(self, case: Case, tools: Tools) -> None:
        self._items = case.items
        self._lines = Lines(case.items, tools.counter)
        self._embedder = tools.embedder

    def _given(self, numbers: Iterable[int], question: Question) -> Given:
        chosen = sorted(set(numbers))
        if not chosen:
            return Given(text="", tokens=0)
        costs = sum(self._lines.costs[number] for number in chosen)
        return Given(text=self._lines.text(chosen), tokens=self._lines.overhead(question) + costs)

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        parts = [
            self._embedder.embed(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)
        ]
        return np.concatenate(parts)

    def _nearest(self, vectors: NDArray[np.float32], question: Question) -> list[int]:
        scores = vectors @ self._embedder.embed([question.text])[0]
        return [int(place) for place in np.argsort(-scores, kind="stable")]


class Full(_Messages):
    """Everything, whatever it costs."""

    bounded: ClassVar[bool] = False

    def context(self, question: Question, budget: int) -> Given:
        """All messages."""
        return self._given(range(len(self._items)), question)


class Window(_Messages):
    """The newest messages that fit."""

    def context(self, question: Question, budget: int) -> Given:
        """As many of the last as fit."""
        return self._given(self._lines.newest(budget - self._lines.overhead(question)), question)


class VectorOnly(_Messages):
    """The messages nearest to the question by embedding alone."""

    def __init__(self, case: Case, tools: Tools) -> None:
        super().__init__(case, tools)
        self._known = self._vectors([f"{i.speaker or i.role}: {i.text}" for i in case.items])

    def context(self, question: Question, budget: int) -> Given:
        """The nearest first, each that still fits."""
        room = budget - self._lines.overhead(question)
        return self._given(
            self._lines.all_that_fit(self._nearest(self._known, question), room), question
        )


class ChunkBank(_Messages):
    """A bank of old chunks, read by chunk: the idea of LongMem (Wang et al. 2023), for text.

    Neighbouring messages make chunks of about ``CHUNK_TOKENS`` tokens. The bank holds the last
    ``BANK`` of them. A context has the newest messages and the chunks nearest to the question.
    """

    def __init__(self, case: Case, tools: Tools) -> None:
        super().__init__(case, tools)
        chunks = list(_chunks(self._lines.costs))[-BANK:]
        self._chunks = chunks
        self._known = self._vectors([self._lines.text(chunk) for chunk in chunks])

    def context(self, question: Question, budget: int) -> Given:
        """The newest messages in a quarter of the budget, then whole chunks, the nearest first."""
        room = budget - self._lines.overhead(question)
        shown = set(self._lines.newest(int(budget * _RECENT)) if room > 0 else ())
        room -= sum(self._lines.costs[number] for number in shown)
        for place in self._nearest(self._known, question):
            more = [number for number in self._chunks[place] if number not in shown]
            cost = sum(self._lines.costs[number] for number in more)
            if cost <= room:
                room -= cost
                shown.update(more)
        return self._given(shown if room >= 0 else (), question)


def _chunks(costs: Sequence[int]) -> Iterable[range]:
    """Neighbours together, up to the size of a chunk; a longer message is one of its own."""
    first = size = 0
    for number, cost in enumerate(costs):
        if size and size + cost > CHUNK_TOKENS:
            yield range(first, number)
            first, size = number, 0
        size += cost
    yield range(first, len(costs))

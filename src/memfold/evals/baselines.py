"""What always stands beside memfold: the whole history, the last messages, plain BM25."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from memfold.evals.bm25 import BM25
from memfold.evals.dataset import Case, Question
from memfold.evals.lines import Lines
from memfold.evals.metrics import Outcome
from memfold.evals.shown import Shown
from memfold.protocols import TokenCounter

FULL: Final = "full"
WINDOW: Final = "window"
BM25_NAME: Final = "bm25"
NAMES: Final = (FULL, WINDOW, BM25_NAME)


class Baselines:
    """Answers questions on one case the simple ways.

    Each shows messages as lines with date and speaker in one message, followed by the question;
    all of that counts toward the budget. ``full`` shows everything or, where it does not fit,
    nothing; ``window`` the last messages that fit; ``bm25`` whole messages, best first, each
    that still fits.
    """

    def __init__(self, case: Case, counter: TokenCounter) -> None:
        self._items = case.items
        self._lines = Lines(self._items, counter)
        self._numbers = {item.id: number for number, item in enumerate(self._items)}
        self._bm25 = BM25([f"{item.speaker or ''} {item.text}" for item in self._items])

    @property
    def tokens(self) -> int:
        """What the whole history costs."""
        return self._lines.tokens

    def outcomes(self, question: Question, budgets: Sequence[int]) -> dict[str, Outcome]:
        """What each baseline makes of a question, by name."""
        overhead = self._lines.overhead(question)
        last_first = range(len(self._items) - 1, -1, -1)
        best_first = self._bm25.ranked(question.text)
        full, window, bm25 = {}, {}, {}
        for budget in budgets:
            room = budget - overhead
            everything = range(len(self._items)) if self.tokens <= room else ()
            full[budget] = self._shown(everything, question)
            window[budget] = self._shown(self._lines.newest(room), question)
            bm25[budget] = self._shown(self._lines.all_that_fit(best_first, room), question)
        return {
            FULL: Outcome(ranked=None, sessions=(), contexts=full),
            WINDOW: self._outcome(last_first, window),
            BM25_NAME: self._outcome(best_first, bm25),
        }

    def packed(self, ids: Sequence[str], question: Question, budget: int) -> tuple[Shown, int]:
        """These items, best first, as many as fit, as ``bm25`` shows them; and their tokens."""
        overhead = self._lines.overhead(question)
        order = (self._numbers[id] for id in ids)
        chosen = list(self._lines.all_that_fit(order, budget - overhead))
        tokens = overhead + sum(self._lines.costs[number] for number in chosen) if chosen else 0
        return self._shown(chosen, question), tokens

    def _outcome(self, order: Sequence[int], contexts: dict[int, Shown]) -> Outcome:
        items = [self._items[number] for number in order]
        return Outcome(
            ranked=[item.id for item in items],
            sessions=list(dict.fromkeys(item.session for item in items)),
            contexts=contexts,
        )

    def _shown(self, numbers: Iterable[int], question: Question) -> Shown:
        return Shown(self._lines.text(numbers), at=question.asked_at)

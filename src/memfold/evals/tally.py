"""What a run counts as it goes on, and the result it ends in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

import memfold
from memfold.evals.baselines import NAMES
from memfold.evals.dataset import Case, Dataset, Question
from memfold.evals.metrics import Figures, averages, by_category
from memfold.evals.profiles import Containment
from memfold.evals.stopwatch import Stopwatch
from memfold.evals.subject import ADD, CONTEXT, SEARCH

Progress = Callable[[int, int], None]
"""Called with the work done and the whole of it, in messages told and questions asked."""

OURS: Final = ""
"""The name that memfold's own figures go by, beside those of the baselines."""

_QUESTION_WEIGHT: Final = 5  # a question takes about as long as so many messages


class Tally:
    """Collects the figures, the tokens and the durations of one run."""

    def __init__(self, cases: Sequence[Case], *, progress: Progress | None) -> None:
        self.watch = Stopwatch()
        self._progress = progress
        self._done = 0
        self._total = sum(len(c.items) + _QUESTION_WEIGHT * len(c.questions) for c in cases)
        self._messages = 0
        self._histories: list[int] = []
        self._tokens: defaultdict[int, list[int]] = defaultdict(list)
        self._questions: list[Question] = []
        self._figures: defaultdict[str, list[Figures]] = defaultdict(list)

    def advance(self, messages: int) -> None:
        """So many messages have been told."""
        self._done += messages
        if self._progress is not None:
            self._progress(self._done, self._total)

    def told(self, case: Case, tokens: int) -> None:
        """A case, whose whole history has so many tokens, is asked about."""
        self._messages += len(case.items)
        self._histories.append(tokens)

    def spent(self, budget: int, tokens: int) -> None:
        """A context for that budget took so many tokens."""
        self._tokens[budget].append(tokens)

    def scored(self, question: Question, figures: Mapping[str, Figures]) -> None:
        """A question has been asked, with these figures by system."""
        self._questions.append(question)
        for name, found in figures.items():
            self._figures[name].append(found)
        self.advance(_QUESTION_WEIGHT)

    def result(
        self, dataset: Dataset, *, strategy: str, containment: Containment, seconds: float
    ) -> dict[str, Any]:
        """The result, in the form of ``schema/bench.schema.json``."""
        return {
            "dataset": dataset.name,
            "files": dict(dataset.files),
            "version": memfold.__version__,
            "strategy": strategy,
            "seconds": round(seconds, 1),
            "tokens": sum(map(sum, self._tokens.values())),
            "questions": len(self._questions),
            "skipped": dict(dataset.skipped),
            **averages(self._figures[OURS]),
            "containment": containment,
            "by_category": by_category(self._questions, self._figures[OURS]),
            "baselines": {name: self._baseline(name) for name in NAMES},
            "latency_ms": self._latency(),
            "details": self._details(dataset),
        }

    def _baseline(self, name: str) -> dict[str, Any]:
        found = self._figures[name]
        return {**averages(found), "by_category": by_category(self._questions, found)}

    def _latency(self) -> dict[str, float]:
        """Milliseconds, of what was done; a strategy without contexts of its own has none."""
        wanted = {ADD: (0.5, 0.95), CONTEXT: (0.5, 0.95), SEARCH: (0.5,)}
        return {
            f"{name}_p{share * 100:.0f}": self.watch.milliseconds(name, share)
            for name, shares in wanted.items()
            if self.watch.has(name)
            for share in shares
        }

    def _details(self, dataset: Dataset) -> dict[str, Any]:
        return {
            "cases": len(self._histories),
            "messages": self._messages,
            "history_tokens": round(fmean(self._histories)),
            "context_tokens": {str(b): round(fmean(used)) for b, used in self._tokens.items()},
            "dropped_evidence_ids": dataset.dropped_evidence,
        }

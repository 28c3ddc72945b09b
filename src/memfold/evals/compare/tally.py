"""What one strategy costs and gives at one budget, as it is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from memfold.evals.compare.policy import Given, Summary
from memfold.evals.compare.reading import Mark
from memfold.evals.folds.figures import Figures as Shortened
from memfold.evals.folds.figures import source
from memfold.evals.metrics import Figures, percentile
from memfold.protocols import Embedder, TokenCounter
from memfold.text.entities import EntityExtractor
from memfold.types import Usage

_DIGITS: Final = 4
_MS: Final = 1000
_EXTRACTOR: Final = ""  # of the figures of summaries: the name of the only one


class Tally:
    """Collects the figures of one strategy at one budget."""

    def __init__(self) -> None:
        self._figures: dict[str, list[float]] = {}
        self._tokens: list[int] = []
        self._context: list[float] = []
        self._ingest: list[float] = []
        self._marks: Counter[Mark] = Counter()
        self._summaries = Shortened()
        self._summarised = 0
        self._usage = Usage()

    def told(self, messages: int, seconds: float, usage: Usage) -> None:
        """A case of so many messages has been told."""
        self._ingest.append(_MS * seconds / messages)
        self._usage += usage

    def asked(self, given: Given, seconds: float, usage: Usage, figures: Figures) -> None:
        """A question has been asked."""
        self._tokens.append(given.tokens)
        self._context.append(_MS * seconds)
        self._usage += usage
        for (metric, _), value in figures.items():
            self._figures.setdefault(metric, []).append(value)

    def marked(self, mark: Mark) -> None:
        """The reader's answer from a context has been judged."""
        self._marks[mark] += 1

    def summarised(self, summary: Summary, extractor: EntityExtractor) -> None:
        """A summary stood for a part of a case."""
        self._summaries.stands([summary.text], source(summary.messages, {_EXTRACTOR: extractor}))
        self._summarised += 1

    def result(self, embedder: Embedder, counter: TokenCounter) -> dict[str, Any]:
        """All figures."""
        found: dict[str, Any] = {
            **{name: _mean(values) for name, values in self._figures.items()},
            "tokens": round(fmean(self._tokens), 1),
            "context_ms": _times(self._context),
            "ingest_ms_per_message": _times(self._ingest),
            "llm_calls": self._usage.calls,
            "llm_failures": self._usage.failures,
            "llm_tokens": self._usage.prompt_tokens + self._usage.completion_tokens,
        }
        if self._marks:
            found["answers"] = self._answers()
        if self._summarised:
            found["summary"] = self._summaries.summary(embedder, counter)
        return found

    def _answers(self) -> Mapping[str, float | int]:
        judged = sum(count for mark, count in self._marks.items() if mark != "failed")
        found: dict[str, float | int] = {
            "judged": judged,
            "unclear": self._marks["unclear"],
            "failed": self._marks["failed"],
        }
        if judged:
            found["accuracy"] = round(self._marks["right"] / judged, _DIGITS)
        return found


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), _DIGITS)


def _times(taken: Sequence[float]) -> dict[str, float]:
    return {
        name: round(percentile(taken, share), 3) for name, share in (("p50", 0.5), ("p95", 0.95))
    }

"""Tells each case to each strategy, asks its questions at each budget, and counts."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import memfold
from memfold.embedders.use import UniversalSentenceEncoder
from memfold.errors import InvalidInput
from memfold.evals.compare.counting import Counting, Models
from memfold.evals.compare.drift import Drift
from memfold.evals.compare.plain import BANK, CHUNK_TOKENS
from memfold.evals.compare.policies import FOLDING, POLICIES
from memfold.evals.compare.policy import Policy, Tools
from memfold.evals.compare.reading import Examiner
from memfold.evals.compare.report import UNBOUNDED
from memfold.evals.compare.tally import Tally
from memfold.evals.dataset import Case, Dataset, Question
from memfold.evals.embedding import RememberingEmbedder
from memfold.evals.lines import Lines
from memfold.evals.machine import machine
from memfold.evals.metrics import Outcome, figures
from memfold.evals.profiles import BUDGETS, profile
from memfold.evals.shown import Shown
from memfold.evals.tally import Progress
from memfold.protocols import Embedder, TokenCounter
from memfold.text.entities import EntityExtractor
from memfold.text.tokens import TiktokenCounter
from memfold.types import Usage

_WITHOUT: Final = 0  # the budget of a strategy that keeps to none

_T = TypeVar("_T")


def compare(
    dataset: Dataset,
    *,
    strategies: Sequence[str] = tuple(POLICIES),
    budgets: Sequence[int] = BUDGETS,
    limit: int | None = None,
    models: Models | None = None,
    embedder: Embedder | None = None,
    counter: TokenCounter | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Compare ways to fit a history into a budget of tokens, on the same questions.

    The result has the form of ``schema/compare.schema.json``. ``strategies`` are names of
    ``POLICIES``, ``budgets`` tokens that include the question; ``limit`` asks only the first so
    many questions. Of the ``models`` one writes summaries, where a strategy has any; another
    answers each question from each context, and a third decides whether that is right. Raises
    InvalidInput when nothing can be asked.
    """
    _check(strategies, budgets)
    dataset = dataset.limited(limit) if limit is not None else dataset
    cases = [case for case in dataset.cases if case.questions]
    if not cases:
        raise InvalidInput(f"{', '.join(dataset.files)}: no question that can be scored")
    began = time.perf_counter()
    counting = (models or Models()).counting()
    with tempfile.TemporaryDirectory(prefix="memfold-compare-") as folder:
        runner = _Runner(
            dataset,
            cases,
            strategies=list(dict.fromkeys(strategies)),
            budgets=sorted(set(budgets)),
            tools=Tools(
                counter=counter or TiktokenCounter(),
                embedder=RememberingEmbedder(embedder or UniversalSentenceEncoder()),
                extractor=EntityExtractor(),
                folder=Path(folder),
                llm=counting.get("llm"),
            ),
            counting=counting,
            progress=progress,
        )
        runner.warm_up()
        for number, case in enumerate(cases):
            runner.case(case, number)
        return {**runner.result(), "seconds": round(time.perf_counter() - began, 1)}


def _check(strategies: Sequence[str], budgets: Sequence[int]) -> None:
    if not strategies or (unknown := [name for name in strategies if name not in POLICIES]):
        named = ", ".join(map(repr, unknown)) if strategies else "none"
        raise InvalidInput(f"strategies are some of {', '.join(POLICIES)}; not {named}")
    if not budgets or min(budgets) < 1:
        raise InvalidInput(f"budgets are one or more positive numbers, not {list(budgets)}")


class _Runner:
    """Runs one case after the other."""

    def __init__(
        self,
        dataset: Dataset,
        cases: Sequence[Case],
        *,
        strategies: Sequence[str],
        budgets: Sequence[int],
        tools: Tools,
        counting: dict[str, Counting],
        progress: Progress | None,
    ) -> None:
        self._dataset = dataset
        self._cases = cases
        self._strategies = strategies
        self._budgets = budgets
        self._tools = tools
        self._counting = counting
        self._profile = profile(dataset.name)
        self._examiner = (
            Examiner(counting["reader"], counting["judge"]) if "reader" in counting else None
        )
        self._drift = Drift(tools)
        self._tallies: dict[str, dict[int, Tally]] = {name: {} for name in strategies}
        self._progress = progress
        self._done = 0
        self._total = len(strategies) * sum(len(case.questions) for case in cases)

    def warm_up(self) -> None:
        """Have everything loaded that is loaded at its first use."""
        with self._tools.embedder.live():
            self._tools.embedder.embed(["warm"])
        self._tools.counter.count("warm")

    def case(self, case: Case, number: int) -> None:
        """Tell it to each strategy, one after the other, and ask."""
        for name in self._strategies:
            folder = self._tools.folder / f"{number}-{name}"
            folder.mkdir()
            self._strategy(name, case, folder)
        if FOLDING.intersection(self._strategies):
            self._drift.add(case)

    def _strategy(self, name: str, case: Case, folder: Path) -> None:
        tools = replace(self._tools, folder=folder)
        texts = {item.id: item.text for item in case.items}
        policy, built, spent = self._measured(lambda: POLICIES[name](case, tools))
        try:
            budgets = self._budgets if policy.bounded else (_WITHOUT,)
            for budget in budgets:
                tally = self._tallies[name].setdefault(budget, Tally())
                _, prepared, more = self._measured(lambda: policy.prepare(budget))  # noqa: B023
                tally.told(len(case.items), built + prepared, spent + more)
            for question in case.questions:
                for budget in budgets:
                    self._ask(policy, question, budget, texts, self._tallies[name][budget])
                self._advance()
            for budget in budgets:
                if (summary := policy.summary(budget)) is not None:
                    self._tallies[name][budget].summarised(summary, tools.extractor)
        finally:
            policy.close()

    def _ask(
        self,
        policy: Policy,
        question: Question,
        budget: int,
        texts: dict[str, str],
        tally: Tally,
    ) -> None:
        given, seconds, usage = self._measured(lambda: policy.context(question, budget))
        shown = Shown(given.text, at=question.asked_at)
        outcome = Outcome(ranked=None, sessions=(), contexts={budget: shown})
        tally.asked(given, seconds, usage, figures(question, outcome, texts, self._profile))
        if self._examiner is not None and question.answer:
            tally.marked(self._examiner.mark(question, given.text))

    def _measured(self, work: Callable[[], _T]) -> tuple[_T, float, Usage]:
        """What work gives, its seconds and what it asked of the model; nothing is remembered."""
        llm = self._counting.get("llm")
        before = llm.usage if llm is not None else Usage()
        began = time.perf_counter()
        with self._tools.embedder.live():
            found = work()
        seconds = time.perf_counter() - began
        return found, seconds, (llm.usage if llm is not None else Usage()) - before

    def _advance(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)

    def result(self) -> dict[str, Any]:
        """The figures of all strategies, and what they were measured on."""
        dataset, tools = self._dataset, self._tools
        histories = [Lines(case.items, tools.counter).tokens for case in self._cases]
        return {
            "dataset": dataset.name,
            "files": dict(dataset.files),
            "version": memfold.__version__,
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine(),
            "cases": len(self._cases),
            "messages": sum(len(case.items) for case in self._cases),
            "questions": sum(len(case.questions) for case in self._cases),
            "history_tokens": round(sum(histories) / len(histories)),
            "containment": self._profile.containment,
            "embedder": tools.embedder.fingerprint,
            "extractor": tools.extractor.fingerprint,
            "chunk_bank": {"chunks": BANK, "tokens": CHUNK_TOKENS},
            "models": {role: model.name for role, model in self._counting.items()},
            "model_usage": {role: _usage(each.usage) for role, each in self._counting.items()},
            "strategies": {
                name: {
                    str(budget or UNBOUNDED): tally.result(tools.embedder, tools.counter)
                    for budget, tally in tallies.items()
                }
                for name, tallies in self._tallies.items()
            },
            "drift": self._drift.summary(),
        }


def _usage(usage: Usage) -> dict[str, float]:
    return {
        "calls": usage.calls,
        "failures": usage.failures,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "seconds": round(usage.seconds, 1),
    }

"""Runs a data set through a real memory, and through the baselines beside it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from memfold.embedders.use import UniversalSentenceEncoder
from memfold.errors import InvalidInput
from memfold.evals.baselines import Baselines
from memfold.evals.dataset import Case, Dataset, Question
from memfold.evals.embedding import RememberingEmbedder
from memfold.evals.metrics import Outcome, figures
from memfold.evals.profiles import BUDGETS, RETRIEVED_DEEP, Containment, Profile, profile
from memfold.evals.shown import Shown
from memfold.evals.subject import STRATEGIES, Strategy, Subject
from memfold.evals.tally import OURS, Progress, Tally
from memfold.protocols import Embedder, TokenCounter
from memfold.text.tokens import TiktokenCounter


def run(
    dataset: Dataset,
    *,
    strategy: Strategy = "memfold",
    budgets: Sequence[int] = BUDGETS,
    limit: int | None = None,
    containment: Containment | None = None,
    embedder: Embedder | None = None,
    counter: TokenCounter | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Tell each case to a fresh memory on a file, ask its questions cold, and score the answers.

    The result has the form of ``schema/bench.schema.json``. ``strategy`` is a search mode:
    "memfold" fills contexts by ``Session.context``, the others with whole messages, best first.
    ``budgets`` are in tokens and include the question; ``limit`` asks only the first so many
    questions. ``containment`` says when evidence counts as shown, by default what suits the data
    set. ``embedder`` defaults to memfold's own. Raises InvalidInput when nothing can be asked.
    """
    _check(strategy, budgets, containment)
    dataset = dataset.limited(limit) if limit is not None else dataset
    cases = [case for case in dataset.cases if case.questions]
    if not cases:
        raise InvalidInput(f"{', '.join(dataset.files)}: no question that can be scored")
    began = time.perf_counter()
    runner = _Runner(
        strategy=strategy,
        budgets=sorted(set(budgets)),
        profile=profile(dataset.name, containment),
        embedder=embedder or UniversalSentenceEncoder(),
        counter=counter or TiktokenCounter(),
        tally=Tally(cases, progress=progress),
    )
    for case in cases:
        runner.case(case)
    return runner.result(dataset, seconds=time.perf_counter() - began)


def _check(strategy: str, budgets: Sequence[int], containment: str | None) -> None:
    if strategy not in STRATEGIES:
        raise InvalidInput(f"no strategy {strategy!r}: {', '.join(STRATEGIES)}")
    if not budgets or min(budgets) < 1:
        raise InvalidInput(f"budgets are one or more positive numbers, not {list(budgets)}")
    if containment is not None and containment not in get_args(Containment):
        raise InvalidInput(f"no rule {containment!r}: {', '.join(get_args(Containment))}")


class _Runner:
    """Runs one case after the other."""

    def __init__(
        self,
        *,
        strategy: Strategy,
        budgets: Sequence[int],
        profile: Profile,
        embedder: Embedder,
        counter: TokenCounter,
        tally: Tally,
    ) -> None:
        self.strategy = strategy
        self.budgets = budgets
        self.profile = profile
        self.embedder = None if strategy == "lexical" else RememberingEmbedder(embedder)
        self.counter = counter
        self.tally = tally

    def result(self, dataset: Dataset, *, seconds: float) -> dict[str, Any]:
        """What came of all cases, with an account of the embeddings."""
        found = self.tally.result(
            dataset,
            strategy=self.strategy,
            containment=self.profile.containment,
            seconds=seconds,
        )
        made = self.embedder
        found["details"].update(
            embedder=made.fingerprint if made else "",
            embedded=made.asked - made.remembered if made else 0,
            cached_embeddings=made.remembered if made else 0,
        )
        return found

    def case(self, case: Case) -> None:
        """Tell it, and ask all its questions."""
        baselines = Baselines(case, self.counter)
        texts = {item.id: item.text for item in case.items}
        self.tally.told(case, baselines.tokens)
        with (
            tempfile.TemporaryDirectory(prefix="memfold-bench-") as folder,
            Subject(
                case,
                Path(folder) / "bench.db",
                embedder=self.embedder,
                counter=self.counter,
                watch=self.tally.watch,
                on_messages=self.tally.advance,
            ) as subject,
        ):
            for question in case.questions:
                outcomes = {
                    OURS: self._ask(subject, question, baselines),
                    **baselines.outcomes(question, self.budgets),
                }
                self.tally.scored(
                    question,
                    {
                        name: figures(question, outcome, texts, self.profile)
                        for name, outcome in outcomes.items()
                    },
                )

    def _ask(self, subject: Subject, question: Question, baselines: Baselines) -> Outcome:
        plain = self.strategy != "memfold"
        depth = max(self.profile.depth, RETRIEVED_DEEP) if plain else self.profile.depth
        items = subject.ranked(question, depth, self.strategy)
        ranked = [item.id for item in items]
        contexts: dict[int, Shown] = {}
        for budget in self.budgets:
            if plain:
                shown, tokens = baselines.packed(ranked, question, budget)
            else:
                shown, tokens = subject.context(question, budget)
            contexts[budget] = shown
            self.tally.spent(budget, tokens)
        return Outcome(
            ranked=ranked,
            sessions=list(dict.fromkeys(item.session for item in items)),
            contexts=contexts,
        )

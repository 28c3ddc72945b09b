"""Strategies that are a real memory on a file: memfold, and the score of Generative Agents."""

from __future__ import annotations

from contextlib import ExitStack

from memfold.evals.compare.policy import Given, Policy, Tools
from memfold.evals.dataset import Case, Question
from memfold.evals.lines import Lines
from memfold.evals.profiles import RETRIEVED_DEEP
from memfold.evals.stopwatch import Stopwatch
from memfold.evals.subject import Subject
from memfold.protocols import LLM


class _Remembering(Policy):
    """A memory that has been told the case."""

    def __init__(self, case: Case, tools: Tools, *, name: str, llm: LLM | None) -> None:
        with ExitStack() as opened:
            self._subject = opened.enter_context(
                Subject(
                    case,
                    tools.folder / f"{name}.db",
                    embedder=tools.embedder,
                    counter=tools.counter,
                    watch=Stopwatch(),
                    on_messages=lambda count: None,
                    llm=llm,
                )
            )
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close the memory."""
        self._opened.close()


class Memfold(_Remembering):
    """Folds, the newest messages and recall together; folds by the model where there is one."""

    def __init__(self, case: Case, tools: Tools) -> None:
        super().__init__(case, tools, name="memfold", llm=tools.llm)

    def context(self, question: Question, budget: int) -> Given:
        """What ``Session.context`` shows."""
        shown, tokens = self._subject.context(question, budget)
        return Given(text=shown.text, tokens=tokens)


class GenerativeAgents(_Remembering):
    """Messages by the score of Generative Agents: recency, importance and relevance."""

    def __init__(self, case: Case, tools: Tools) -> None:
        super().__init__(case, tools, name="generative-agents", llm=None)
        self._lines = Lines(case.items, tools.counter)
        self._numbers = {item.id: number for number, item in enumerate(case.items)}

    def context(self, question: Question, budget: int) -> Given:
        """Whole messages, best first, each that still fits."""
        overhead = self._lines.overhead(question)
        found = self._subject.ranked(question, RETRIEVED_DEEP, "generative-agents")
        order = [self._numbers[item.id] for item in found]
        chosen = list(self._lines.all_that_fit(order, budget - overhead))
        tokens = overhead + sum(self._lines.costs[number] for number in chosen) if chosen else 0
        return Given(text=self._lines.text(chosen), tokens=tokens)

"""One running summary, folded again and again: LangChain's idea of a summary with a buffer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memfold.errors import LLMError
from memfold.evals.compare.policy import Given, Policy, Summary, Tools
from memfold.evals.dataset import Case, Question
from memfold.evals.folds.talks import as_one
from memfold.evals.lines import Lines
from memfold.fold.build import fold_messages, fold_running
from memfold.fold.config import FoldConfig
from memfold.fold.plan import Shape, segments
from memfold.fold.prompting import prompt
from memfold.text.chat import answers, opens
from memfold.text.scripts import language
from memfold.text.truncation import truncate
from memfold.types import Fold, Message

SEGMENT: Final = 10
"""Messages that go into the summary at a time."""
_SHARE: Final = 0.5  # of a budget, for the summary
_LEAST: Final = 20  # tokens; nothing can be said in fewer
_WORDS_A_TOKEN: Final = 0.75


class Running:
    """One summary of at most so many tokens: each segment is folded into what it said before.

    By the model where there is one, asked as memfold asks for its running summary; where it gives
    nothing, and without one, by choosing sentences.
    """

    def __init__(self, tools: Tools, limit: int) -> None:
        self._tools = tools
        self._limit = max(limit, _LEAST)
        self._config = FoldConfig(running_tokens=self._limit, segment_tokens=self._limit)
        self._fold: Fold | None = None
        self._segments = 0
        self.text = ""

    def add(self, messages: Sequence[Message]) -> None:
        """Fold a segment into the summary."""
        counter, extractor = self._tools.counter, self._tools.extractor
        new = fold_messages(
            messages,
            id=f"s{self._segments}",
            index=self._segments,
            config=self._config,
            counter=counter,
            extractor=extractor,
        )
        self._segments += 1
        if self._fold is None:
            self._fold = new
        else:
            self._fold = fold_running(
                [self._fold, new],
                id=f"r{self._segments}",
                config=self._config,
                counter=counter,
                extractor=extractor,
            )
        self.text = self._written(messages) or self._fold.text

    def _written(self, messages: Sequence[Message]) -> str:
        """The summary by the model, '' where it gives none."""
        llm = self._tools.llm
        if llm is None:
            return ""
        source = "\n".join([self.text, *(f"{m.name or m.role}: {m.text}" for m in messages)])
        asked = prompt("running", language(source)).filled(
            tokens=self._limit,
            words=int(self._limit * _WORDS_A_TOKEN),
            details="",
            source=source.strip(),
        )
        try:
            found = llm.complete(asked, max_tokens=2 * self._limit)
        except LLMError:
            return ""
        return truncate(found.text.strip(), self._limit, self._tools.counter)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Buffered:
    """What stands ready for one budget: the summary, and how many messages it tells of."""

    text: str
    told: int


class RecursiveSummary(Policy):
    """A running summary in half of the budget, the newest messages in the rest.

    What no longer fits among the newest is folded into the summary, ten messages at a time.
    """

    def __init__(self, case: Case, tools: Tools) -> None:
        self._tools = tools
        self._lines = Lines(case.items, tools.counter)
        self._messages = as_one(case, tools.counter)
        self._ready: dict[int, _Buffered] = {}

    def prepare(self, budget: int) -> None:
        """Fold everything older than the newest messages that fit."""
        limit = int(budget * _SHARE)
        fitting = len(list(self._lines.newest(budget - limit)))
        running, told = Running(self._tools, limit), 0
        for segment in cut(self._messages):
            if told >= len(self._messages) - fitting:
                break
            running.add(segment)
            told += len(segment)
        self._ready[budget] = _Buffered(text=running.text, told=told)

    def context(self, question: Question, budget: int) -> Given:
        """The summary, then as many of the newest messages as fit."""
        ready = self._ready[budget]
        overhead = self._lines.overhead(question) + self._tools.counter.count(f"{ready.text}\n\n")
        if overhead > budget:
            return Given(text="", tokens=0)
        newest = list(self._lines.newest(budget - overhead))
        return Given(
            text=f"{ready.text}\n\n{self._lines.text(newest)}",
            tokens=overhead + sum(self._lines.costs[number] for number in newest),
        )

    def summary(self, budget: int) -> Summary | None:
        """The running summary; None where all messages fit without."""
        ready = self._ready[budget]
        if not ready.told:
            return None
        return Summary(text=ready.text, messages=self._messages[: ready.told])


def cut(messages: Sequence[Message]) -> Iterator[Sequence[Message]]:
    """Segments of ten messages, the last of what is left; a tool's call and output together."""
    shapes = [Shape(opens=opens(m.raw), answers=answers(m.raw)) for m in messages]
    end = 0
    for first, last in segments(shapes, FoldConfig(segment_messages=SEGMENT)):
        yield messages[first : last + 1]
        end = last + 1
    if end < len(messages):
        yield messages[end:]

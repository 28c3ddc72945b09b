"""What the demo computes: a sample conversation told to a memory and asked about, live."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from importlib import resources
from pathlib import Path
from typing import Any, Final, Self

from memfold import Context, Fold, Memory, Message, Session, User
from memfold.evals.readers.messages import ASKED_AFTER
from memfold.evals.shown import Shown
from memfold.protocols import Embedder
from memfold.text.chat import is_tool_output, readable

LANGUAGES: Final = ("en", "zh")
WINDOW: Final = 10
"""Messages that the window of the demo remembers: five rounds."""

_KINDS: Final = ("update", "time", "multi")
CROSS_K: Final = 10
"""Hits among which a fact told in the other language is looked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A sample conversation as it ships, with its questions."""

    language: str
    title: str
    messages: Sequence[Mapping[str, Any]] = field(repr=False)
    questions: Sequence[Mapping[str, Any]] = field(repr=False)

    @property
    def asked_at(self) -> datetime:
        """When its questions are asked."""
        return datetime.fromisoformat(self.messages[-1]["time"]) + ASKED_AFTER

    @property
    def zone(self) -> tzinfo:
        """Where it was held: what "yesterday" means there."""
        return datetime.fromisoformat(self.messages[0]["time"]).tzinfo or UTC

    def chat(self) -> list[dict[str, Any]]:
        """Its messages without what is the sample's own."""
        ours = ("id", "time")
        return [{k: v for k, v in message.items() if k not in ours} for message in self.messages]


def sample(language: str) -> Sample:
    """The sample conversation in a language, from the package's data."""
    file = resources.files("memfold").joinpath("data", f"demo_{language}.json")
    data = json.loads(file.read_text("utf-8"))
    return Sample(
        language=language,
        title=data["title"],
        messages=data["messages"],
        questions=data["questions"],
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """One message that answers a question, and whether the context shows it."""

    id: str
    role: str
    at: datetime
    text: str
    shown: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question, its evidence, and the context that was made for it."""

    question: str
    answer: str
    kind: str
    evidence: tuple[Evidence, ...]
    context: Context = field(repr=False)
    milliseconds: float

    @property
    def found(self) -> bool:
        """Whether all of the evidence is in the context."""
        return all(each.shown for each in self.evidence)


class Story:
    """One sample told to its own user of a memory file. A context manager."""

    def __init__(self, path: Path, sample: Sample, *, embedder: Embedder) -> None:
        self.sample = sample
        self._memory = Memory(path, embedder=embedder, zone=sample.zone)
        self.user: User = self._memory.user(f"demo-{sample.language}")
        self.session: Session = self.user.session("demo")
        self._tell()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._memory.close()

    def _tell(self) -> None:
        sample = self.sample
        began = time.perf_counter()
        receipt = self.session.extend(
            sample.chat(),
            at=[message["time"] for message in sample.messages],
            keys=[message["id"] for message in sample.messages],
        )
        self.stored_seconds = time.perf_counter() - began
        self._memory.flush()
        self.derived_seconds = time.perf_counter() - began - self.stored_seconds
        self._ids = {
            message["id"]: id for message, id in zip(sample.messages, receipt.ids, strict=True)
        }
        self.messages: list[Message] = self.session.messages()
        self._by_id = {message.id: message for message in self.messages}

    @property
    def tokens(self) -> int:
        """Tokens of the whole history."""
        return sum(message.tokens for message in self.messages)

    @property
    def days(self) -> int:
        """Days from the first message to the last, both included."""
        return (self.messages[-1].at.date() - self.messages[0].at.date() + timedelta(days=1)).days

    @property
    def tools(self) -> int:
        """How many messages are tool output."""
        return sum(is_tool_output(message.raw) for message in self.messages)

    @property
    def window(self) -> list[Message]:
        """The last messages: what a sliding window would still have."""
        return self.messages[-WINDOW:]

    def outline(self) -> list[Fold]:
        """The folds that no other fold stands for, oldest first."""
        folds = self.session.folds()
        children = {child for fold in folds for child in fold.children}
        return sorted(
            (fold for fold in folds if fold.id not in children), key=lambda fold: fold.first
        )

    def tokens_of(self, folds: Iterable[Fold]) -> int:
        """Tokens of the messages that folds stand for."""
        return sum(
            message.tokens
            for fold in folds
            for message in self.messages[fold.first : fold.last + 1]
        )

    def evidence(self, question: Mapping[str, Any]) -> list[Message]:
        """The messages that answer a question."""
        return [self._by_id[self._ids[id]] for id in question["evidence"]]

    def ask(self, question: Mapping[str, Any], budget: int) -> Asked:
        """Make the context for a question, as a day after the last message."""
        began = time.perf_counter()
        context = self.session.context(
            question["question"], max_tokens=budget, now=self.sample.asked_at
        )
        seconds = time.perf_counter() - began
        text = "\n\n".join(readable(message) for message in context.messages[:-1])
        shown = Shown(text, at=self.sample.asked_at)
        return Asked(
            question=question["question"],
            answer=question["answer"],
            kind=question["kind"],
            evidence=tuple(
                Evidence(
                    id=message.id,
                    role=message.role,
                    at=message.at,
                    text=message.text,
                    shown=shown.holds(message.text, question["answer"], rule="excerpt"),
                )
                for message in self.evidence(question)
            ),
            context=context,
            milliseconds=seconds * 1000,
        )

    def others(self) -> Iterator[Mapping[str, Any]]:
        """The first question of each of a few other kinds."""
        for kind in _KINDS:
            yield next(each for each in self.sample.questions if each["kind"] == kind)


@dataclass(frozen=True, kw_only=True, slots=True)
class Crossed:
    """A question in one language put to the memory of the other; ``rank`` 0 when not found."""

    question: str
    fact: str
    rank: int
    messages: int


def cross(asking: Story, remembering: Story) -> Crossed:
    """Put the first question of one sample to the memory of the other, which is told the same."""
    question = asking.sample.questions[0]["question"]
    fact = remembering.evidence(remembering.sample.questions[0])[0]
    hits = remembering.user.search(question, CROSS_K, now=remembering.sample.asked_at)
    ranks = [rank for rank, hit in enumerate(hits, start=1) if hit.message.id == fact.id]
    return Crossed(
        question=question,
        fact=fact.text,
        rank=ranks[0] if ranks else 0,
        messages=len(remembering.messages),
    )

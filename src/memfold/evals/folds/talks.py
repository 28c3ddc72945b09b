"""Conversations as folds take them: one run of messages each, and what is asked about it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import resources
from typing import Any, Final

from memfold.errors import InvalidInput
from memfold.evals.dataset import Case, Dataset, History, Item, Question
from memfold.evals.readers import load
from memfold.evals.readers.messages import ASKED_AFTER
from memfold.evals.shown import Shown
from memfold.protocols import TokenCounter
from memfold.text.chat import is_tool_output, opens, readable
from memfold.text.tokens import count_message
from memfold.types import Message

DEMO: Final = "demo"
NAMES: Final = ("locomo", "memdaily", DEMO)

# The categories whose answers are words of the evidence itself; all of those not named here.
_ANSWERED: Final[Mapping[str, frozenset[str]]] = {
    "locomo": frozenset({"4 single-hop"}),
    "memdaily": frozenset({"01_simple", "03_comparative"}),
}
_SAMPLES: Final = ("demo_en.json", "demo_zh.json")


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question: its answer, '' where none is scored, and the positions of its evidence."""

    answer: str
    evidence: tuple[int, ...]
    at: datetime

    def answered(self, text: str) -> bool:
        """Tell whether the answer, or all its terms without stop words, stand in a text."""
        return Shown(text, at=self.at).answers(self.answer, dated=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """All sessions of a history as one."""

    id: str
    messages: Sequence[Message]
    asked: Sequence[Asked]


def read(name: str, path: str | os.PathLike[str] | None = None) -> Dataset:
    """Read a data set of ``NAMES``; ``demo`` needs no path, being shipped.

    Raises InvalidInput where the file is not what it should be, or has no such name.
    """
    if name == DEMO and path is None:
        return samples()
    if name not in NAMES or path is None:
        raise InvalidInput(f"no conversations {name!r} without a file: {', '.join(NAMES)}")
    return load(name, path)


def talks(dataset: Dataset, counter: TokenCounter) -> list[Talk]:
    """The conversations of a data set.

    An answer is kept only for a question of a category whose answers are words of the evidence,
    and only where this one's are: all its terms, without stop words and as stems, stand in the
    messages of its evidence.
    """
    categories = _ANSWERED.get(dataset.name)
    return [_talk(case, categories, counter) for case in dataset.cases]


def as_one(case: Case, counter: TokenCounter) -> list[Message]:
    """The messages of all sessions of a case, as those of one."""
    return [_message(item, position, counter) for position, item in enumerate(case.items)]


def said(messages: Sequence[Message]) -> list[Message]:
    """What people and the assistant said in messages; tool calls and output can be had again."""
    found = []
    for message in messages:
        if opens(message.raw):
            content = message.raw.get("content")
            message = replace(message, text=content if isinstance(content, str) else "")
        if message.text.strip() and not is_tool_output(message.raw):
            found.append(message)
    return found


def _talk(case: Case, categories: frozenset[str] | None, counter: TokenCounter) -> Talk:
    items = case.items
    place = {item.id: position for position, item in enumerate(items)}
    asked = []
    for question in case.questions:
        found = Asked(
            answer=question.answer if categories is None or question.category in categories else "",
            evidence=tuple(place[id] for id in question.evidence),
            at=question.asked_at,
        )
        said = "\n".join(items[position].text for position in found.evidence)
        if found.answer and not found.answered(said):
            found = replace(found, answer="")
        asked.append(found)
    return Talk(id=case.id, messages=as_one(case, counter), asked=asked)


def _message(item: Item, position: int, counter: TokenCounter) -> Message:
    return Message(
        id=f"m{position}",
        session="s",
        position=position,
        role=item.role,
        text=item.text,
        at=item.at,
        tokens=count_message(counter, item.message),
        raw=item.message,
        name=item.speaker,
    )


def samples() -> Dataset:
    """The sample conversations that come with memfold, and what is asked about them."""
    files: dict[str, str] = {}
    cases = []
    for name in _SAMPLES:
        data = resources.files("memfold").joinpath("data", name).read_bytes()
        files[name] = hashlib.sha256(data).hexdigest()
        cases.append(_sample(json.loads(data)))
    return Dataset(name=DEMO, files=files, cases=tuple(cases))


def _sample(story: Mapping[str, Any]) -> Case:
    id = story["language"]
    items = tuple(_said(message, id) for message in story["messages"])
    questions = tuple(
        Question(
            id=each["id"],
            text=each["question"],
            category=each["kind"],
            evidence=tuple(each["evidence"]),
            asked_at=items[-1].at + ASKED_AFTER,
            answer=each["answer"],
        )
        for each in story["questions"]
        if each["evidence"]
    )
    return Case(id=id, sessions=(History(id=id, items=items),), questions=questions)


def _said(message: Mapping[str, Any], session: str) -> Item:
    raw = {name: value for name, value in message.items() if name not in ("id", "time")}
    return Item(
        id=message["id"],
        session=session,
        role=message["role"],
        text=readable(raw),
        at=datetime.fromisoformat(message["time"]).astimezone(UTC),
        message=raw,
    )

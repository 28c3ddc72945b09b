"""Facts told in one language and asked for in the other: fifty pairs of memfold's own.

The facts are told in one user's history, between the messages of the two sample conversations.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from importlib import resources
from typing import Any

from memfold.evals.dataset import Case, Dataset, History, Item, Question
from memfold.evals.readers.messages import ASKED_AFTER

NAME = "crosslingual"

_PAIRS = "crosslingual.json"
_AROUND: Mapping[str, str] = {"en": "demo_en.json", "zh": "demo_zh.json"}


def pairs() -> Dataset:
    """The data set of these pairs, by the language of the question."""
    files: dict[str, str] = {}
    told: list[dict[str, Any]] = _open(_PAIRS, files)["pairs"]
    sessions = tuple(
        _session(language, _open(name, files)["messages"], told)
        for language, name in _AROUND.items()
    )
    last = max(item.at for session in sessions for item in session.items)
    questions = tuple(
        Question(
            id=pair["id"],
            text=pair["question"],
            category=f"{pair['fact_language']} → {pair['question_language']}",
            evidence=(pair["id"],),
            asked_at=last + ASKED_AFTER,
            answer=pair["answer"],
        )
        for pair in told
    )
    case = Case(id=NAME, sessions=sessions, questions=questions)
    return Dataset(name=NAME, files=files, cases=(case,))


def _open(name: str, files: dict[str, str]) -> dict[str, Any]:
    data = resources.files("memfold").joinpath("data", name).read_bytes()
    files[name] = hashlib.sha256(data).hexdigest()
    parsed: dict[str, Any] = json.loads(data)
    return parsed


def _session(
    language: str, messages: Iterable[dict[str, Any]], told: Iterable[dict[str, Any]]
) -> History:
    """A sample conversation with the facts of its language spread evenly over it."""
    between = [_message(message, language) for message in messages]
    facts = [pair for pair in told if pair["fact_language"] == language]
    # Before what a person says: there no tool call is waiting for its result.
    places = [number for number, item in enumerate(between) if item.role == "user"]
    before = {
        places[order * len(places) // len(facts)]: pair for order, pair in enumerate(facts)
    }  # fmt: skip
    return History(id=language, items=tuple(_mixed(between, before)))


def _mixed(between: list[Item], before: Mapping[int, dict[str, Any]]) -> Iterator[Item]:
    for number, item in enumerate(between):
        if number in before:
            yield _fact(before[number], item.session, item.at)
        yield item


def _fact(pair: dict[str, Any], session: str, at: datetime) -> Item:
    return Item(
        id=pair["id"],
        session=session,
        role="user",
        text=pair["fact"],
        at=at,
        message={"role": "user", "content": pair["fact"]},
    )


def _message(message: dict[str, Any], session: str) -> Item:
    chat = {name: value for name, value in message.items() if name not in ("id", "time")}
    return Item(
        id=message["id"],
        session=session,
        role=message["role"],
        text=message["content"] or "",
        at=datetime.fromisoformat(message["time"]),
        message=chat,
    )

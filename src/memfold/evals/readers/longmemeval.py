"""LongMemEval (Wu et al., ICLR 2025): a question over some fifty chats with an assistant each."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from memfold.evals.dataset import Case, Dataset, History, Question
from memfold.evals.readers.messages import (
    NO_EVIDENCE,
    chat_item,
    optional_text,
    turn_times,
    unique,
)
from memfold.evals.readers.node import Node, read_json

NAME = "longmemeval"
ABSTENTION = "_abs"
"""Ends the ids of questions that the history does not answer."""

_DATE = re.compile(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?:\D+?(\d{1,2}):(\d{2}))?")


def recognises(root: Node) -> bool:
    """Tell whether a parsed file looks like LongMemEval's."""
    first = root.value[0] if isinstance(root.value, list) and root.value else root.value
    return isinstance(first, dict) and "haystack_sessions" in first


def read(path: Path) -> Dataset:
    """Read a LongMemEval file; InvalidInput, naming the place, where it is none.

    Sessions are put in the order of their dates, as the oracle file needs it.
    """
    root, digest = read_json(path)
    entries = root.elements() if isinstance(root.value, list) else [root]
    if not entries:
        raise root.wrong("no question in it")
    skipped: Counter[str] = Counter()
    cases = tuple(_case(entry, skipped) for entry in entries)
    return Dataset(name=NAME, files={path.name: digest}, cases=cases, skipped=dict(skipped))


def _case(entry: Node, skipped: Counter[str]) -> Case:
    id = entry.need("question_id").scalar()
    category = entry.need("question_type").text()
    sessions, evidence = _sessions(entry)
    questions: tuple[Question, ...] = ()
    if id.endswith(ABSTENTION):
        skipped["abstention (_abs)"] += 1
    elif not evidence:
        skipped[NO_EVIDENCE] += 1
    else:
        answers = entry.get("answer_session_ids")
        question = Question(
            id=id,
            text=entry.need("question").text(),
            category=category,
            evidence=evidence,
            asked_at=_time(entry.need("question_date")),
            answer=optional_text(entry, "answer"),
            answer_sessions=unique([leaf.scalar() for leaf in answers.leaves()] if answers else ()),
        )
        questions = (question,)
    return Case(id=id, sessions=sessions, questions=questions)


def _sessions(entry: Node) -> tuple[tuple[History, ...], tuple[str, ...]]:
    """The haystack by date, and the ids of the messages that hold the answer."""
    haystack = entry.need("haystack_sessions").elements()
    if not any(session.value for session in haystack):
        raise entry.wrong("a history without messages")
    dates = _beside(entry, "haystack_dates", len(haystack))
    ids = _ids(entry, len(haystack))
    order = sorted(range(len(haystack)), key=lambda number: _time(dates[number]))
    sessions = []
    evidence: list[str] = []
    for number in order:
        id, turns = ids[number], haystack[number].elements()
        times = turn_times(_time(dates[number]), len(turns))
        items = tuple(
            chat_item(turn, id=f"{id}:{place}", session=id, at=at)
            for place, (turn, at) in enumerate(zip(turns, times, strict=True))
        )
        sessions.append(History(id=id, items=items))
        evidence += [
            item.id
            for item, turn in zip(items, turns, strict=True)
            if turn.object().get("has_answer")
        ]
    return tuple(sessions), tuple(evidence)


def _beside(entry: Node, name: str, count: int) -> list[Node]:
    """A list that has one element for each session."""
    node = entry.need(name)
    found = node.elements()
    if len(found) != count:
        raise node.wrong(f"{len(found)} elements for {count} sessions")
    return found


def _ids(entry: Node, count: int) -> list[str]:
    """The sessions' ids; some histories hold the same session twice, which gets another name."""
    if entry.get("haystack_session_ids") is None:
        return [f"session-{number + 1}" for number in range(count)]
    seen: Counter[str] = Counter()
    ids = []
    for node in _beside(entry, "haystack_session_ids", count):
        id = node.scalar()
        seen[id] += 1
        ids.append(id if seen[id] == 1 else f"{id}#{seen[id]}")
    return ids


def _time(node: Node) -> datetime:
    """A time as LongMemEval writes it: "2023/05/30 (Tue) 21:35"."""
    match = _DATE.search(node.text())
    if not match:
        raise node.wrong(f"not a time like '2023/05/30 (Tue) 21:35': {node.value!r}")
    year, month, day, hour, minute = (int(group or 0) for group in match.groups())
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError as error:
        raise node.wrong(f"{error}: {node.value!r}") from error

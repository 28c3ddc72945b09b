"""BEAM (Tavakoli et al., 2025): chats of 100k tokens and more, each with questions of ten kinds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memfold.errors import InvalidInput
from memfold.evals.dataset import Case, Dataset, History, Item, Question
from memfold.evals.readers.messages import (
    ASKED_AFTER,
    NO_EVIDENCE,
    chat_item,
    month_number,
    optional_text,
    turn_times,
    unique,
)
from memfold.evals.readers.node import Node, read_json

NAME = "beam"

_CHATS = ("chat.json", "chat.json.xz")
# Beside the chat in our cut of the data, one folder down in the published repository.
_QUESTIONS = (
    "probing_questions.json",
    "probing_questions.json.xz",
    "probing_questions/probing_questions.json",
)
_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary")
_NAMED = re.compile(r"([A-Za-z]{3,9})[- ](\d{1,2})(?:,\s*|-)(\d{4})")
_NUMBERED = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
# For a chat without a single date: when does not matter then, only that there is an order.
_UNDATED = datetime(2024, 1, 1, 9, tzinfo=UTC)


def read(path: Path) -> Dataset:
    """Read a folder of chats, or one chat's folder; InvalidInput where it is none."""
    if not path.is_dir():
        raise InvalidInput(f"{path}: not a folder of BEAM chats")
    folders = sorted({file.parent for name in _CHATS for file in path.rglob(name)}, key=_natural)
    if not folders:
        raise InvalidInput(f"{path}: no {_CHATS[0]} in it or below it")
    files: dict[str, str] = {}
    skipped: Counter[str] = Counter()
    cases = []
    dropped = 0
    for folder in folders:
        case, lost = _case(path, folder, files, skipped)
        cases.append(case)
        dropped += lost
    return Dataset(
        name=NAME, files=files, cases=tuple(cases), skipped=dict(skipped), dropped_evidence=dropped
    )


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sorts 9 before 11."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in path.parts]


def _case(
    root: Path, folder: Path, files: dict[str, str], skipped: Counter[str]
) -> tuple[Case, int]:
    chat = _open(root, folder, _CHATS, files)
    probing = _open(root, folder, _QUESTIONS, files)
    sessions = _sessions(chat)
    items = [item for session in sessions for item in session.items]
    if not items:
        raise chat.wrong("a chat without messages")
    name = folder.name if folder != root else root.resolve().name
    known = {item.id for item in items}
    asked_at = max(item.at for item in items) + ASKED_AFTER
    questions = []
    dropped = 0
    for category in probing.object():
        for number, node in enumerate(probing.need(category).elements()):
            evidence, lost = _evidence(node, known)
            dropped += lost
            if not evidence:
                skipped[NO_EVIDENCE] += 1
                continue
            question = Question(
                id=f"{name}:{category}:{number}",
                text=node.need("question").text(),
                category=category,
                evidence=evidence,
                asked_at=asked_at,
                answer=next(filter(None, (optional_text(node, field) for field in _ANSWERS)), ""),
            )
            questions.append(question)
    return Case(id=name, sessions=sessions, questions=tuple(questions)), dropped


def _open(root: Path, folder: Path, names: tuple[str, ...], files: dict[str, str]) -> Node:
    for name in names:
        if (path := folder / name).is_file():
            shown = path.relative_to(root).as_posix()
            node, files[shown] = read_json(path, shown)
            return node
    raise InvalidInput(f"{folder}: no {names[0]} in it")


def _evidence(question: Node, known: set[str]) -> tuple[tuple[str, ...], int]:
    """The messages a question names, in a list, in lists by role, or not at all."""
    node = question.get("source_chat_ids")
    named = unique([leaf.scalar() for leaf in node.leaves()] if node else ())
    found = tuple(id for id in named if id in known)
    return found, len(named) - len(found)


def _sessions(chat: Node) -> tuple[History, ...]:
    """One session a batch."""
    found: list[History] = []
    began = _UNDATED
    seen: set[str] = set()
    for number, batch in enumerate(chat.elements(), start=1):
        messages = list(_messages(batch))
        began = _began(batch, messages) or (began + timedelta(days=1) if found else began)
        times = turn_times(began, len(messages))
        items = tuple(
            _item(message, f"batch-{number}", at, seen)
            for message, at in zip(messages, times, strict=True)
        )
        found.append(History(id=f"batch-{number}", items=items))
    return tuple(found)


def _item(message: Node, session: str, at: datetime, seen: set[str]) -> Item:
    id = message.need("id").scalar()
    if id in seen:
        raise message.wrong(f"a second message with the id {id}")
    seen.add(id)
    return chat_item(message, id=id, session=session, at=at)


def _messages(node: Node) -> Iterator[Node]:
    """The messages of a batch: in its ``turns``, which are lists of them."""
    if isinstance(node.value, list):
        for element in node.elements():
            yield from _messages(element)
    elif "turns" in node.object():
        yield from _messages(node.need("turns"))
    elif "content" in node.object():
        yield node
    else:
        raise node.wrong("neither a batch with 'turns' nor a message with 'content'")


def _began(batch: Node, messages: list[Node]) -> datetime | None:
    """The date the batch or the first of its messages that has one is anchored at."""
    nodes = [batch, *messages] if isinstance(batch.value, dict) else messages
    anchors = (_anchor(optional_text(node, "time_anchor")) for node in nodes)
    return next(filter(None, anchors), None)


def _anchor(text: str) -> datetime | None:
    """A date like "March-15-2024"; None where the text is no date, which costs only the date."""
    if named := _NAMED.fullmatch(text):
        year, month, day = int(named[3]), month_number(named[1]), int(named[2])
    elif numbered := _NUMBERED.fullmatch(text):
        year, month, day = (int(group) for group in numbered.groups())
    else:
        return None
    try:
        return datetime(year, month, day, _UNDATED.hour, tzinfo=UTC)
    except ValueError:
        return None

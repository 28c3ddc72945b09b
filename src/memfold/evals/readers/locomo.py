"""LoCoMo (Maharana et al., ACL 2024): long chats between two people, in English."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from memfold.evals.dataset import Case, Dataset, History, Item, Question
from memfold.evals.readers.messages import (
    ASKED_AFTER,
    NO_EVIDENCE,
    month_number,
    optional_text,
    turn_times,
    unique,
)
from memfold.evals.readers.node import Node, read_json

NAME = "locomo"
CATEGORIES = {
    "1": "1 multi-hop",
    "2": "2 temporal",
    "3": "3 open-domain",
    "4": "4 single-hop",
    "5": "5 adversarial",
}
ADVERSARIAL = "5"
"""The category whose questions have no answer in the conversation."""

_SESSION = re.compile(r"session_(\d{1,6})")
# "D8:6; D9:17" names two turns, "D:11:26" and "D30:05" one each.
_TURN = re.compile(r"D\s*:?\s*(\d{1,6})\s*:\s*(\d{1,6})", re.IGNORECASE)
_DATE = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})\s*(?P<half>[ap])\.?m\.?\s*(?:on\s+)?"
    r"(?P<day>\d{1,2})\s+(?P<month>[a-z]+)\.?,?\s+(?P<year>\d{4})",
    re.IGNORECASE,
)


def recognises(root: Node) -> bool:
    """Tell whether a parsed file looks like LoCoMo's."""
    first = root.value[0] if isinstance(root.value, list) and root.value else root.value
    return isinstance(first, dict) and isinstance(first.get("conversation"), dict)


def read(path: Path) -> Dataset:
    """Read a LoCoMo file; InvalidInput, naming the place, where it is none."""
    root, digest = read_json(path)
    samples = root.elements() if isinstance(root.value, list) else [root]
    if not samples:
        raise root.wrong("no conversation in it")
    skipped: Counter[str] = Counter()
    cases = []
    dropped = 0
    for number, sample in enumerate(samples):
        case, lost = _case(sample, number, skipped)
        cases.append(case)
        dropped += lost
    return Dataset(
        name=NAME,
        files={path.name: digest},
        cases=tuple(cases),
        skipped=dict(skipped),
        dropped_evidence=dropped,
    )


def _case(sample: Node, number: int, skipped: Counter[str]) -> tuple[Case, int]:
    id = optional_text(sample, "sample_id") or f"conversation-{number + 1}"
    sessions = _sessions(sample.need("conversation"))
    items = [item for session in sessions for item in session.items]
    if not items:
        raise sample.wrong("a conversation without turns")
    asked_at = max(item.at for item in items) + ASKED_AFTER
    known = {item.id for item in items}
    questions = []
    dropped = 0
    qa = sample.get("qa")
    for index, node in enumerate(qa.elements() if qa else ()):
        category = node.need("category").scalar()
        evidence, lost = _evidence(node, known)
        dropped += lost
        if category == ADVERSARIAL:
            skipped[f"category {CATEGORIES[category]}"] += 1
        elif not evidence:
            skipped[NO_EVIDENCE] += 1
        else:
            question = Question(
                id=f"{id}:{index}",
                text=node.need("question").scalar(),
                category=CATEGORIES.get(category, category),
                evidence=evidence,
                asked_at=asked_at,
                answer=optional_text(node, "answer"),
            )
            questions.append(question)
    return Case(id=id, sessions=sessions, questions=tuple(questions)), dropped


def _evidence(question: Node, known: set[str]) -> tuple[tuple[str, ...], int]:
    """The ids of the turns that answer a question, and how many named ones are no turns."""
    found: list[str] = []
    dropped = 0
    node = question.get("evidence")
    for leaf in node.leaves() if node else ():
        named = [_turn_id(*match.groups()) for match in _TURN.finditer(leaf.scalar())]
        there = [id for id in named if id in known]
        dropped += max(len(named), 1) - len(there)
        found += there
    return unique(found), dropped


def _turn_id(session: str, turn: str) -> str:
    return f"D{int(session)}:{int(turn)}"


def _sessions(conversation: Node) -> tuple[History, ...]:
    names = {
        int(match[1]): name for name in conversation.object() if (match := _SESSION.fullmatch(name))
    }
    if not names:
        raise conversation.wrong("no 'session_1' here")
    first_speaker = conversation.need("speaker_a").text()
    found = []
    for number in sorted(names):
        node = conversation.need(names[number])
        began = session_time(conversation.need(f"{names[number]}_date_time"))
        turns = node.elements()
        times = turn_times(began, len(turns))
        items = tuple(
            _item(turn, f"session-{number}", f"D{number}:{place}", first_speaker, at)
            for place, (turn, at) in enumerate(zip(turns, times, strict=True), start=1)
        )
        found.append(History(id=f"session-{number}", items=items))
    return tuple(found)


def _item(turn: Node, session: str, place: str, first_speaker: str, at: datetime) -> Item:
    speaker = turn.need("speaker").text()
    match = _TURN.fullmatch(optional_text(turn, "dia_id"))
    text = optional_text(turn, "text")
    if caption := optional_text(turn, "blip_caption"):
        text = f"{text} [shares a photo: {caption}]".lstrip()
    if not text:
        raise turn.wrong("neither 'text' nor 'blip_caption' here")
    role = "user" if speaker == first_speaker else "assistant"
    return Item(
        id=_turn_id(*match.groups()) if match else place,
        session=session,
        role=role,
        speaker=speaker,
        text=text,
        at=at,
        message={"role": role, "name": speaker, "content": text},
    )


def session_time(node: Node) -> datetime:
    """The time of a session as LoCoMo writes it: "1:56 pm on 8 May, 2023"."""
    match = _DATE.search(node.text())
    if not match:
        raise node.wrong(f"not a time like '1:56 pm on 8 May, 2023': {node.value!r}")
    hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
    month = month_number(match["month"])
    try:
        return datetime(
            int(match["year"]), month, int(match["day"]), hour, int(match["minute"]), tzinfo=UTC
        )
    except ValueError as error:
        raise node.wrong(f"{error}: {node.value!r}") from error

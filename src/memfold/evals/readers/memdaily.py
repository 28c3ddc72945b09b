"""MemDaily (Zhang et al., 2024): streams of a user's remarks in Chinese, with questions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memfold.errors import InvalidInput
from memfold.evals.dataset import Case, Dataset, History, Item, Question
from memfold.evals.readers.messages import ASKED_AFTER, NO_EVIDENCE, optional_text, unique
from memfold.evals.readers.node import Node, read_json

NAME = "memdaily"
POOL: Final = 50
"""Streams in one history: a single stream is so short that any search finds everything."""

_DATE = re.compile(
    r"(\d{4})\s*[年/-]\s*(\d{1,2})\s*[月/-]\s*(\d{1,2})(?:.*?(\d{1,2})[:：](\d{2}))?"
)


def read(path: Path) -> Dataset:
    """Read a folder of MemDaily files, or one file; InvalidInput where it is none.

    Consecutive streams, in the order of the files' names and then as listed, share a history.
    """
    paths = _paths(path)
    files: dict[str, str] = {}
    skipped: Counter[str] = Counter()
    streams = []
    dropped = 0
    for file in paths:
        root, files[file.name] = read_json(file)
        stem = file.name.partition(".json")[0]
        for number, node in enumerate(root.elements()):
            history, questions, lost = _stream(node, stem, f"{stem}:{number}", skipped)
            streams.append((history, questions))
            dropped += lost
    if not streams:
        raise InvalidInput(f"{path}: no stream in it")
    pools = [streams[first : first + POOL] for first in range(0, len(streams), POOL)]
    cases = tuple(_case(pool, number) for number, pool in enumerate(pools, start=1))
    return Dataset(
        name=NAME, files=files, cases=cases, skipped=dict(skipped), dropped_evidence=dropped
    )


def _case(pool: list[tuple[History, list[Question]]], number: int) -> Case:
    """A history of pooled streams, each question asked when the last of them has ended."""
    sessions = tuple(history for history, _ in pool)
    last = max(item.at for history in sessions for item in history.items)
    return Case(
        id=f"pool-{number}",
        sessions=sessions,
        questions=tuple(
            replace(question, asked_at=max(question.asked_at, last + ASKED_AFTER))
            for _, asked in pool
            for question in asked
        ),
    )


def _paths(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InvalidInput(f"{path}: no such file or folder")
    found = [file for file in path.iterdir() if file.name.endswith((".json", ".json.xz"))]
    if not found:
        raise InvalidInput(f"{path}: no .json file in it")
    return sorted(found, key=lambda file: file.name)


def _stream(
    node: Node, stem: str, id: str, skipped: Counter[str]
) -> tuple[History, list[Question], int]:
    """A stream as a session, its questions, and how many of their targets are no remarks."""
    remarks = node.need("message_list").elements()
    if not remarks:
        raise node.wrong("a stream without messages")
    items = tuple(_item(remark, number, id) for number, remark in enumerate(remarks))
    known = {item.id for item in items}
    asked = node.need("question_list")
    questions = []
    dropped = 0
    each = [asked] if isinstance(asked.value, dict) else asked.elements()
    for number, question in enumerate(each):
        evidence, lost = _targets(question, id, known)
        dropped += lost
        if not evidence:
            skipped[NO_EVIDENCE] += 1
            continue
        time = question.get("time")
        questions.append(
            Question(
                id=f"{id}:q{number}",
                text=question.need("question").text(),
                category=_category(stem),
                evidence=evidence,
                asked_at=_time(time) if time else items[-1].at,
                answer=optional_text(question, "answer"),
            )
        )
    return History(id=id, items=items), questions, dropped


def _category(stem: str) -> str:
    """The type of question: "05_post_processing" of "05_post_processing_events"."""
    return stem.rpartition("_")[0] or stem


def _targets(question: Node, stream: str, known: set[str]) -> tuple[tuple[str, ...], int]:
    node = question.get("target_step_id")
    named = unique([f"{stream}:{leaf.scalar()}" for leaf in node.leaves()] if node else ())
    found = tuple(id for id in named if id in known)
    return found, len(named) - len(found)


def _item(remark: Node, number: int, stream: str) -> Item:
    text = remark.need("message").text()
    place = optional_text(remark, "place")
    return Item(
        id=f"{stream}:{optional_text(remark, 'mid') or number}",
        session=stream,
        role="user",
        text=text,
        at=_time(remark.need("time")),
        message={"role": "user", "content": text},
        metadata={"place": place} if place else None,
    )


def _time(node: Node) -> datetime:
    """A time as MemDaily writes it: "2024年04月01日 周一 08:30"."""
    match = _DATE.search(node.text())
    if not match:
        raise node.wrong(f"not a time like '2024年04月01日 周一 08:30': {node.value!r}")
    year, month, day, hour, minute = (int(group or 0) for group in match.groups())
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError as error:
        raise node.wrong(f"{error}: {node.value!r}") from error

"""Folds as the store keeps them: JSON of what planning does not need."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from memfold.rows import FoldRow
from memfold.types import Artifact, Attempt, Fold, FoldSentence, StandingItem, Usage

# Columns of their own, or known only to the store.
_ELSEWHERE = frozenset({"id", "session", "level", "index", "first", "last", "children"})


def to_row(fold: Fold, children: tuple[int, ...]) -> FoldRow:
    """The row of a fold; ``children`` are the indices of its children one level below."""
    body = {name: value for name, value in asdict(fold).items() if name not in _ELSEWHERE}
    body["children"] = children
    return FoldRow(
        session=fold.session,
        level=fold.level,
        index=fold.index,
        first=fold.first,
        last=fold.last,
        body=json.dumps(body, ensure_ascii=False, default=_plain).encode("utf-8", "surrogatepass"),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


def to_fold(row: FoldRow, numbers: Mapping[tuple[int, int], int]) -> Fold:
    """The fold of a row; ``numbers`` maps (level, index) of the session's folds to numbers."""
    body = json.loads(row.body.decode("utf-8", "surrogatepass"))
    children = tuple(
        f"f{numbers[row.level - 1, index]}"
        for index in body.pop("children")
        if (row.level - 1, index) in numbers
    )
    body["attempts"] = tuple(_attempt(**each) for each in body.get("attempts", ()))
    body["standing"] = tuple(_item(**each) for each in body.get("standing", ()))
    body["artifacts"] = tuple(Artifact(**each) for each in body.get("artifacts", ()))
    if body.get("retry_at") is not None:
        body["retry_at"] = datetime.fromisoformat(body["retry_at"])
    body["sentences"] = tuple(_sentence(**each) for each in body["sentences"])
    for name in ("required", "kept", "missing"):
        body[name] = tuple(body[name])
    for name in ("since", "until"):
        body[name] = datetime.fromisoformat(body[name])
    return Fold(
        id=f"f{row.number}",
        session=row.session,
        level=row.level,
        index=row.index,
        first=row.first,
        last=row.last,
        children=children,
        **body,
    )


def _attempt(*, usage: dict[str, Any], **rest: Any) -> Attempt:
    return Attempt(usage=Usage(**usage), **rest)


def _item(*, at: str, **rest: Any) -> StandingItem:
    return StandingItem(at=datetime.fromisoformat(at), **rest)


def _sentence(*, sources: list[str], at: str | None, **rest: Any) -> FoldSentence:
    return FoldSentence(
        sources=tuple(sources), at=datetime.fromisoformat(at) if at is not None else None, **rest
    )

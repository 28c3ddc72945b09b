"""Small things to store, and a look at all that a store shows of an owner."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memfold.protocols import Store
from memfold.rows import (
    Counts,
    Cursor,
    Draft,
    FoldRow,
    IndexRow,
    Passage,
    SessionRow,
    StoredMessage,
    VectorRow,
)
from memfold.types import Scope, Usage

ANN = Scope(tenant="acme", user="ann")
"""An owner."""

CHAT = replace(ANN, session="chat")
"""One of her sessions."""


def term_ids(text: str) -> bytes:
    """The words of a text as term ids: little-endian 32-bit numbers, repetitions kept."""
    ids = [zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in text.split()]
    return struct.pack(f"<{len(ids)}I", *ids)


def passages(text: str, parts: int = 1) -> tuple[Passage, ...]:
    """The text in so many passages of about the same length."""
    size = -(-len(text) // parts) if parts else 0
    return tuple(
        Passage(
            part=part,
            start=min(part * size, len(text)),
            end=min((part + 1) * size, len(text)),
            terms=term_ids(text[part * size : (part + 1) * size]),
            header=term_ids("user monday"),
        )
        for part in range(parts)
    )


def draft(
    text: str,
    *,
    role: str = "user",
    name: str | None = None,
    at: int = 1_000_000,
    key: str | None = None,
    metadata: bytes = b"{}",
    parts: int = 1,
    question: bool = False,
    first_person: bool = False,
) -> Draft:
    """A message that says ``text``, one token a character."""
    body = json.dumps({"role": role, "content": text}, ensure_ascii=False)
    return Draft(
        role=role,
        name=name,
        at=at,
        recorded=at + 1,
        tokens=len(text),
        body=body.encode("utf-8", "surrogatepass"),
        metadata=metadata,
        key=key,
        passages=passages(text, parts),
        question=question,
        first_person=first_person,
    )


def fill(store: Store, scope: Scope, count: int) -> list[int]:
    """Append so many messages; returns their seqs."""
    drafts = [draft(f"message {i} 第{i}条", at=1_000_000 + i) for i in range(count)]
    return [appended.seq for appended in store.append(scope, drafts)]


def texts(messages: Sequence[StoredMessage]) -> list[str]:
    """What the messages say."""
    return [json.loads(message.body)["content"] for message in messages]


def seqs(messages: Sequence[StoredMessage] | Sequence[IndexRow]) -> list[int]:
    """The numbers of messages or of index rows."""
    return [message.seq for message in messages]


def fold(index: int, first: int, last: int, *, level: int = 1, text: str = "summary") -> FoldRow:
    """A fold over positions ``first`` to ``last``."""
    return FoldRow(
        session="chat",
        level=level,
        index=index,
        first=first,
        last=last,
        body=json.dumps({"text": text}).encode(),
    )


def put_folds(store: Store, scope: Scope, rows: Sequence[FoldRow]) -> int:
    """Put folds made from the session as it stands."""
    (session,) = store.sessions(scope)
    return store.put_folds(scope, rows, session.revision)


def vector(seq: int, part: int = 0, *, fill_with: int = 7) -> VectorRow:
    """A vector of four numbers."""
    return VectorRow(seq=seq, part=part, vector=bytes([fill_with]) * 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """All that a store shows of one owner."""

    sessions: tuple[SessionRow, ...]
    messages: tuple[tuple[StoredMessage, ...], ...]
    folds: tuple[tuple[FoldRow, ...], ...]
    index: tuple[IndexRow, ...]
    counts: Counts
    spent: Usage


def view(store: Store, owner: Scope) -> View:
    """Look at everything."""
    sessions = store.sessions(owner)
    narrowed = [replace(owner, session=session.id) for session in sessions]
    return View(
        sessions=tuple(sessions),
        messages=tuple(tuple(store.span(scope, 0)) for scope in narrowed),
        folds=tuple(tuple(store.folds(scope)) for scope in narrowed),
        index=store.index(owner, Cursor()).rows,
        counts=store.counts(owner),
        spent=store.spent(owner),
    )

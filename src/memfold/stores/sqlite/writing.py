"""Appending messages, and the rows that every written message has."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from memfold.rows import Appended, Draft
from memfold.stores.sqlite.base import (
    Part,
    head_of,
    make_owner,
    make_session,
    owner_of,
    session_name,
    session_of,
)
from memfold.stores.sqlite.content import TEXTS, add_name, next_id
from memfold.stores.sqlite.marks import Database, encode, is_erased, mark
from memfold.stores.sqlite.passages import insert_passages
from memfold.stores.sqlite.query import one
from memfold.types import Scope

_UID = 16  # bytes

_INSERT_TEXT = "INSERT INTO texts (id, body, metadata) VALUES (?, ?, ?)"
_INSERT_ENTRY = "INSERT INTO entries (owner, session, position, seq) VALUES (?, ?, ?, ?)"
_INSERT_MESSAGE = (
    "INSERT INTO messages (owner, seq, uid, text, speaker, session, previous, replaces,"
    " at, recorded, tokens, key, question, first_person)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """A draft that is to be written, with its message's number and links."""

    draft: Draft
    seq: int
    key: bytes | None
    previous: int
    replaces: int = 0


class AppendPart(Part):
    """``append`` and ``known`` of ``protocols.Ledger``."""

    def append(self, scope: Scope, drafts: Sequence[Draft]) -> list[Appended]:
        """See :meth:`memfold.protocols.Ledger.append`."""
        name = session_name(scope)
        with self._connections.write() as db:
            owner = owner_of(db, scope)
            session = session_of(db, owner, name)
            outcomes, fresh = _sift(db, scope, owner, session, drafts)
            if fresh:
                owner = make_owner(db, scope) if owner is None else owner
                session = make_session(db, owner, name) if session is None else session
                insert_messages(db, owner, session, fresh)
                _extend(db, owner, session, fresh)
            return outcomes

    def known(self, scope: Scope, keys: Sequence[str]) -> list[Appended | None]:
        """See :meth:`memfold.protocols.Ledger.known`."""
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            return [known(db, owner, key_mark(db, scope, key), {}) for key in keys]


def _sift(
    db: Database, scope: Scope, owner: int | None, session: int | None, drafts: Sequence[Draft]
) -> tuple[list[Appended], list[Fresh]]:
    """Number the drafts that are new, and say what became of each."""
    head = head_of(db, scope, owner)
    previous = _last_of(db, owner, session)
    outcomes: list[Appended] = []
    fresh: list[Fresh] = []
    batch: dict[bytes, int] = {}
    for draft in drafts:
        key = key_mark(db, scope, draft.key)
        outcome = known(db, owner, key, batch)
        if outcome is None:
            head += 1
            outcome = Appended(seq=head, outcome="stored")
            fresh.append(Fresh(draft=draft, seq=head, key=key, previous=previous))
            previous = head
            if key is not None:
                batch[key] = head
        outcomes.append(outcome)
    return outcomes, fresh


def key_mark(db: Database, scope: Scope, key: str | None) -> bytes | None:
    """The mark of an idempotency key within its owner; it outlives both as a tombstone."""
    return None if key is None else mark(db, "key", scope.tenant, scope.user, scope.agent, key)


def known(
    db: Database, owner: int | None, key: bytes | None, batch: dict[bytes, int]
) -> Appended | None:
    """What a draft's key says of it, or None when it is new. ``batch``: not yet written keys."""
    if key is None:
        return None
    seq = batch.get(key)
    if seq is None and owner is not None:
        seq = one(db, "SELECT seq FROM messages WHERE owner = ? AND key = ?", (owner, key))
    if seq is not None:
        return Appended(seq=seq, outcome="known")
    return Appended(seq=0, outcome="erased") if is_erased(db, key) else None


def _last_of(db: Database, owner: int | None, session: int | None) -> int:
    if owner is None or session is None:
        return 0
    sql = "SELECT seq FROM entries WHERE owner = ? AND session = ? ORDER BY position DESC LIMIT 1"
    return int(one(db, sql, (owner, session)) or 0)


def insert_messages(db: Database, owner: int, session: int, fresh: Sequence[Fresh]) -> None:
    """Write messages with their content and passages; they stand nowhere yet."""
    text = next_id(db, TEXTS)
    uids = os.urandom(_UID * len(fresh))
    speakers: dict[tuple[str, str | None], int] = {}
    rows: list[tuple[object, ...]] = []
    for i, item in enumerate(fresh):
        draft = item.draft
        who = (draft.role, draft.name)
        if who not in speakers:
            speakers[who] = _speaker(db, owner, *who)
        row = (owner, item.seq, uids[_UID * i : _UID * (i + 1)], text + i, speakers[who], session)
        links = (item.previous, item.replaces, draft.at, draft.recorded, draft.tokens, item.key)
        rows.append((*row, *links, draft.question, draft.first_person))
    texts = ((text + i, x.draft.body, x.draft.metadata) for i, x in enumerate(fresh))
    db.executemany(_INSERT_TEXT, texts)
    db.executemany(_INSERT_MESSAGE, rows)
    insert_passages(db, owner, ((item.seq, p) for item in fresh for p in item.draft.passages))
    db.execute("UPDATE owners SET head = ? WHERE id = ?", (fresh[-1].seq, owner))


def _speaker(db: Database, owner: int, role: str, name: str | None) -> int:
    """Row id of a speaker, made on first use."""
    known_by = mark(db, "speaker", owner, role, name)
    sql = "SELECT id FROM speakers WHERE owner = ? AND mark = ?"
    found: int | None = one(db, sql, (owner, known_by))
    if found is not None:
        return found
    values = (owner, known_by, add_name(db, encode(role, name)))
    db.execute("INSERT INTO speakers (owner, mark, name) VALUES (?, ?, ?)", values)
    return db.last_insert_rowid()


def _extend(db: apsw.Connection, owner: int, session: int, fresh: Sequence[Fresh]) -> None:
    """Let the messages stand at the session's end."""
    length: int = one(db, "SELECT length FROM sessions WHERE id = ?", (session,))
    entries = ((owner, session, length + i, item.seq) for i, item in enumerate(fresh))
    db.executemany(_INSERT_ENTRY, entries)
    db.execute(
        "UPDATE sessions SET length = length + ?, messages = messages + ? WHERE id = ?",
        (len(fresh), len(fresh), session),
    )

"""Reading the conversation back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memfold.rows import SessionRow, StoredMessage
from memfold.stores.sqlite.base import (
    LAST,
    Names,
    Part,
    clamp,
    owner_of,
    session_name,
    session_of,
)
from memfold.stores.sqlite.content import numbers
from memfold.stores.sqlite.query import fetch
from memfold.types import Scope

_COLUMNS = "m.seq, {session}, {position}, m.speaker, m.at, m.recorded, m.tokens, t.body, t.metadata"
# The entry at home, else none: what stands nowhere any more is read with position -1.
_READ = (
    f"SELECT {_COLUMNS.format(session='m.session', position='coalesce(e.position, -1)')}"
    " FROM messages m JOIN texts t ON t.id = m.text LEFT JOIN entries e"
    " ON e.owner = m.owner AND e.seq = m.seq AND e.session = m.session"
    " WHERE m.owner = ? AND m.seq IN (SELECT value FROM json_each(?))"
)
_STANDING = (
    f"SELECT {_COLUMNS.format(session='e.session', position='e.position')}"
    " FROM entries e JOIN messages m ON m.owner = e.owner AND m.seq = e.seq"
    " JOIN texts t ON t.id = m.text WHERE e.owner = ? AND e.session = ?"
)
_EDGE = (
    "(SELECT m.{column} FROM entries e JOIN messages m ON m.owner = e.owner AND m.seq = e.seq"
    " WHERE e.owner = s.owner AND e.session = s.id ORDER BY e.position {order} LIMIT 1)"
)
_SESSIONS = (
    "SELECT n.text, s.messages, s.length, s.revision, s.parent,"
    f" {_EDGE.format(column='at', order='ASC')}, {_EDGE.format(column='at', order='DESC')},"
    f" {_EDGE.format(column='seq', order='DESC')},"
    " (SELECT group_concat(position, ' ') FROM ends e"
    " WHERE e.owner = s.owner AND e.session = s.id)"
    " FROM sessions s JOIN names n ON n.id = s.name WHERE s.owner = ?"
)


class ReadPart(Part):
    """The reading half of ``protocols.Ledger``."""

    def read(self, scope: Scope, seqs: Sequence[int]) -> list[StoredMessage]:
        """See :meth:`memfold.protocols.Ledger.read`."""
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            if owner is None:
                return []
            names = Names(db)
            rows = fetch(db, _READ, (owner, numbers(seqs)))
            found = {row[0]: _message(names, row) for row in rows}
            if scope.session is not None:
                # A fork's own view of the messages that it shares.
                found = {s: m for s, m in found.items() if m.session == scope.session}
                session = session_of(db, owner, scope.session)
                sql = f"{_STANDING} AND e.seq IN (SELECT value FROM json_each(?))"
                for row in fetch(db, sql, (owner, session, numbers(seqs))):
                    found[row[0]] = _message(names, row)
            return [found[seq] for seq in seqs if seq in found]

    def span(self, scope: Scope, first: int, last: int | None = None) -> list[StoredMessage]:
        """See :meth:`memfold.protocols.Ledger.span`."""
        name = session_name(scope)
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            session = session_of(db, owner, name)
            names = Names(db)
            rows = fetch(
                db,
                f"{_STANDING} AND e.position BETWEEN ? AND ? ORDER BY e.position",
                (owner, session, clamp(first), LAST if last is None else min(last, LAST)),
            )
            return [_message(names, row) for row in rows]

    def sessions(self, scope: Scope) -> list[SessionRow]:
        """See :meth:`memfold.protocols.Ledger.sessions`."""
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            only: tuple[int | None, ...] = ()
            if scope.session is not None:
                only = (session_of(db, owner, scope.session),)
            sql = f"{_SESSIONS}{' AND s.id = ?' if only else ''} ORDER BY s.id"
            names = Names(db)
            return [
                SessionRow(
                    id=json.loads(text)[0],
                    messages=messages,
                    length=length,
                    revision=revision,
                    began=began,
                    last=last,
                    parent=None if parent is None else names.session(parent),
                    newest=newest or 0,
                    ends=tuple(sorted(map(int, str(ends or "").split()))),
                )
                for (
                    text,
                    messages,
                    length,
                    revision,
                    parent,
                    began,
                    last,
                    newest,
                    ends,
                ) in fetch(db, sql, (owner, *only))
            ]


def _message(names: Names, row: tuple[Any, ...]) -> StoredMessage:
    seq, session, position, speaker, at, recorded, tokens, body, metadata = row
    role, name = names.speaker(speaker)
    return StoredMessage(
        seq=seq,
        session=names.session(session),
        position=position,
        role=role,
        name=name,
        at=at,
        recorded=recorded,
        tokens=tokens,
        body=body,
        metadata=metadata,
    )

"""Erasure: the messages, everything derived from them, and the bytes they stood in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from memfold.stores.sqlite.base import (
    Part,
    new_generation,
    now,
    owner_of,
    record,
    session_of,
)
from memfold.stores.sqlite.chores import note_erasure
from memfold.stores.sqlite.content import NAMES, TEXTS, blank, numbers
from memfold.stores.sqlite.folds import drop_all_folds, drop_folds
from memfold.stores.sqlite.marks import Database
from memfold.stores.sqlite.outputs import drop_all_outputs
from memfold.stores.sqlite.passages import drop_passages
from memfold.stores.sqlite.query import column, fetch, one
from memfold.stores.sqlite.revising import following, relink
from memfold.types import Scope

_LISTED = "owner = ? AND seq IN (SELECT value FROM json_each(?))"
_OWNED = (
    "operations",
    "folds",
    "entries",
    "ends",
    "borders",
    "spent",
    "messages",
    "speakers",
    "sessions",
)


class RemovalPart(Part):
    """``protocols.Ledger.remove``."""

    def remove(self, scope: Scope, seqs: Sequence[int] | None) -> list[int]:
        """See :meth:`memfold.protocols.Ledger.remove`."""
        with self._connections.write() as db:
            owner = owner_of(db, scope)
            session = None if scope.session is None else session_of(db, owner, scope.session)
            if owner is None or (scope.session is not None and session is None):
                return []
            removed = _with_versions(db, owner, _meant(db, owner, session, seqs))
            if seqs is not None:
                _remove_messages(db, owner, removed)
            elif session is not None:
                _remove_messages(db, owner, removed)
                _remove_session(db, owner, session)
            else:
                _remove_owner(db, owner, removed)
            note_erasure(db)
        self._connections.clean_up()
        return removed


def _meant(db: Database, owner: int, session: int | None, seqs: Sequence[int] | None) -> list[int]:
    """The messages that were asked for and exist; all of the session or owner for None."""
    if session is None:
        sql, values = "SELECT seq FROM messages WHERE owner = ?", [owner]
    else:
        # Those that stand in it, and those that last stood in it.
        sql = (
            "SELECT seq FROM (SELECT seq FROM entries WHERE owner = ? AND session = ? UNION"
            " SELECT seq FROM messages WHERE owner = ? AND gone IS NOT NULL AND session = ?)"
            " WHERE true"
        )
        values = [owner, session, owner, session]
    if seqs is None:
        return column(db, f"{sql} ORDER BY seq", values)
    listed = " AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq"
    return column(db, sql + listed, [*values, numbers(seqs)])


def _with_versions(db: Database, owner: int, seqs: Iterable[int]) -> list[int]:
    """The messages with the earlier versions that they replaced and that stand nowhere else."""
    found = set(seqs)
    newest = set(found)
    sql = (
        "SELECT b.seq FROM messages a JOIN messages b"
        " ON b.owner = a.owner AND b.seq = a.replaces AND b.gone IS NOT NULL"
        " WHERE a.owner = ? AND a.seq IN (SELECT value FROM json_each(?))"
    )
    while newest:
        newest = set(column(db, sql, (owner, numbers(newest)))) - found
        found |= newest
    return sorted(found)


def _bury(db: Database, owner: int, seqs: Iterable[int]) -> None:
    """Leave tombstones for messages and their keys, and blank what they said."""
    listed = (owner, numbers(seqs))
    for mark in ("uid", "key"):
        db.execute(
            f"INSERT OR IGNORE INTO tombstones (mark, at) SELECT {mark}, ? FROM messages"
            f" WHERE {mark} IS NOT NULL AND {_LISTED}",
            (now(), *listed),
        )
    drop_passages(db, owner, seqs)
    blank(db, TEXTS, column(db, f"SELECT text FROM messages WHERE {_LISTED}", listed))


def _remove_messages(db: Database, owner: int, seqs: Sequence[int]) -> None:
    if not seqs:
        return
    _bury(db, owner, seqs)
    listed = (owner, numbers(seqs))
    places: defaultdict[int, list[int]] = defaultdict(list)
    sql = (
        "SELECT session, position FROM entries INDEXED BY entries_by_seq"
        f" WHERE {_LISTED} ORDER BY session, position"
    )
    for session, position in fetch(db, sql, listed):
        places[session].append(position)
    speakers = column(db, f"SELECT DISTINCT speaker FROM messages WHERE {_LISTED}", listed)
    for table in ("entries", "messages"):
        db.execute(f"DELETE FROM {table} WHERE {_LISTED}", listed)
    for session, positions in places.items():
        drop_folds(db, owner, session, touching=positions)
        sql = "UPDATE sessions SET messages = messages - ? WHERE id = ?"
        db.execute(sql, (len(positions), session))
    # What followed them now follows what came before them.
    relink(db, owner, following(db, owner, ((s, p) for s, ps in places.items() for p in ps)))
    _forget_speakers(db, owner, speakers)
    record(db, owner, "forget", None, len(seqs), 0)
    new_generation(db, owner)


def _forget_speakers(db: Database, owner: int, speakers: Sequence[int]) -> None:
    """Forget those of whom no message is left."""
    for speaker in speakers:
        used = "SELECT 1 FROM messages WHERE owner = ? AND speaker = ? LIMIT 1"
        if not one(db, used, (owner, speaker)):
            _blank_names(db, "speakers", "id = ?", speaker)
            db.execute("DELETE FROM speakers WHERE id = ?", (speaker,))


def _blank_names(db: Database, table: str, where: str, value: int) -> None:
    blank(db, NAMES, column(db, f"SELECT name FROM {table} WHERE {where}", (value,)))


def _remove_session(db: Database, owner: int, session: int) -> None:
    _blank_names(db, "sessions", "id = ?", session)
    db.execute("UPDATE sessions SET parent = NULL WHERE owner = ? AND parent = ?", (owner, session))
    for table in ("operations", "ends", "borders"):
        db.execute(f"DELETE FROM {table} WHERE owner = ? AND session = ?", (owner, session))
    db.execute("DELETE FROM sessions WHERE id = ?", (session,))


def _remove_owner(db: Database, owner: int, seqs: Sequence[int]) -> None:
    _bury(db, owner, seqs)
    drop_all_folds(db, owner)
    drop_all_outputs(db, owner)
    for table in ("speakers", "sessions"):
        _blank_names(db, table, "owner = ?", owner)
    _blank_names(db, "owners", "id = ?", owner)
    db.execute(
        "INSERT OR REPLACE INTO tombstones (mark, at, head, folds)"
        " SELECT mark, ?, head, folds FROM owners WHERE id = ?",
        (now(), owner),
    )
    for table in _OWNED:
        db.execute(f"DELETE FROM {table} WHERE owner = ?", (owner,))
    db.execute("DELETE FROM owners WHERE id = ?", (owner,))

"""Changing a conversation: edit, cut, fork. What stood before is kept, but stands nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memfold.errors import InvalidInput, NotFound
from memfold.rows import Appended, Draft
from memfold.stores.sqlite.base import (
    Part,
    clamp,
    head_of,
    make_session,
    need_owner,
    need_session,
    new_generation,
    record,
    session_name,
    session_of,
)
from memfold.stores.sqlite.content import numbers
from memfold.stores.sqlite.folds import drop_folds
from memfold.stores.sqlite.marks import Database
from memfold.stores.sqlite.passages import drop_passages
from memfold.stores.sqlite.query import column, fetch, one
from memfold.stores.sqlite.writing import Fresh, insert_messages, key_mark, known
from memfold.types import Scope

# Positions in a session that a cut takes along and a fork shares.
_PLACES = ("ends", "borders")


class RevisePart(Part):
    """Edit, cut and fork of ``protocols.Ledger``."""

    def edit(self, scope: Scope, seq: int, draft: Draft) -> Appended:
        """See :meth:`memfold.protocols.Ledger.edit`."""
        name = session_name(scope)
        with self._connections.write() as db:
            owner = need_owner(db, scope)
            key = key_mark(db, scope, draft.key)
            # Before looking for the message: the same edit sent again finds it replaced.
            outcome = known(db, owner, key, {})
            if outcome is not None:
                return outcome
            session = session_of(db, owner, name)
            sql = "SELECT position FROM entries WHERE owner = ? AND session = ? AND seq = ?"
            position = one(db, sql, (owner, session, clamp(seq)))
            if session is None or position is None:
                raise NotFound(f"message m{seq} is not in session {name!r}")
            new = head_of(db, scope, owner) + 1
            _replace(
                db,
                owner,
                session,
                position,
                Fresh(draft=draft, seq=new, key=key, previous=0, replaces=seq),
            )
            number = record(db, owner, "edit", session, seq, new)
            _retire(db, owner, session, [seq], number)
            relink(db, owner, [new, *following(db, owner, [(session, position)])])
            drop_folds(db, owner, session, touching=[position])
            # Neighbours were linked anew: readers of the index start over.
            new_generation(db, owner)
        self._connections.clean_up()
        return Appended(seq=new, outcome="stored")

    def cut(self, scope: Scope, position: int) -> list[int]:
        """See :meth:`memfold.protocols.Ledger.cut`."""
        position = clamp(position)
        with self._connections.write() as db:
            owner, session = need_session(db, scope)
            if position >= one(db, "SELECT length FROM sessions WHERE id = ?", (session,)):
                return []
            tail = "owner = ? AND session = ? AND position >= ?"
            values = (owner, session, position)
            left: list[int] = column(
                db, f"SELECT seq FROM entries WHERE {tail} ORDER BY position", values
            )
            db.execute(f"DELETE FROM entries WHERE {tail}", values)
            db.execute(
                "UPDATE sessions SET length = ?, messages = messages - ? WHERE id = ?",
                (position, len(left), session),
            )
            for table in _PLACES:
                beyond = "owner = ? AND session = ? AND position > ?"
                db.execute(f"DELETE FROM {table} WHERE {beyond}", values)
            number = record(db, owner, "cut", session, position, len(left))
            _retire(db, owner, session, left, number)
            drop_folds(db, owner, session, after=position)
        self._connections.clean_up()
        return left

    def fork(self, scope: Scope, into: str, length: int) -> None:
        """See :meth:`memfold.protocols.Ledger.fork`."""
        with self._connections.write() as db:
            owner, session = need_session(db, scope)
            if session_of(db, owner, into) is not None:
                raise InvalidInput(f"session {into!r} exists already")
            whole: int = one(db, "SELECT length FROM sessions WHERE id = ?", (session,))
            length = min(clamp(length), whole)
            new = make_session(db, owner, into, length=length, parent=session)
            db.execute(
                "INSERT INTO entries (owner, session, position, seq) SELECT owner, ?, position, seq"
                " FROM entries WHERE owner = ? AND session = ? AND position < ?",
                (new, owner, session, length),
            )
            db.execute("UPDATE sessions SET messages = ? WHERE id = ?", (db.changes(), new))
            for table in _PLACES:
                db.execute(
                    f"INSERT INTO {table} (owner, session, position)"
                    f" SELECT owner, ?, position FROM {table}"
                    " WHERE owner = ? AND session = ? AND position <= ?",
                    (new, owner, session, length),
                )
            record(db, owner, "fork", session, new, length)

    def end(self, scope: Scope) -> int:
        """See :meth:`memfold.protocols.Ledger.end`."""
        with self._connections.write() as db:
            owner, session = need_session(db, scope)
            length = int(one(db, "SELECT length FROM sessions WHERE id = ?", (session,)))
            db.execute("INSERT OR IGNORE INTO ends VALUES (?, ?, ?)", (owner, session, length))
            return length


def _replace(db: Database, owner: int, session: int, position: int, fresh: Fresh) -> None:
    insert_messages(db, owner, session, [fresh])
    db.execute(
        "UPDATE entries SET seq = ? WHERE owner = ? AND session = ? AND position = ?",
        (fresh.seq, owner, session, position),
    )


def _retire(db: Database, owner: int, session: int, seqs: Sequence[int], operation: int) -> None:
    """See to messages that left a session.

    One that stands in no other is marked as gone, and what searching needs of it is dropped;
    one that a fork holds gets its home there.
    """
    sql = (
        "SELECT seq, min(session) FROM entries WHERE owner = ?"
        " AND seq IN (SELECT value FROM json_each(?)) GROUP BY seq"
    )
    held: dict[int, int] = dict(fetch(db, sql, (owner, numbers(seqs))))
    gone = [seq for seq in seqs if seq not in held]
    drop_passages(db, owner, gone)
    db.execute(
        "UPDATE messages SET gone = ? WHERE owner = ? AND seq IN (SELECT value FROM json_each(?))",
        (operation, owner, numbers(gone)),
    )
    db.executemany(
        "UPDATE messages SET session = ? WHERE owner = ? AND seq = ? AND session = ?",
        ((other, owner, seq, session) for seq, other in held.items()),
    )
    if held:
        relink(db, owner, held)
        new_generation(db, owner)


def following(db: Database, owner: int, places: Iterable[tuple[int, int]]) -> list[int]:
    """The messages that stand next after these (session, position) places."""
    sql = (
        "SELECT seq FROM entries WHERE owner = ? AND session = ? AND position > ?"
        " ORDER BY position LIMIT 1"
    )
    found = (one(db, sql, (owner, session, position)) for session, position in places)
    return sorted({seq for seq in found if seq is not None})


def relink(db: Database, owner: int, seqs: Iterable[int]) -> None:
    """Set ``previous`` of messages to what stands before them in their home session."""
    db.execute(
        "UPDATE messages SET previous = coalesce(("
        "SELECT b.seq FROM entries e JOIN entries b"
        " ON b.owner = e.owner AND b.session = e.session AND b.position < e.position"
        " WHERE e.owner = messages.owner AND e.seq = messages.seq AND e.session = messages.session"
        " ORDER BY b.position DESC LIMIT 1), 0)"
        " WHERE owner = ? AND seq IN (SELECT value FROM json_each(?))",
        (owner, numbers(seqs)),
    )

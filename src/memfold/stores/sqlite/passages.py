"""Passages and their vectors: what is searched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from memfold.rows import Cursor, IndexDelta, IndexRow, Passage, PassageRef, Reindexed, VectorRow
from memfold.stores.sqlite.base import (
    Names,
    Part,
    clamp,
    need_owner,
    new_generation,
    owner_mark,
    owner_of,
)
from memfold.stores.sqlite.content import GRAMS, VECTORS, blank, next_id, numbers
from memfold.stores.sqlite.marks import Database
from memfold.stores.sqlite.query import column, fetch, one
from memfold.types import Scope

_INSERT_GRAMS = "INSERT INTO grams (id, terms, header) VALUES (?, ?, ?)"
_INSERT_PASSAGE = (
    'INSERT INTO passages (owner, seq, part, start, "end", gram) VALUES (?, ?, ?, ?, ?, ?)'
)
# CROSS JOIN fixes the order: messages, then their passages, both by seq.
_INDEX = (
    'SELECT p.seq, p.part, m.previous, m.session, m.speaker, m.at, p.start, p."end",'
    " g.terms, g.header, m.question, m.first_person, m.tokens, v.vector"
    " FROM messages m CROSS JOIN passages p ON p.owner = m.owner AND p.seq = m.seq"
    " CROSS JOIN grams g ON g.id = p.gram LEFT JOIN vectors v ON v.id = p.vector AND ?"
    " WHERE m.owner = ? AND m.seq > ? ORDER BY m.seq, p.part"
)
_LISTED = "owner = ? AND seq IN (SELECT value FROM json_each(?))"


class PassagePart(Part):
    """``protocols.Derived`` but for folds."""

    def index(self, scope: Scope, after: Cursor) -> IndexDelta:
        """See :meth:`memfold.protocols.Derived.index`."""
        with self._connections.read() as db:
            sql = "SELECT id, head, operation, generation FROM owners WHERE mark = ?"
            state = fetch(db, sql, (owner_mark(db, scope),))
            if not state:
                return IndexDelta(rows=(), gone=(), cursor=Cursor(), reset=after != Cursor())
            owner, head, operation, generation = state[0]
            cursor = Cursor(seq=head, operation=operation, generation=generation)
            reset = generation != after.generation
            start = Cursor() if reset else after
            rows = () if cursor == after else self._rows(db, owner, start.seq)
            gone = () if operation == start.operation or reset else _gone(db, owner, start)
            return IndexDelta(rows=rows, gone=gone, cursor=cursor, reset=reset)

    def _rows(self, db: Database, owner: int, after: int) -> tuple[IndexRow, ...]:
        names = Names(db)
        session_of, speaker_of = names.session, names.speaker
        found: list[IndexRow] = []
        for row in db.execute(_INDEX, (self._is_current(db), owner, after)):
            seq, part, previous, session, speaker, at, start, end, *rest = row
            terms, header, question, first_person, tokens, vector = rest
            role, name = speaker_of(speaker)
            found.append(
                IndexRow(
                    seq=seq,
                    part=part,
                    previous=previous,
                    session=session_of(session),
                    role=role,
                    name=name,
                    at=at,
                    start=start,
                    end=end,
                    terms=terms,
                    header=header,
                    question=question == 1,
                    first_person=first_person == 1,
                    tokens=tokens,
                    vector=vector,
                )
            )
        return tuple(found)

    def _is_current(self, db: Database) -> bool:
        """Whether the file's vectors are of the embedder that this object was told to use."""
        if self._embedder is None:
            return True
        current: str | None = one(db, "SELECT value FROM meta WHERE name = 'embedder'")
        return self._embedder == current

    def vectors(self, scope: Scope, first: int, last: int) -> list[VectorRow]:
        """See :meth:`memfold.protocols.Derived.vectors`."""
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            if owner is None or not self._is_current(db):
                return []
            rows = db.execute(
                "SELECT p.seq, p.part, v.vector FROM passages p JOIN vectors v ON v.id = p.vector"
                " WHERE p.owner = ? AND p.seq BETWEEN ? AND ? ORDER BY p.seq, p.part",
                (owner, clamp(first), clamp(last)),
            )
            return [VectorRow(seq=seq, part=part, vector=vector) for seq, part, vector in rows]

    def without_vector(self, scope: Scope, after: int, limit: int) -> list[PassageRef]:
        """See :meth:`memfold.protocols.Derived.without_vector`."""
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            if owner is None or not self._is_current(db):
                return []
            rows = fetch(
                db,
                'SELECT p.seq, p.part, p.start, p."end", m.text'
                " FROM passages p INDEXED BY passages_pending"
                " JOIN messages m ON m.owner = p.owner AND m.seq = p.seq"
                " WHERE p.owner = ? AND p.seq > ? AND p.vector IS NULL"
                " ORDER BY p.seq, p.part LIMIT ?",
                (owner, clamp(after), clamp(limit)),
            )
            # One read a message: the passages of a very long one share its body.
            sql = "SELECT body FROM texts WHERE id = ?"
            bodies = {text: one(db, sql, (text,)) for text in {row[4] for row in rows}}
            return [
                PassageRef(seq=seq, part=part, start=start, end=end, body=bodies[text])
                for seq, part, start, end, text in rows
            ]

    def put_vectors(self, scope: Scope, rows: Sequence[VectorRow]) -> int:
        """See :meth:`memfold.protocols.Derived.put_vectors`."""
        with self._connections.write() as db:
            owner = owner_of(db, scope)
            if owner is None or not self._is_current(db):
                return 0
            return sum(_put_vector(db, owner, row) for row in rows)

    def put_passages(self, scope: Scope, rows: Sequence[Reindexed]) -> None:
        """See :meth:`memfold.protocols.Derived.put_passages`."""
        with self._connections.write() as db:
            owner = need_owner(db, scope)
            sql = "SELECT 1 FROM messages WHERE owner = ? AND seq = ? AND gone IS NULL"
            live = [row for row in rows if one(db, sql, (owner, clamp(row.seq)))]
            drop_passages(db, owner, [row.seq for row in live])
            db.executemany(
                "UPDATE messages SET question = ?, first_person = ? WHERE owner = ? AND seq = ?",
                ((row.question, row.first_person, owner, row.seq) for row in live),
            )
            insert_passages(db, owner, ((row.seq, p) for row in live for p in row.passages))
            new_generation(db, owner)
        self._connections.clean_up()


def _gone(db: Database, owner: int, after: Cursor) -> tuple[int, ...]:
    sql = "SELECT seq FROM messages WHERE owner = ? AND gone > ? AND seq <= ? ORDER BY seq"
    return tuple(column(db, sql, (owner, after.operation, after.seq)))


def _put_vector(db: Database, owner: int, row: VectorRow) -> bool:
    which = (owner, clamp(row.seq), clamp(row.part))
    sql = "SELECT vector FROM passages WHERE owner = ? AND seq = ? AND part = ?"
    standing = column(db, sql, which)
    if not standing:
        return False
    blank(db, VECTORS, (id_ for id_ in standing if id_ is not None))
    id_ = next_id(db, VECTORS)
    db.execute("INSERT INTO vectors (id, vector) VALUES (?, ?)", (id_, row.vector))
    sql = "UPDATE passages SET vector = ? WHERE owner = ? AND seq = ? AND part = ?"
    db.execute(sql, (id_, *which))
    return True


def insert_passages(
    db: apsw.Connection, owner: int, passages: Iterable[tuple[int, Passage]]
) -> None:
    """Keep passages, each given with the seq of its message."""
    listed = list(enumerate(passages, next_id(db, GRAMS)))
    db.executemany(_INSERT_GRAMS, ((gram, p.terms, p.header) for gram, (_, p) in listed))
    db.executemany(
        _INSERT_PASSAGE,
        ((owner, seq, p.part, p.start, p.end, gram) for gram, (seq, p) in listed),
    )


def drop_passages(db: apsw.Connection, owner: int, seqs: Iterable[int]) -> None:
    """Delete the passages of these messages with their vectors."""
    listed = (owner, numbers(seqs))
    blank(db, GRAMS, column(db, f"SELECT gram FROM passages WHERE {_LISTED}", listed))
    sql = f"SELECT vector FROM passages WHERE {_LISTED} AND vector IS NOT NULL"
    blank(db, VECTORS, column(db, sql, listed))
    db.execute(f"DELETE FROM passages WHERE {_LISTED}", listed)


def drop_vectors(db: apsw.Connection, owner: int) -> None:
    """Delete all vectors of one owner."""
    sql = "SELECT vector FROM passages WHERE owner = ? AND vector IS NOT NULL"
    blank(db, VECTORS, column(db, sql, (owner,)))
    db.execute("UPDATE passages SET vector = NULL WHERE owner = ?", (owner,))

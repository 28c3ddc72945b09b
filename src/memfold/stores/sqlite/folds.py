"""Folds: kept for a session as long as what they were made from stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from memfold.rows import FoldRow
from memfold.stores.sqlite.base import Part, clamp, owner_of, session_name, session_of
from memfold.stores.sqlite.content import SUMMARIES, blank, next_id
from memfold.stores.sqlite.marks import Database
from memfold.stores.sqlite.outputs import drop_outputs
from memfold.stores.sqlite.query import column, fetch, one
from memfold.types import Scope

RUNNING = 0  # the level that stands above all others


class FoldPart(Part):
    """The folds of ``protocols.Derived``."""

    def folds(self, scope: Scope, after: int = 0) -> list[FoldRow]:
        """See :meth:`memfold.protocols.Derived.folds`."""
        name = session_name(scope)
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            session = session_of(db, owner, name)
            rows = db.execute(
                "SELECT f.level, f.place, f.first, f.last, s.body, f.number"
                " FROM folds f JOIN summaries s ON s.id = f.summary"
                " WHERE f.owner = ? AND f.session = ? AND f.number > ? ORDER BY f.number",
                (owner, session, clamp(after)),
            )
            return [
                FoldRow(
                    session=name,
                    level=level,
                    index=place,
                    first=first,
                    last=last,
                    body=body,
                    number=number,
                )
                for level, place, first, last, body, number in rows
            ]

    def borders(self, scope: Scope) -> list[int]:
        """See :meth:`memfold.protocols.Derived.borders`."""
        name = session_name(scope)
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            sql = "SELECT position FROM borders WHERE owner = ? AND session = ? ORDER BY position"
            return column(db, sql, (owner, session_of(db, owner, name)))

    def put_folds(
        self, scope: Scope, rows: Sequence[FoldRow], revision: int, *, seen: int | None = None
    ) -> int:
        """See :meth:`memfold.protocols.Derived.put_folds`."""
        name = session_name(scope)
        with self._connections.write() as db:
            found = as_it_stood(db, scope, name, revision)
            return _insert(db, *found, _current(db, *found, rows, seen)) if found else 0

    def replace_folds(
        self, scope: Scope, rows: Sequence[FoldRow], revision: int, *, seen: int | None = None
    ) -> int:
        """See :meth:`memfold.protocols.Derived.replace_folds`."""
        name = session_name(scope)
        with self._connections.write() as db:
            found = as_it_stood(db, scope, name, revision)
            if not found:
                return 0
            current = _current(db, *found, rows, seen)
            for row in current:
                _drop_replaced(db, *found, row)
            taken = _insert(db, *found, current)
        self._connections.clean_up()
        return taken


def as_it_stood(db: Database, scope: Scope, name: str, revision: int) -> tuple[int, int] | None:
    """Row ids of owner and session, or None when the session is not at that revision."""
    owner = owner_of(db, scope)
    session = session_of(db, owner, name)
    if owner is None or session is None:
        return None
    standing = one(db, "SELECT revision FROM sessions WHERE id = ?", (session,))
    return (owner, session) if standing == revision else None


def _current(
    db: Database, owner: int, session: int, rows: Sequence[FoldRow], seen: int | None
) -> list[FoldRow]:
    """The rows within whose spans no fold of their own or a lower level has come since."""
    if seen is None:
        return list(rows)
    sql = "SELECT level, first, last FROM folds WHERE owner = ? AND session = ? AND number > ?"
    since = list(fetch(db, sql, (owner, session, clamp(seen))))
    return [
        row
        for row in rows
        if not any(
            row.first <= first
            and last <= row.last
            and (row.level == RUNNING or RUNNING < level <= row.level)
            for level, first, last in since
        )
    ]


def _drop_replaced(db: Database, owner: int, session: int, row: FoldRow) -> None:
    which = (
        "owner = ? AND session = ? AND (level = ? AND place = ? OR ? > 0 AND first <= ?"
        " AND last >= ? AND (level > ? OR level = 0))"
    )
    values = (
        *(owner, session, row.level, row.index),
        *(row.level, row.first, row.last, row.level),
    )
    blank(db, SUMMARIES, column(db, f"SELECT summary FROM folds WHERE {which}", values))
    db.execute(f"DELETE FROM folds WHERE {which}", values)


def _insert(db: Database, owner: int, session: int, rows: Sequence[FoldRow]) -> int:
    sql = "SELECT level, place FROM folds WHERE owner = ? AND session = ?"
    known = set(fetch(db, sql, (owner, session)))
    new = {(r.level, r.index): r for r in reversed(rows) if (r.level, r.index) not in known}
    summary = next_id(db, SUMMARIES)
    number: int = one(db, "SELECT folds FROM owners WHERE id = ?", (owner,))
    listed = [(i, new[place]) for i, place in enumerate(sorted(new))]
    db.executemany(
        "INSERT INTO summaries (id, body) VALUES (?, ?)",
        ((summary + i, r.body) for i, r in listed),
    )
    db.executemany(
        "INSERT INTO folds (owner, session, level, place, number, first, last, summary)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (owner, session, r.level, r.index, number + 1 + i, r.first, r.last, summary + i)
            for i, r in listed
        ),
    )
    db.executemany(
        "INSERT OR IGNORE INTO borders (owner, session, position) VALUES (?, ?, ?)",
        ((owner, session, r.last + 1) for _, r in listed if r.level == 1),
    )
    db.execute("UPDATE owners SET folds = folds + ? WHERE id = ?", (len(new), owner))
    return len(new)


def drop_folds(
    db: Database,
    owner: int,
    session: int,
    *,
    touching: Sequence[int] = (),
    after: int | None = None,
) -> None:
    """Delete the session's folds over any of the sorted positions, or that reach ``after``.

    What models answered about those goes too.

    Marks the session as revised: folds made from what stood before are not taken any more.
    """
    sql = "SELECT level, place, first, last, summary FROM folds WHERE owner = ? AND session = ?"
    dropped = []
    for level, place, first, last, summary in fetch(db, sql, (owner, session)):
        at = bisect_left(touching, first)
        touched = at < len(touching) and touching[at] <= last
        if touched or (after is not None and last >= after):
            dropped.append((level, place, summary))
    blank(db, SUMMARIES, (summary for _, _, summary in dropped))
    db.executemany(
        "DELETE FROM folds WHERE owner = ? AND session = ? AND level = ? AND place = ?",
        ((owner, session, level, place) for level, place, _ in dropped),
    )
    drop_outputs(db, owner, session, touching=touching, after=after)
    db.execute("UPDATE sessions SET revision = revision + 1 WHERE id = ?", (session,))


def drop_all_folds(db: Database, owner: int) -> None:
    """Delete every fold of one owner."""
    blank(db, SUMMARIES, column(db, "SELECT summary FROM folds WHERE owner = ?", (owner,)))
    db.execute("DELETE FROM folds WHERE owner = ?", (owner,))

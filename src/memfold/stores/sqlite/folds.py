"""Folds: kept for a session as long as what they were made from stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from memfold.rows import FoldRow
from memfold.stores.sqlite.base import Part, clamp, owner_of, session_name, session_of
from memfold.stores.sqlite.content import SUMMARIES, blank, next_id
from memfold.stores.sqlite.marks import Database
from memfold.stores.sqlite.query import column, fetch, one
from memfold.types import Scope


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

    def put_folds(self, scope: Scope, rows: Sequence[FoldRow], revision: int) -> int:
        """See :meth:`memfold.protocols.Derived.put_folds`."""
        name = session_name(scope)
        with self._connections.write() as db:
            owner = owner_of(db, scope)
            session = session_of(db, owner, name)
            if owner is None or session is None:
                return 0
            standing = one(db, "SELECT revision FROM sessions WHERE id = ?", (session,))
            if standing != revision:
                return 0
            return _insert(db, owner, session, rows)


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
    db.execute("UPDATE sessions SET revision = revision + 1 WHERE id = ?", (session,))


def drop_all_folds(db: Database, owner: int) -> None:
    """Delete every fold of one owner."""
    blank(db, SUMMARIES, column(db, "SELECT summary FROM folds WHERE owner = ?", (owner,)))
    db.execute("DELETE FROM folds WHERE owner = ?", (owner,))

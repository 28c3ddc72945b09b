"""What models answered, and what they cost."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from memfold.rows import OutputRow
from memfold.stores.sqlite.base import Part, owner_of, session_name, session_of
from memfold.stores.sqlite.content import SUMMARIES, blank, next_id
from memfold.stores.sqlite.marks import Database, mark
from memfold.stores.sqlite.query import fetch, one
from memfold.types import Scope, Usage


class OutputPart(Part):
    """The recorded answers of ``protocols.Derived`` and the costs of ``protocols.Admin``."""

    def output(self, scope: Scope, key: str) -> bytes | None:
        """See :meth:`memfold.protocols.Derived.output`."""
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            sql = (
                "SELECT s.body FROM outputs o JOIN summaries s ON s.id = o.summary"
                " WHERE o.owner = ? AND o.mark = ? LIMIT 1"
            )
            found: bytes | None = one(db, sql, (owner, mark(db, "output", owner or 0, key)))
            return found

    def put_output(self, scope: Scope, row: OutputRow, revision: int) -> bool:
        """See :meth:`memfold.protocols.Derived.put_output`."""
        name = session_name(scope)
        with self._connections.write() as db:
            owner = owner_of(db, scope)
            session = session_of(db, owner, name)
            if owner is None or session is None:
                return False
            if one(db, "SELECT revision FROM sessions WHERE id = ?", (session,)) != revision:
                return False
            known = mark(db, "output", owner, row.key)
            sql = "SELECT 1 FROM outputs WHERE owner = ? AND mark = ? AND session = ?"
            if one(db, sql, (owner, known, session)):
                return True
            summary = next_id(db, SUMMARIES)
            db.execute("INSERT INTO summaries (id, body) VALUES (?, ?)", (summary, row.body))
            db.execute(
                "INSERT INTO outputs (owner, mark, session, first, last, summary)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (owner, known, session, row.first, row.last, summary),
            )
            return True

    def spend(self, scope: Scope, usage: Usage) -> None:
        """See :meth:`memfold.protocols.Admin.spend`."""
        with self._connections.write() as db:
            owner = owner_of(db, scope)
            if owner is None:
                return
            db.execute(
                "INSERT INTO spent VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (owner) DO UPDATE SET"
                " calls = calls + excluded.calls, failures = failures + excluded.failures,"
                " prompt_tokens = prompt_tokens + excluded.prompt_tokens,"
                " completion_tokens = completion_tokens + excluded.completion_tokens,"
                " seconds = seconds + excluded.seconds",
                (
                    owner,
                    usage.calls,
                    usage.failures,
                    usage.prompt_tokens,
                    usage.completion_tokens,
                    usage.seconds,
                ),
            )

    def spent(self, scope: Scope) -> Usage:
        """See :meth:`memfold.protocols.Admin.spent`."""
        with self._connections.read() as db:
            sql = (
                "SELECT calls, failures, prompt_tokens, completion_tokens, seconds FROM spent"
                " WHERE owner = ?"
            )
            for calls, failures, prompt, completion, seconds in fetch(
                db, sql, (owner_of(db, scope),)
            ):
                return Usage(
                    calls=calls,
                    failures=failures,
                    prompt_tokens=prompt,
                    completion_tokens=completion,
                    seconds=seconds,
                )
            return Usage()


def drop_outputs(
    db: Database,
    owner: int,
    session: int,
    *,
    touching: Sequence[int] = (),
    after: int | None = None,
) -> None:
    """Delete what models answered about any of the sorted positions, or what reaches ``after``."""
    lowest = min([*touching[:1], *([after] if after is not None else [])], default=None)
    if lowest is None:
        return
    sql = (
        "SELECT mark, first, last, summary FROM outputs"
        " WHERE owner = ? AND session = ? AND last >= ?"
    )
    dropped = []
    for known, first, last, summary in fetch(db, sql, (owner, session, lowest)):
        at = bisect_left(touching, first)
        touched = at < len(touching) and touching[at] <= last
        if touched or (after is not None and last >= after):
            dropped.append((known, summary))
    blank(db, SUMMARIES, (summary for _, summary in dropped))
    db.executemany(
        "DELETE FROM outputs WHERE owner = ? AND session = ? AND mark = ?",
        ((owner, session, known) for known, _ in dropped),
    )


def drop_all_outputs(db: Database, owner: int) -> None:
    """Delete all that models answered about one owner."""
    sql = "SELECT summary FROM outputs WHERE owner = ?"
    blank(db, SUMMARIES, (row[0] for row in fetch(db, sql, (owner,))))
    db.execute("DELETE FROM outputs WHERE owner = ?", (owner,))

"""The operator's calls: owners, the embedder, counts, size."""

from __future__ import annotations

import json

from memfold.errors import InvalidInput
from memfold.rows import Counts
from memfold.stores.sqlite import content, file
from memfold.stores.sqlite.base import Part, new_generation, owner_of, session_of
from memfold.stores.sqlite.folds import drop_all_folds
from memfold.stores.sqlite.passages import drop_vectors
from memfold.stores.sqlite.query import column, fetch, one
from memfold.types import Scope

_COUNTS = (
    "SELECT (SELECT count(*) FROM sessions WHERE owner = :owner),"
    " count(*), coalesce(sum(m.tokens), 0),"
    " (SELECT count(*) FROM folds WHERE owner = :owner),"
    " (SELECT count(*) FROM passages WHERE owner = :owner),"
    " (SELECT count(vector) FROM passages WHERE owner = :owner)"
    " FROM messages m WHERE m.owner = :owner AND m.gone IS NULL"
)
_SESSION_COUNTS = (
    "SELECT (SELECT count(*) FROM sessions WHERE id = :session),"
    " count(*), coalesce(sum(m.tokens), 0),"
    " (SELECT count(*) FROM folds WHERE owner = :owner AND session = :session),"
    " coalesce(sum((SELECT count(*) FROM passages p"
    " WHERE p.owner = m.owner AND p.seq = m.seq)), 0),"
    " coalesce(sum((SELECT count(vector) FROM passages p"
    " WHERE p.owner = m.owner AND p.seq = m.seq)), 0)"
    " FROM entries e JOIN messages m ON m.owner = e.owner AND m.seq = e.seq"
    " WHERE e.owner = :owner AND e.session = :session"
)


class AdminPart(Part):
    """``protocols.Admin``."""

    def owners(self) -> list[Scope]:
        """See :meth:`memfold.protocols.Admin.owners`."""
        with self._connections.read() as db:
            sql = (
                "SELECT n.text FROM owners o JOIN names n ON n.id = o.name"
                " WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.owner = o.id) ORDER BY o.id"
            )
            named = map(json.loads, column(db, sql))
            return [Scope(tenant=tenant, user=user, agent=agent) for tenant, user, agent in named]

    def embedder(self) -> str:
        """See :meth:`memfold.protocols.Admin.embedder`."""
        with self._connections.read() as db:
            return one(db, "SELECT value FROM meta WHERE name = 'embedder'") or ""

    def use_embedder(self, fingerprint: str) -> None:
        """See :meth:`memfold.protocols.Admin.use_embedder`."""
        if not fingerprint:
            raise InvalidInput("the embedder's fingerprint is empty")
        if self.embedder() == fingerprint:
            self._embedder = fingerprint
            return
        with self._connections.write() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES ('embedder', ?)", (fingerprint,))
            for owner in column(db, "SELECT id FROM owners"):
                drop_vectors(db, owner)
                new_generation(db, owner)
        self._embedder = fingerprint
        self._connections.clean_up()

    def counts(self, scope: Scope) -> Counts:
        """See :meth:`memfold.protocols.Admin.counts`."""
        with self._connections.read() as db:
            owner = owner_of(db, scope)
            values: dict[str, int | None] = {"owner": owner}
            sql = _COUNTS
            if scope.session is not None:
                values["session"] = session_of(db, owner, scope.session)
                sql = _SESSION_COUNTS
            sessions, messages, tokens, folds, passages, vectors = fetch(db, sql, values)[0]
            return Counts(
                sessions=sessions,
                messages=messages,
                tokens=tokens,
                folds=folds,
                passages=passages,
                vectors=vectors,
            )

    def size(self) -> int:
        """See :meth:`memfold.protocols.Admin.size`."""
        self._connections.check_open()
        if not self._connections.in_memory:
            return file.size(self._connections.path)
        with self._connections.read() as db:
            return content.size(db)

    def drop_derived(self, scope: Scope) -> None:
        """See :meth:`memfold.protocols.Admin.drop_derived`."""
        with self._connections.write() as db:
            owner = owner_of(db, scope)
            if owner is None:
                return
            drop_all_folds(db, owner)
            drop_vectors(db, owner)
            new_generation(db, owner)
        self._connections.clean_up()

    def close(self) -> None:
        """See :meth:`memfold.protocols.Admin.close`."""
        self._connections.close()

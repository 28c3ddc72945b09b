"""One user's memory: sessions, search, forgetting."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from memfold.errors import InvalidInput, NotFound, shown
from memfold.facade.checks import (
    fold_number,
    function,
    is_message_id,
    message_number,
    moment,
    names,
    role_names,
    scope_name,
    text,
    write_key,
)
from memfold.facade.drafting import instant, restore, written
from memfold.facade.engine import Engine
from memfold.facade.parts import part
from memfold.facade.quality import quality
from memfold.facade.searching import Filters, search
from memfold.facade.session import Session
from memfold.protocols import LLM
from memfold.text.given import listed, whole
from memfold.types import Hit, Message, Quality, Receipt, ReceiptItem, Scope, SessionInfo, Stats

_SEQS = 500


class User:
    """A handle on one user's memory, made by :meth:`Memory.user`. Cheap; keep or remake it."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._engine = engine
        self._scope = scope

    @property
    def scope(self) -> Scope:
        """Tenant, user and agent that this handle stands for."""
        return self._scope

    def session(self, id: str | None = None) -> Session:
        """The session of this name, made by its first message; a new name when None."""
        name = secrets.token_hex(6) if id is None else scope_name(id, "session")
        return Session(self._engine, replace(self._scope, session=name))

    def sessions(self) -> list[SessionInfo]:
        """All sessions, oldest first."""
        return [
            SessionInfo(
                id=row.id,
                messages=row.messages,
                began=instant(row.began) if row.began is not None else None,
                last=instant(row.last) if row.last is not None else None,
                parent=row.parent,
                newest=f"m{row.newest}" if row.newest else None,
            )
            for row in self._engine.store.sessions(self._scope)
        ]

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        roles: Collection[str] | None = None,
        sessions: Collection[str] | None = None,
        mode: str = "memfold",
        now: datetime | str | None = None,
    ) -> list[Hit]:
        """The ``k`` messages that bear most on ``query``, best first, of all sessions.

        ``since`` ≤ time < ``until``; ``roles`` and ``sessions`` keep to those. ``mode``:
        ``memfold`` (words and vectors fused), ``lexical``, ``dense``, ``time-decay`` or
        ``generative-agents``. ``now`` is the time of asking ("yesterday"), by default the
        clock's. Raises InvalidInput for an empty query, k < 1 or an unknown mode.
        """
        text(query, "the query")
        zone = self._engine.zone
        filters = Filters(
            since=moment(since, zone, what="since") if since is not None else None,
            until=moment(until, zone, what="until") if until is not None else None,
            roles=role_names(roles),
            sessions=names(sessions, "sessions"),
        )
        at = moment(now, zone, what="now") if now is not None else self._engine.now()
        with self._engine.foreground():
            return search(
                self._engine,
                self._scope,
                query,
                k=whole(k, "k"),
                filters=filters,
                mode=mode,
                now=at,
            )

    def get(self, id: str) -> Message:
        """The message with this id; also one that was edited or cut off. Raises NotFound."""
        rows = self._engine.store.read(self._scope, [message_number(id)])
        if not rows:
            raise NotFound(f"there is no message {id}")
        return restore(rows[0])

    def known(self, keys: Sequence[str]) -> list[ReceiptItem | None]:
        """What became of earlier writes with these keys, without writing anything.

        For each key the item that a receipt would have now, ``known`` or ``erased``; None when a
        message with it would be stored.
        """
        asked = [write_key(key) for key in listed(keys, "keys")]
        found = self._engine.store.known(self._scope, asked)
        return [written(each) if each is not None else None for each in found]

    def expand(self, handle: str) -> list[Message]:
        """The original messages behind a handle: a message's id, or a fold's. Raises NotFound."""
        number = fold_number(handle)
        if number is None:
            if not is_message_id(handle):
                raise NotFound(f"{shown(handle)} is no handle: m12 is a message's, f3 a fold's")
            return [self.get(handle)]
        found = self._engine.folder.messages(self._scope, number)
        if found is None:
            raise NotFound(f"there is no fold {handle}")
        return found

    def forget(self, ids: Sequence[str]) -> Receipt:
        """Erase these messages for good, from every session, with all that came of them."""
        seqs = [message_number(each) for each in listed(ids, "ids")]
        gone = set(self._engine.store.remove(self._scope, seqs))
        self._engine.keeper.forget()
        made = self._engine.wrote(self._scope)
        return Receipt(
            failure=made.failure,
            usage=made.usage,
            items=tuple(
                ReceiptItem(
                    id=f"m{seq}",
                    outcome="forgotten" if seq in gone else "unknown",
                    reason="" if seq in gone else "there is no such message",
                )
                for seq in seqs
            ),
        )

    def erase(self, *, everything: bool) -> Receipt:
        """Erase all that this handle's tenant, user and agent have stored.

        ``everything`` must be True: a guard against calls by mistake.
        """
        if everything is not True:
            raise InvalidInput("to erase all, say everything=True")
        gone = self._engine.store.remove(self._scope, None)
        self._engine.forget_folds()
        return Receipt(items=tuple(ReceiptItem(id=f"m{seq}", outcome="erased") for seq in gone))

    def stats(self) -> Stats:
        """What is stored, in counts."""
        counts = self._engine.store.counts(self._scope)
        return Stats(
            sessions=counts.sessions,
            messages=counts.messages,
            tokens=counts.tokens,
            folds=counts.folds,
            passages=counts.passages,
            vectors=counts.vectors,
            pending=counts.passages - counts.vectors,
            embedder=self._engine.store.embedder(),
            bytes=self._engine.store.size(),
            usage=self._engine.store.spent(self._scope),
        )

    def quality(
        self,
        session: str | None = None,
        *,
        reader: LLM | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Quality:
        """How well the folds, of one session or of all, stand for what they replace.

        ``reader`` is a model that makes questions of each source and answers them from the fold;
        ``progress(done, total)`` is called after each fold. Raises NotFound.
        """
        part(reader, "reader", LLM)
        function(progress, "progress")
        scope = self._scope
        if session is not None:
            scope = replace(scope, session=scope_name(session, "session"))
            if not self._engine.store.sessions(scope):
                raise NotFound(f"there is no session {session!r}")
        return quality(self._engine, scope, reader=reader, progress=progress)

    def renew_passages(self) -> None:
        """Work out anew what is indexed of each message, as after an upgrade."""
        store, drafter = self._engine.store, self._engine.drafter
        for session in store.sessions(self._scope):
            scope = replace(self._scope, session=session.id)
            for first in range(0, session.length, _SEQS):
                rows = store.span(scope, first, first + _SEQS - 1)
                if rows:
                    store.put_passages(self._scope, [drafter.again(row) for row in rows])

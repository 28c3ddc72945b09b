"""``Memory``: the door to everything."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, tzinfo
from types import TracebackType
from typing import Final, Self

from memfold.embedders.use import UniversalSentenceEncoder
from memfold.facade.checks import flag, function, scope_name, seconds, time_zone
from memfold.facade.engine import Engine, system_clock
from memfold.facade.parts import embedder_of, models, options, part, place
from memfold.facade.rewriting import Folding
from memfold.facade.user import User
from memfold.fold.config import FoldConfig
from memfold.protocols import LLM, Embedder, Reranker, Store, TokenCounter
from memfold.stores.sqlite import SQLiteStore
from memfold.text.entities import EntityExtractor
from memfold.text.given import whole
from memfold.text.tokens import TiktokenCounter
from memfold.types import Receipt, Scope

_DEFAULT: Final = UniversalSentenceEncoder()


class Memory:
    """A memory on one SQLite file (or another store), for any number of users.

    Safe to share between threads; several processes may open the same file. Use it as a
    context manager, or call :meth:`close`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | Store = ":memory:",
        *,
        llm: LLM | None = None,
        llm_strong: LLM | None = None,
        embedder: Embedder | None = _DEFAULT,
        counter: TokenCounter | None = None,
        reranker: Reranker | None = None,
        extractor: EntityExtractor | None = None,
        clock: Callable[[], datetime] | None = None,
        zone: str | tzinfo = "UTC",
        fold: FoldConfig | None = None,
        background: bool = True,
        max_index_bytes: int = 512 * 1024 * 1024,
    ) -> None:
        """Open ``path``, making the file (mode 0600) when it does not exist.

        ``llm`` writes the folds, ``llm_strong`` those at which it falls short; in the background,
        and without them folds are made of sentences of the conversation. ``embedder`` defaults
        to the multilingual one that comes with memfold and is loaded at its first use; None
        searches by words alone. ``counter`` defaults to o200k_base. ``reranker`` judges the first
        hits of a search again. ``zone`` is where naive times are read, days begin and "yesterday"
        is resolved. ``background`` False makes vectors and folds before a write returns.
        ``max_index_bytes`` bounds the indexes held in memory. Raises InvalidInput or StoreError.
        """
        # All of it before the file is made: bad input leaves nothing behind.
        place(path)
        zone = time_zone(zone)
        models(llm, llm_strong, reranker)
        checked = embedder_of(embedder)
        counter = part(counter, "counter", TokenCounter) or TiktokenCounter()
        extractor = part(extractor, "extractor", EntityExtractor) or EntityExtractor()
        clock = function(clock, "clock") or system_clock
        fold = options(fold)
        flag(background, "background")
        whole(max_index_bytes, "max_index_bytes")
        store = SQLiteStore(path) if isinstance(path, str | os.PathLike) else path
        folding = Folding(
            store=store,
            config=fold,
            counter=counter,
            extractor=extractor,
            embedder=checked,
            llm=llm,
            llm_strong=llm_strong,
            clock=clock,
            zone=zone,
        )
        self._engine = Engine(
            store,
            embedder=checked,
            counter=counter,
            reranker=reranker,
            folding=folding,
            clock=clock,
            zone=zone,
            background=background,
            max_index_bytes=max_index_bytes,
        )

    def user(self, user: str, *, tenant: str = "default", agent: str = "") -> User:
        """A handle on one user's memory; with ``agent``, on that agent's private part of it.

        Handles of different tenants, users or agents never see each other's messages.
        Raises InvalidScope for an empty or malformed name.
        """
        return User(
            self._engine,
            Scope(
                tenant=scope_name(tenant, "tenant"),
                user=scope_name(user, "user"),
                agent=scope_name(agent, "agent", empty=True),
            ),
        )

    def erase(self, user: str, *, tenant: str = "default") -> Receipt:
        """Erase all that is held on a user, in the parts of every agent.

        Messages, index, vectors and folds are gone from the file when this returns; random ids
        and salted hashes stay, so that a backup does not bring anything back.
        """
        scope_name(user, "user")
        scope_name(tenant, "tenant")
        items = tuple(
            item
            for owner in self._engine.store.owners()
            if (owner.tenant, owner.user) == (tenant, user)
            for item in User(self._engine, owner).erase(everything=True).items
        )
        return Receipt(items=items)

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all vectors and folds that are due have been made.

        Returns False when ``timeout`` seconds were not enough. Raises what made the background
        fail, if it did.
        """
        return self._engine.flush(seconds(timeout, "timeout"))

    def reindex(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Make passages, vectors and folds of everything anew; returns the number of vectors.

        For another embedder than the one on file (until then search goes by words), or a newer
        memfold. ``progress(done, total)`` is called after each batch, in passages. What was
        done stays done when this is interrupted. Raises EmbedderFailed, and InvalidInput where
        there are vectors on file but no embedder to make them anew: nothing is dropped then.
        """
        function(progress, "progress")
        engine = self._engine
        engine.adopt_embedder()
        owners = engine.store.owners()
        for owner in owners:
            engine.store.drop_derived(owner)
            User(engine, owner).renew_passages()
        engine.start_over()
        total = sum(engine.store.counts(owner).passages for owner in owners)
        done = 0

        def report(count: int) -> None:
            nonlocal done
            done = min(done + count, total)
            if progress is not None:
                progress(done, total)

        for owner in owners:
            engine.embed_pending(owner, on_batch=report)
            engine.catch_up(owner)
        report(total)
        return sum(engine.store.counts(owner).vectors for owner in owners)

    def owners(self) -> list[Scope]:
        """Every tenant, user and agent that has something stored (an operator's view)."""
        return self._engine.store.owners()

    def size(self) -> int:
        """Bytes on disk."""
        return self._engine.store.size()

    def close(self) -> None:
        """Close the file. What the background had not made yet is made after the next opening."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

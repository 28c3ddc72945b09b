"""What every handle shares: the store, the parts plugged in, the indexes, the background worker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo

import numpy as np

from memfold.facade.checks import moment
from memfold.facade.drafting import Drafter
from memfold.facade.folding import Folder
from memfold.facade.indexes import Indexes
from memfold.facade.worker import Worker
from memfold.protocols import Embedder, Reranker, Store, TokenCounter
from memfold.recall.index import Floats
from memfold.rows import PassageRef, VectorRow
from memfold.text.chat import from_bytes, readable
from memfold.types import Scope

_EMBED_BATCH = 64
# Passages that a search may embed itself, so that what was just said is found by its meaning.
_EMBED_NOW = 16


class Engine:
    """The wiring. Handles for users and sessions call it; nothing here knows of them."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder | None,
        counter: TokenCounter,
        reranker: Reranker | None,
        folder: Folder,
        clock: Callable[[], datetime],
        zone: tzinfo,
        background: bool,
        max_index_bytes: int,
    ) -> None:
        self.store = store
        self.counter = counter
        self.reranker = reranker
        self.folder = folder
        self.zone = zone
        self.drafter = Drafter(counter=counter, zone=zone)
        self.background = background
        self._embedder = embedder
        self._clock = clock
        self._fingerprint: str | None = None
        self._lock = threading.Lock()
        self.indexes = Indexes(store, dimension=lambda: self.dimension, max_bytes=max_index_bytes)
        self.worker = Worker(self.catch_up, store.owners)

    def now(self) -> datetime:
        """The clock's time, in UTC; a naive one is read in the memory's zone."""
        return moment(self._clock(), self.zone, what="the clock's time")

    @property
    def embedder(self) -> Embedder | None:
        """The embedder, when the vectors on file are its own; otherwise search goes by words."""
        if self._embedder is None:
            return None
        with self._lock:
            if self._fingerprint is None:
                self._fingerprint = self.store.embedder()
            if not self._fingerprint:
                self.store.use_embedder(self._embedder.fingerprint)
                self._fingerprint = self._embedder.fingerprint
            return self._embedder if self._fingerprint == self._embedder.fingerprint else None

    @property
    def dimension(self) -> int:
        """Length of the vectors that can be searched, 0 when there are none."""
        embedder = self.embedder
        return embedder.dimension if embedder is not None else 0

    def adopt_embedder(self) -> None:
        """Make the plugged-in embedder the file's own; all vectors have to be made again."""
        if self._embedder is None:
            return
        with self._lock:
            self.store.use_embedder(self._embedder.fingerprint)
            self._fingerprint = self._embedder.fingerprint
        self.indexes.forget()

    def embed_query(self, text: str) -> Floats | None:
        """The vector of a query, or None without a usable embedder."""
        embedder = self.embedder
        return embedder.embed([text])[0] if embedder is not None else None

    def embed_pending(
        self,
        scope: Scope,
        *,
        after: int = 0,
        most: int | None = None,
        on_batch: Callable[[int], None] | None = None,
    ) -> int:
        """Make missing vectors of an owner, in batches that are each kept; returns how many."""
        embedder = self.embedder
        if embedder is None:
            return 0
        made = 0
        while most is None or made < most:
            limit = _EMBED_BATCH if most is None else min(_EMBED_BATCH, most - made)
            passages = self.store.without_vector(scope, after, limit)
            if not passages:
                break
            vectors = embedder.embed([_text(passage) for passage in passages])
            self.store.put_vectors(scope, _rows(passages, vectors))
            made += len(passages)
            # The last message may have more parts than fitted the batch: stay on it.
            after = max(after, passages[-1].seq - 1)
            if on_batch is not None:
                on_batch(len(passages))
        return made

    def catch_up_search(self, scope: Scope, first: int, pending: int) -> bool:
        """Make the few vectors that a search would miss; False when there are too many."""
        if pending > _EMBED_NOW:
            return False
        return self.embed_pending(scope, after=first - 1, most=pending) > 0

    def catch_up(self, scope: Scope) -> None:
        """Make all that is due for an owner: vectors, then folds."""
        self.embed_pending(scope, on_batch=lambda _: self.worker.breathe())
        for session in self.store.sessions(scope):
            self.worker.breathe()
            self.folder.fold(_narrow(scope, session.id))

    def wrote(self, scope: Scope) -> None:
        """Have what a write made due done: now, or in the background."""
        owner = Scope(tenant=scope.tenant, user=scope.user, agent=scope.agent)
        if self.background:
            self.worker.notify(owner)
        else:
            self.embed_pending(owner)
            if scope.session is not None:
                self.folder.fold(scope)

    def full_tokens(self, scope: Scope) -> int:
        """What all of the owner's living messages cost together."""
        with self.indexes.current(scope) as held:
            messages = held.index.messages
            return int(messages["tokens"][messages["alive"]].sum())

    @contextmanager
    def foreground(self) -> Iterator[None]:
        """While a caller waits: the background makes room."""
        with self.worker.waiting():
            yield

    def close(self) -> None:
        """Stop the background (what is due stays on file) and close the store."""
        self.worker.stop()
        self.store.close()


def system_clock() -> datetime:
    """The system's time, in UTC."""
    return datetime.now(UTC)


def _narrow(scope: Scope, session: str) -> Scope:
    return Scope(tenant=scope.tenant, user=scope.user, agent=scope.agent, session=session)


def _text(passage: PassageRef) -> str:
    return readable(from_bytes(passage.body))[passage.start : passage.end]


def _rows(passages: Sequence[PassageRef], vectors: Floats) -> list[VectorRow]:
    halves = np.asarray(vectors, dtype="<f2")
    return [
        VectorRow(seq=passage.seq, part=passage.part, vector=half.tobytes())
        for passage, half in zip(passages, halves, strict=True)
    ]

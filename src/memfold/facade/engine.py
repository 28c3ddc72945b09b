"""What every handle shares: the store, the parts plugged in, the indexes, the background worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from memfold.errors import EmbedderFailed, InvalidInput, StoreBusy, StoreReadOnly
from memfold.facade.checks import moment
from memfold.facade.complaints import Complaints
from memfold.facade.drafting import Drafter
from memfold.facade.embedding import CheckedEmbedder
from memfold.facade.indexes import Indexes
from memfold.facade.keeping import Keeper
from memfold.facade.rewriting import Folding
from memfold.facade.vectors import Texts, query_vector, vectors_of
from memfold.facade.worker import Worker
from memfold.protocols import Reranker, Store, TokenCounter
from memfold.recall.index import Floats
from memfold.types import Scope, Usage

_EMBED_BATCH = 64
# Passages that a search may embed itself, so that what was just said is found by its meaning.
_EMBED_NOW = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was made before a write returned: at what cost of models, and why not all of it."""

    usage: Usage = field(default_factory=Usage)
    failure: str = ""


class Engine:
    """The wiring. Handles for users and sessions call it; nothing here knows of them."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: CheckedEmbedder | None,
        counter: TokenCounter,
        reranker: Reranker | None,
        folding: Folding,
        clock: Callable[[], datetime],
        zone: tzinfo,
        background: bool,
        max_index_bytes: int,
    ) -> None:
        self.store = store
        self.counter = counter
        self.reranker = reranker
        self.folder = folding.folder
        self.keeper = Keeper(folding.rules.extractor)
        self.rules = folding.rules
        self.rewriter = folding.rewriter
        self.zone = zone
        self.drafter = Drafter(counter=counter, zone=zone)
        self.background = background
        self._embedder = embedder
        self._clock = clock
        self._fingerprint: str | None = None
        self._embedded: dict[Scope, int] = {}
        self._read_only = False
        self._lock = threading.Lock()
        self.complaints = Complaints()
        self.indexes = Indexes(store, dimension=lambda: self.dimension, max_bytes=max_index_bytes)
        self.worker = Worker(self.catch_up, store.owners)
        # Apart from the other: a model may take a minute for what the rest of the work waits for.
        self._writer = Worker(self._write, store.owners)

    def now(self) -> datetime:
        """The clock's time, in UTC; a naive one is read in the memory's zone."""
        return moment(self._clock(), self.zone, what="the clock's time")

    @property
    def embedder(self) -> CheckedEmbedder | None:
        """The embedder, when the vectors on file are its own; otherwise search goes by words."""
        try:
            return self._usable()
        except (EmbedderFailed, StoreReadOnly) as error:
            # In a file that may not be written and names no embedder, there are no vectors.
            self.complaints.about(error)
            return None

    def _usable(self) -> CheckedEmbedder | None:
        """As ``embedder``, but raises EmbedderFailed when it cannot even tell its name."""
        if self._embedder is None:
            return None
        with self._lock:
            own = self._embedder.fingerprint
            if self._fingerprint is None:
                found = self.store.embedder() or own
                if found == own:
                    # Said even where it is so already: should another process change it, this
                    # store then gives no vectors and takes none.
                    self.store.use_embedder(own)
                self._fingerprint = found
            return self._embedder if self._fingerprint == own else None

    @property
    def dimension(self) -> int:
        """Length of the vectors that can be searched, 0 when there are none."""
        embedder = self.embedder
        return embedder.dimension if embedder is not None else 0

    def adopt_embedder(self) -> None:
        """Make the plugged-in embedder the file's own; all vectors have to be made again.

        Tried out first, as those on file are gone then.
        """
        if self._embedder is None:
            if self.store.embedder():
                raise InvalidInput(
                    "there are vectors on file, and no embedder to make them anew: open the"
                    " memory with one to reindex it"
                )
            return
        self._embedder.embed(["memfold"])
        with self._lock:
            self.store.use_embedder(self._embedder.fingerprint)
            self._fingerprint = self._embedder.fingerprint
        self.start_over()

    def start_over(self) -> None:
        """Forget what is held in memory: what is derived is being made anew."""
        self.indexes.forget()
        self.forget_folds()
        self._embedded.clear()

    def forget_folds(self) -> None:
        """Forget the folds that are held in memory, and what stands outside them."""
        self.folder.forget()
        self.keeper.forget()

    def embed_query(self, text: str) -> Floats | None:
        """The vector of a query, or None without an embedder that can be used and works."""
        embedder = self.embedder
        if embedder is None:
            return None
        try:
            vector = query_vector(text, embedder)
        except EmbedderFailed as error:
            self.complaints.about(error)
            return None
        self.complaints.over()
        return vector

    def embed_pending(
        self,
        scope: Scope,
        *,
        after: int = 0,
        most: int | None = None,
        on_batch: Callable[[int], None] | None = None,
    ) -> int:
        """Make missing vectors of an owner, in batches that are each kept; returns how many."""
        embedder = self._usable()
        if embedder is None:
            return 0
        made = 0
        read = Texts()
        while most is None or made < most:
            limit = _EMBED_BATCH if most is None else min(_EMBED_BATCH, most - made)
            passages = self.store.without_vector(scope, after, limit)
            if not passages:
                break
            self.store.put_vectors(scope, vectors_of(passages, embedder, read))
            made += len(passages)
            # The last message may have more parts than fitted the batch: stay on it.
            after = max(after, passages[-1].seq - 1)
            if on_batch is not None:
                on_batch(len(passages))
        return made

    def catch_up_search(self, scope: Scope, first: int, pending: int) -> bool:
        """Make the few vectors that a search would miss; False when that cannot be now."""
        if self._read_only:
            return False  # what is not kept would be made for every search again
        if pending > _EMBED_NOW:
            if self.background:
                self.worker.notify(scope)  # left over from an earlier process, perhaps
            return False
        try:
            return self.embed_pending(scope, after=first - 1, most=pending) > 0
        except (EmbedderFailed, StoreReadOnly, StoreBusy) as error:
            self._read_only = isinstance(error, StoreReadOnly)
            self.complaints.about(error)
            return False

    def catch_up(self, scope: Scope) -> None:
        """Make all that is due: the owner's vectors, then folds, of the scope's session or all.

        Folds are made also when vectors cannot be; EmbedderFailed is raised afterwards.
        """
        owner = replace(scope, session=None)
        failed: EmbedderFailed | None = None
        try:
            self._embed_rest(owner)
        except EmbedderFailed as error:
            failed = error
        names = [scope.session] if scope.session is not None else self._sessions(owner)
        for name in names:
            self.worker.breathe()
            self.folder.fold(replace(owner, session=name))
        if self.rewriter is not None and self.background:
            self._writer.notify(scope)
        elif self.rewriter is not None:
            self._write(scope)
        if failed is not None:
            raise failed

    def _write(self, scope: Scope) -> None:
        """Have a model write the folds that await one, and look again when that is of use."""
        owner = replace(scope, session=None)
        for name in [scope.session] if scope.session is not None else self._sessions(owner):
            if self.rewriter is None:
                return
            session = replace(owner, session=name)
            again = self.rewriter.rewrite(session, self._writer)
            if again is not None and self.background:
                self._writer.later(session, (again - self.now()).total_seconds())

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until nothing is due; False when ``timeout`` seconds were not enough.

        Raises what made the background fail since the last time.
        """
        until = time.monotonic() + timeout if timeout is not None else None
        if not self.worker.flush(timeout):
            return False
        if self.rewriter is None or not self.background:
            return True
        return self._writer.flush(until - time.monotonic() if until is not None else None)

    def _embed_rest(self, owner: Scope) -> None:
        """Make the owner's missing vectors, looking no further back than where all had them."""
        start = self._embedded.get(owner, 0)
        waiting = self.store.without_vector(owner, start, 1)
        if waiting:
            self.embed_pending(owner, after=start, on_batch=lambda _: self.worker.breathe())
            self._embedded[owner] = waiting[0].seq - 1

    def _sessions(self, owner: Scope) -> list[str]:
        return [row.id for row in self.store.sessions(owner)]

    def wrote(self, scope: Scope) -> Made:
        """Have what a write made due done: now, or in the background.

        Never raises: what was written is written, and must not be taken for lost.
        """
        if self.background:
            self.worker.notify(scope)
            return Made()
        usage, failure = Usage(), ""
        try:
            before = self.spent(scope)
            try:
                self.catch_up(scope)
            finally:
                usage = self.spent(scope) - before
        except Exception as error:  # a plugged-in part may raise anything
            self.complaints.about(error)
            failure = str(error) or type(error).__name__
        else:
            self.complaints.over()
        return Made(usage=usage, failure=failure)

    def spent(self, scope: Scope) -> Usage:
        """What models have cost the owner so far; not looked up where there are none."""
        return self.store.spent(scope) if self.rewriter is not None else Usage()

    def full_tokens(self, scope: Scope) -> int:
        """What all of the owner's living messages cost together."""
        with self.indexes.current(scope) as held:
            messages = held.index.messages
            return int(messages["tokens"][messages["alive"]].sum())

    @contextmanager
    def foreground(self) -> Iterator[None]:
        """While a caller waits: the background makes room."""
        with self.worker.waiting(), self._writer.waiting():
            yield

    def close(self) -> None:
        """Stop the background (what is due stays on file) and close the store."""
        self.worker.stop()
        self._writer.stop()
        self.store.close()


def system_clock() -> datetime:
    """The system's time, in UTC."""
    return datetime.now(UTC)

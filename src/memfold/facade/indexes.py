"""Indexes in memory, one an owner: brought up to date before each search, dropped when old."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from memfold.protocols import Store
from memfold.recall.index import MemoryIndex
from memfold.recall.neighbours import Neighbours, neighbours
from memfold.types import Scope


class Held:
    """One owner's index with the lock under which it is read and changed."""

    def __init__(self, dimension: int) -> None:
        self.lock = threading.Lock()
        self.dimension = dimension
        self.index = MemoryIndex(dimension)
        self._around: Neighbours | None = None

    def refresh(self, store: Store, scope: Scope) -> None:
        """Take in what was written since, by this process or another."""
        delta = store.index(scope, self.index.cursor)
        if delta.reset:
            self.index = MemoryIndex(self.dimension)
            self._around = None
        if delta.rows or delta.gone:
            self._around = None
        self.index.apply(delta)
        span = self.index.unembedded_span()
        if span is not None and self.dimension:
            self.index.take(store.vectors(scope, *span))

    @property
    def around(self) -> Neighbours:
        """Who stands around whom, worked out when first asked for after a change."""
        if self._around is None:
            self._around = neighbours(self.index)
        return self._around

    @property
    def bytes(self) -> int:
        """Roughly what it takes in memory."""
        return self.index.vectors.nbytes + 400 * len(self.index)


class Indexes:
    """The indexes of the owners lately searched."""

    def __init__(self, store: Store, *, dimension: Callable[[], int], max_bytes: int) -> None:
        """``dimension`` of the vectors, 0 when there are none; ``max_bytes`` to hold in all."""
        self._store = store
        self._dimension = dimension
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._held: OrderedDict[Scope, Held] = OrderedDict()

    @contextmanager
    def current(self, scope: Scope) -> Iterator[Held]:
        """The owner's index, up to date, for this thread alone while it is used."""
        owner = replace(scope, session=None)
        dimension = self._dimension()
        with self._lock:
            held = self._held.get(owner)
            if held is None or held.dimension != dimension:  # as when an embedder is back
                held = self._held[owner] = Held(dimension)
            self._held.move_to_end(owner)
        with held.lock:
            held.refresh(self._store, owner)
            yield held
        self._trim()

    def _trim(self) -> None:
        with self._lock:
            total = sum(held.bytes for held in self._held.values())
            while total > self._max_bytes and len(self._held) > 1:
                _, oldest = self._held.popitem(last=False)
                total -= oldest.bytes

    def forget(self) -> None:
        """Drop them all, as when the embedder changed."""
        with self._lock:
            self._held.clear()

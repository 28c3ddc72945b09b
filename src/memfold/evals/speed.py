"""How fast memfold is: single writes, bulk ingest, contexts over long histories; what it holds."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

from memfold import Memory, User
from memfold import __version__ as version
from memfold.embedders.use import UniversalSentenceEncoder
from memfold.errors import InvalidInput
from memfold.evals import synthetic
from memfold.evals.machine import machine
from memfold.evals.resident import resident_with
from memfold.evals.stopwatch import Stopwatch
from memfold.evals.tally import Progress
from memfold.types import JSON

SIZES: Final = (1_000, 10_000, 100_000)
BUDGET: Final = 2_000
"""Tokens of the contexts that are timed."""

_USER = "speed"
_SESSION = 500  # messages a session, and a call of extend
_EMBED_BATCH = 64
_POLL = 0.05  # seconds
_WARM_UP = 5
_RESIDENT_AT = 10_000
_MB = 1_000_000

Batch = tuple[list[JSON], list[datetime]]


def speed(
    *,
    sizes: Sequence[int] = SIZES,
    adds: int = 300,
    bulk: int = 3_000,
    questions: int = 50,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Time memfold on made-up chat in English and Chinese, on files in a temporary folder.

    ``sizes`` are lengths of one user's history at which contexts of 2,000 tokens are timed,
    ``adds`` and ``questions`` how many calls, ``bulk`` how many messages are ingested at a time.
    ``progress`` is called with messages done and all of them. The machine should be idle.
    Raises InvalidInput for a number below one.
    """
    if not sizes or min(*sizes, adds, bulk, questions) < 1:
        raise InvalidInput("sizes and counts are positive numbers")
    began = time.perf_counter()
    # Twice in bulk: with vectors and without.
    bench = _Bench(total=adds + 2 * bulk + max(sizes), progress=progress)
    with tempfile.TemporaryDirectory(prefix="memfold-speed-") as folder:
        result = {
            "version": version,
            "machine": machine(),
            "add_ms": bench.adds(Path(folder) / "adds.db", adds),
            "ingest_per_second": bench.ingest(Path(folder), bulk),
            **bench.contexts(Path(folder) / "contexts.db", sorted(set(sizes)), questions),
        }
    return {**result, "seconds": round(time.perf_counter() - began, 1)}


class _Bench:
    """Runs the measurements with memfold's own embedder."""

    def __init__(self, *, total: int, progress: Progress | None) -> None:
        self._embedder = UniversalSentenceEncoder()
        self._total = total
        self._progress = progress
        self._done = 0

    def adds(self, path: Path, count: int) -> dict[str, float]:
        """Durable writes of single messages to a history of a session."""
        watch = Stopwatch()
        with self._memory(path) as memory:
            told = _tell(memory.user(_USER), _batches(0, _SESSION))
            memory.flush()
            session = memory.user(_USER).session("live")
            for message, at in islice(synthetic.messages(told + count), told, None):
                with watch.timed("add"):
                    session.add(message["role"], message["content"], at=at)
                self._advance(1)
        return _percentiles(watch, "add")

    def ingest(self, folder: Path, count: int) -> dict[str, float]:
        """Messages a second in bulk: with vectors, with folds too, and of the embedder alone.

        Without vectors, the time is that until all can be searched by their words.
        """
        texts = [message["content"] for message, _ in synthetic.messages(count)]
        batches = list(_batches(0, count))  # made up beforehand: that is not memfold's time
        before = self._alone(texts)
        with self._memory(folder / "vectors.db") as memory, ThreadPoolExecutor(1) as pool:
            user = memory.user(_USER)
            with _timed() as with_folds:
                with _timed() as with_vectors:
                    _tell(user, batches, on_batch=self._advance)
                    flushing = pool.submit(memory.flush)
                    while user.stats().pending and not flushing.done():
                        time.sleep(_POLL)
                flushing.result()
        after = self._alone(texts)
        with Memory(folder / "words.db", embedder=None) as memory, _timed() as without:
            _tell(memory.user(_USER), batches, on_batch=self._advance)
        alone = (before + after) / 2
        return {
            "messages": count,
            "with_vectors": round(count / with_vectors(), 1),
            "with_folds": round(count / with_folds(), 1),
            "embedder_alone": round(count / alone, 1),
            "ratio": round(alone / with_vectors(), 3),
            "without_vectors": round(count / without(), 1),
        }

    def contexts(self, path: Path, sizes: Sequence[int], count: int) -> dict[str, Any]:
        """Contexts over one history that grows to each of the sizes; resident memory on the way."""
        context_ms = {}
        resident = {}
        at = min(sizes, key=lambda size: abs(size - _RESIDENT_AT))
        with self._memory(path) as memory:
            user = memory.user(_USER)
            told = 0
            for size in sizes:
                told = _tell(user, _batches(told, size), first=told, on_batch=self._advance)
                memory.flush()
                context_ms[str(size)] = _asked(user, count)
                if size == at:
                    held = resident_with(path, _USER, synthetic.questions(1)[0])
                    resident = {"messages": size, "mb": round(held / _MB) if held else None}
        return {"context_ms": context_ms, "resident": resident}

    def _memory(self, path: Path) -> Memory:
        return Memory(path, embedder=self._embedder)

    def _alone(self, texts: Sequence[str]) -> float:
        """Seconds that the embedder takes for the texts, in batches as large as memfold's."""
        self._embedder.embed(texts[:_EMBED_BATCH])
        with _timed() as taken:
            for first in range(0, len(texts), _EMBED_BATCH):
                self._embedder.embed(texts[first : first + _EMBED_BATCH])
        return taken()

    def _advance(self, count: int) -> None:
        self._done += count
        if self._progress is not None:
            self._progress(self._done, self._total)


def _tell(
    user: User,
    batches: Iterable[Batch],
    *,
    first: int = 0,
    on_batch: Callable[[int], None] = lambda _: None,
) -> int:
    """Write made-up messages, the first of them number ``first``, a session at a time.

    Returns the number of the next one.
    """
    written = first
    for messages, times in batches:
        user.session(f"session-{written}").extend(messages, at=times)
        written += len(messages)
        on_batch(len(messages))
    return written


def _batches(first: int, until: int) -> Iterator[Batch]:
    source = islice(synthetic.messages(until), first, None)
    while batch := list(islice(source, _SESSION)):
        yield [message for message, _ in batch], [at for _, at in batch]


def _asked(user: User, count: int) -> dict[str, float]:
    """Time contexts for questions put a day after the last message, in the last session."""
    watch = Stopwatch()
    last = user.sessions()[-1]
    session = user.session(last.id)
    now = (last.last or synthetic.BEGAN) + timedelta(days=1)
    for number, question in enumerate(synthetic.questions(_WARM_UP + count)):
        # The first ones read the index into memory, which a process does once.
        with watch.timed("context" if number >= _WARM_UP else "warm-up"):
            session.context(question, max_tokens=BUDGET, now=now)
    return _percentiles(watch, "context")


def _percentiles(watch: Stopwatch, name: str) -> dict[str, float]:
    return {"p50": watch.milliseconds(name, 0.5), "p95": watch.milliseconds(name, 0.95)}


@contextmanager
def _timed() -> Iterator[Callable[[], float]]:
    """The seconds that what is inside took, once it is over."""
    began = time.perf_counter()
    ended = began
    yield lambda: ended - began
    ended = time.perf_counter()

"""How long each kind of call took."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from memfold.evals.metrics import percentile

_MS = 1000
_DIGITS = 3


class Stopwatch:
    """Collects durations by name."""

    def __init__(self) -> None:
        self._taken: defaultdict[str, list[float]] = defaultdict(list)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        began = time.perf_counter()
        yield
        self._taken[name].append(time.perf_counter() - began)

    def has(self, name: str) -> bool:
        """Tell whether anything by this name was timed."""
        return bool(self._taken[name])

    def milliseconds(self, name: str, share: float) -> float:
        """The duration that ``share`` of those by this name stay under, in milliseconds."""
        return round(percentile(self._taken[name], share) * _MS, _DIGITS)

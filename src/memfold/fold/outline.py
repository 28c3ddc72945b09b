"""Which folds stand for the past in a context, and how finely."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Generic, Literal, Protocol, TypeVar

from memfold.fold.config import RUNNING, FoldConfig

Form = Literal["text", "headline"]


class Folded(Protocol):
    """The part of a fold that the choice depends on; ``types.Fold`` has it."""

    @property
    def level(self) -> int:
        """1 for a segment."""
        ...

    @property
    def index(self) -> int:
        """Its number within its level."""
        ...

    @property
    def first(self) -> int:
        """Position of its span's first message."""
        ...

    @property
    def last(self) -> int:
        """Position of its span's last message."""
        ...

    @property
    def tokens(self) -> int:
        """Tokens of its text."""
        ...

    @property
    def headline_tokens(self) -> int:
        """Tokens of its headline."""
        ...


F = TypeVar("F", bound=Folded)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlinePiece(Generic[F]):
    """One fold of an outline, by its whole text or by its headline.

    ``tokens`` is what it costs, the caller's ``overhead`` included.
    """

    fold: F
    form: Form
    tokens: int


def outline(
    folds: Iterable[F], before: int, budget: int, config: FoldConfig, *, overhead: int = 0
) -> list[OutlinePiece[F]]:
    """Return the folds that stand for all that is older than position ``before``, oldest first.

    ``folds`` are those of one session, all levels; the pieces cover every position below
    ``before`` that any of them covers without reaching ``before``, each once. The coarsest
    cover, O(log n) headlines for n messages, is refined while ``budget`` tokens allow: a headline
    becomes the text, a text its children's headlines, and so on, where that gains most per token.
    Messages weigh less the older they are, 1 / (segment length + age), and t tokens on a span of
    weight w count √(w·t), so that the recent past gets fine first and each further token on the
    same span helps less. Where the coarsest headlines do not fit, as many of the newest are kept
    as do. ``overhead`` tokens are added for each piece.
    """
    levels = _by_level(folds, before)
    roots = _coarsest(levels, config.fan_out)
    pieces = [_coarse(fold, overhead) for fold in roots]
    spent = sum(piece.tokens for piece in pieces)
    dropped = 0
    while spent > budget and dropped < len(pieces):
        spent -= pieces[dropped].tokens
        dropped += 1
    refinement = _Refinement(levels, before, config, overhead)
    return refinement.refine(pieces[dropped:], budget - spent)


def coarsest(folds: Iterable[F], before: int, config: FoldConfig) -> list[F]:
    """Return the fewest folds that cover what any of them covers below ``before``, oldest first."""
    return _coarsest(_by_level(folds, before), config.fan_out)


def _by_level(folds: Iterable[F], before: int) -> dict[int, dict[int, F]]:
    levels: dict[int, dict[int, F]] = {}
    for fold in folds:
        if fold.last < before and fold.level > RUNNING:
            levels.setdefault(fold.level, {})[fold.index] = fold
    return levels


def _coarsest(levels: dict[int, dict[int, F]], fan_out: int) -> list[F]:
    """Return the folds without a parent, oldest first."""
    roots: list[F] = []
    for level, known in levels.items():
        above = levels.get(level + 1, {})
        roots += [fold for index, fold in known.items() if index // fan_out not in above]
    return sorted(roots, key=_first)


def _first(fold: Folded) -> int:
    return fold.first


def _coarse(fold: F, overhead: int) -> OutlinePiece[F]:
    if fold.tokens <= fold.headline_tokens:
        return OutlinePiece(fold=fold, form="text", tokens=fold.tokens + overhead)
    return OutlinePiece(fold=fold, form="headline", tokens=fold.headline_tokens + overhead)


class _Refinement(Generic[F]):
    """Replaces pieces by finer ones, the best gain per token first."""

    def __init__(
        self, levels: dict[int, dict[int, F]], before: int, config: FoldConfig, overhead: int
    ) -> None:
        self._levels = levels
        self._before = before
        self._config = config
        self._overhead = overhead

    def refine(self, pieces: Sequence[OutlinePiece[F]], budget: int) -> list[OutlinePiece[F]]:
        shown: dict[int, OutlinePiece[F]] = {piece.fold.first: piece for piece in pieces}
        heap: list[tuple[float, int]] = []
        for piece in pieces:
            self._offer(heap, piece)
        while heap:
            piece = shown[-heapq.heappop(heap)[1]]
            finer = self._finer(piece)
            extra = sum(part.tokens for part in finer) - piece.tokens
            if extra > budget:
                continue
            budget -= extra
            for part in finer:
                shown[part.fold.first] = part
                self._offer(heap, part)
        return [shown[first] for first in sorted(shown)]

    def _offer(self, heap: list[tuple[float, int]], piece: OutlinePiece[F]) -> None:
        finer = self._finer(piece)
        if not finer:
            return
        extra = sum(part.tokens for part in finer) - piece.tokens
        gain = sum(self._worth(part) for part in finer) - self._worth(piece)
        rate = gain / extra if extra > 0 else inf
        # Of equals the newest first.
        heapq.heappush(heap, (-rate, -piece.fold.first))

    def _finer(self, piece: OutlinePiece[F]) -> list[OutlinePiece[F]]:
        fold = piece.fold
        if piece.form == "headline":
            return [OutlinePiece(fold=fold, form="text", tokens=fold.tokens + self._overhead)]
        below = self._levels.get(fold.level - 1, {})
        fan_out = self._config.fan_out
        indices = range(fold.index * fan_out, (fold.index + 1) * fan_out)
        children = [below[index] for index in indices if index in below]
        # With a child missing (a half-done rebuild) the parent alone tells of its part.
        whole = len(children) == fan_out
        return [_coarse(child, self._overhead) for child in children] if whole else []

    def _worth(self, piece: OutlinePiece[F]) -> float:
        segment = self._config.segment_messages
        newest = segment + self._before - 1 - piece.fold.last
        oldest = segment + self._before - piece.fold.first
        return sqrt(log(oldest / newest) * piece.tokens)

"""The running summary: one text for all that was folded, made anew with each segment.

It is made of the folds as they stand and not of what it said before: what was lost once is not
lost for good, mistakes do not add up, and it comes out the same when everything is made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memfold.fold.config import RUNNING, FoldConfig
from memfold.fold.outline import coarsest, outline
from memfold.fold.plan import FoldJob
from memfold.types import Fold

# It is made of about so many times its own tokens: the recent past finely, the rest coarsely.
_SOURCE = 4


def running_due(
    spans: Sequence[tuple[int, int]], existing: Mapping[tuple[int, int], tuple[int, int]]
) -> FoldJob | None:
    """The running summary of all segments; None when it tells of them all."""
    _, reached = existing.get((RUNNING, 0), (0, -1))
    if not spans or spans[-1][1] <= reached:
        return None
    return FoldJob(level=RUNNING, index=0, first=0, last=spans[-1][1])


def running_parts(folds: Iterable[Fold], last: int, config: FoldConfig) -> list[Fold]:
    """The folds that the running summary up to position ``last`` is made of, oldest first."""
    standing = list(folds)
    roots = coarsest(standing, last + 1, config)
    least = sum(min(fold.tokens, fold.headline_tokens) for fold in roots)
    budget = max(_SOURCE * config.running_tokens, least)
    return [piece.fold for piece in outline(standing, last + 1, budget, config)]

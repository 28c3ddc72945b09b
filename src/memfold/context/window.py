"""Where the verbatim part of a context begins, so that it seldom moves.

A provider reuses what it computed for the unchanged beginning of a prompt. A window that gives up
its oldest message with every new one changes that beginning each time; this one keeps it until
it is full, then gives up a good part at once, at the border of a fold.
"""

from __future__ import annotations

from collections.abc import Sequence

from memfold.context.pieces import Material
from memfold.types import Fold

# What is given up at once, as a share of the room.
_STEP = 0.5


def steady(material: Material, costs: Sequence[int], room: int) -> int | None:
    """Index of the first unit of the past in a window of at most ``room`` tokens.

    ``costs`` are those of the units. The same for every moment until ``room`` is full again: it
    depends on the session from its beginning, not on what was shown before. None where no border
    does, as when folding lags behind.
    """
    segments = sorted((f for f in material.folds if f.level == 1), key=lambda fold: fold.first)
    if not segments or not material.past:
        return None
    unfolded = [
        cost
        for unit, cost in zip(material.past, costs, strict=True)
        if unit.messages[0].position > segments[-1].last
    ]
    total = sum(map(_tokens, segments)) + sum(unfolded)
    step = max(int(room * _STEP), 1)
    given_up = max(0, -(-(total - room) // step) * step)
    before = 0
    for fold in segments:
        if before >= given_up:
            found = _index(material, fold.first)
            if found is not None and sum(costs[found:]) <= room:
                return found
        before += _tokens(fold)
    found = _index(material, segments[-1].last + 1)
    return found if found is not None and sum(costs[found:]) <= room else None


def _tokens(fold: Fold) -> int:
    return fold.masked_tokens or fold.source_tokens


def _index(material: Material, position: int) -> int | None:
    """The unit that begins at or after a position; None when that is not among those read."""
    if material.past[0].messages[0].position > position and not material.from_start:
        return None
    for index, unit in enumerate(material.past):
        if unit.messages[0].position >= position:
            return index
    return None

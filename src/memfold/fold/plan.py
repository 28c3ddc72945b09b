"""Which spans of a session are to be folded.

Segments follow one another without a gap from the session's first message. Where one ends
depends only on the messages up to the next one, so that what is appended later moves no border
and the same session is always cut in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memfold.fold.config import FoldConfig

# A call that is never answered, or an endless row of results, holds a segment open for so many
# times its length; the fold is a summary only, in the ledger call and results stay together.
_PATIENCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What planning must know of a message: ids of the tool calls it makes and answers."""

    opens: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldJob:
    """A fold that is to be made.

    ``first`` and ``last`` are the positions of its span (inclusive); ``children`` the indices
    of the folds one level below that it is made of, none at level 1.
    """

    level: int
    index: int
    first: int
    last: int
    children: tuple[int, ...] = ()


def segments(
    shapes: Sequence[Shape], config: FoldConfig, *, start: int = 0
) -> list[tuple[int, int]]:
    """Return the spans (inclusive positions) of the segments that are ready to be folded.

    A segment ends as soon as it has ``segment_messages`` messages, no tool call in it is open
    and the next message is no tool result; at four times that length it ends in any case. Ready
    are those that lie wholly before the last ``window`` messages and have a message after them.
    ``shapes[0]`` stands at position ``start``, which is 0 or follows the end of a segment: a
    caller that knows the earlier segments need not give them again.
    """
    spans: list[tuple[int, int]] = []
    first = 0
    waiting: set[str] = set()
    for at in range(min(len(shapes) - config.window, len(shapes) - 1)):
        waiting.update(shapes[at].opens)
        waiting.difference_update(shapes[at].answers)
        length = at - first + 1
        if length < config.segment_messages:
            continue
        is_held = bool(waiting or shapes[at + 1].answers)
        if not is_held or length >= _PATIENCE * config.segment_messages:
            spans.append((start + first, start + at))
            first = at + 1
            waiting.clear()
    return spans


def due(
    spans: Sequence[tuple[int, int]],
    existing: Mapping[tuple[int, int], tuple[int, int]],
    config: FoldConfig,
) -> list[FoldJob]:
    """Return the folds that are missing, lowest level first, so that children precede parents.

    ``spans`` are all segments of the session from its beginning, ``existing`` maps (level,
    index) of the folds there are to their spans. Fold k of level n + 1 is made of the folds
    k · ``fan_out`` to (k + 1) · ``fan_out`` − 1 of level n as soon as there are so many. A fold
    whose span has changed, or one of whose children is to be made, is made again.
    """
    jobs: list[FoldJob] = []
    level = 1
    redone: set[int] = set()
    while spans:
        below, redone = redone, set()
        for index, (first, last) in enumerate(spans):
            children = _children(level, index, config.fan_out)
            if existing.get((level, index)) == (first, last) and below.isdisjoint(children):
                continue
            redone.add(index)
            jobs.append(
                FoldJob(level=level, index=index, first=first, last=last, children=children)
            )
        spans = _above(spans, config.fan_out)
        level += 1
    return jobs


def _children(level: int, index: int, fan_out: int) -> tuple[int, ...]:
    return tuple(range(index * fan_out, (index + 1) * fan_out)) if level > 1 else ()


def _above(spans: Sequence[tuple[int, int]], fan_out: int) -> list[tuple[int, int]]:
    groups = range(0, len(spans) - fan_out + 1, fan_out)
    return [(spans[at][0], spans[at + fan_out - 1][1]) for at in groups]

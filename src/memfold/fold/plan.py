"""Which spans of a session are to be folded.

Segments follow one another without a gap from the session's first message. Where one ends
depends only on the messages up to the next one and a few beyond, so that what is appended later
moves no border and the same session is always cut in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from memfold.fold.config import FoldConfig

# A call that is never answered, or an endless row of results, holds a segment open for so many
# times its length; the fold is a summary only, in the ledger call and results stay together.
_PATIENCE = 4
# A segment may be shorter or longer by this share, to end where the topic does.
_SLACK = 0.2
# Messages on each side of a border whose words are compared.
_SIDE = 3
# After a pause a segment may end at this share of its length.
_AFTER_PAUSE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What planning must know of a message.

    ``opens`` and ``answers`` are ids of the tool calls it makes and answers, ``at`` is its time
    in microseconds, ``tokens`` what it costs (0 for tool output, which is masked before anything
    is folded), ``terms`` its informative words.
    """

    opens: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    at: int = 0
    tokens: int = 0
    terms: frozenset[str] = frozenset()


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
    shapes: Sequence[Shape],
    config: FoldConfig,
    *,
    start: int = 0,
    ends: Collection[int] = (),
) -> list[tuple[int, int]]:
    """Return the spans (inclusive positions) of the segments that are ready to be folded.

    A segment has about ``segment_messages`` messages and ends, within a fifth of that, where the
    words before and after have least in common; sooner after a pause of ``pause``, once it has
    ``segment_source_tokens``, or where the session was said to end (``ends``, the positions of
    what would come next). It never ends while a tool call in it is open or before a tool result,
    unless it has four times its length. Ready are those that lie wholly before the last
    ``window`` messages, or before an end, and have what decides on their border after them.
    ``shapes[0]`` stands at position ``start``, which is 0 or follows the end of a segment: a
    caller that knows the earlier segments need not give them again.
    """
    closed = [end - start for end in ends if 0 < end - start <= len(shapes)]
    latest = max(max(closed, default=0), min(len(shapes) - config.window, len(shapes) - 1))
    spans: list[tuple[int, int]] = []
    first = 0
    while (end := _end(shapes, config, first, frozenset(closed))) and end <= latest:
        spans.append((start + first, start + end - 1))
        first = end
    return spans


def _end(
    shapes: Sequence[Shape], config: FoldConfig, first: int, closed: frozenset[int]
) -> int | None:
    """Where the segment that begins at ``first`` ends (exclusive), None while that is open."""
    usual = config.segment_messages
    shortest, longest = ceil(usual * (1 - _SLACK)), int(usual * (1 + _SLACK))
    candidates: list[int] = []
    waiting: set[str] = set()
    tokens = 0
    for end in range(first + 1, len(shapes) + 1):
        if end in closed:
            return end
        if end == len(shapes):
            return None
        last, following = shapes[end - 1], shapes[end]
        waiting.update(last.opens)
        waiting.difference_update(last.answers)
        tokens += last.tokens
        length = end - first
        if length >= _PATIENCE * usual:
            return end
        if not waiting and not following.answers:
            paused = following.at - last.at >= config.pause.total_seconds() * 1e6
            if tokens >= config.segment_source_tokens:
                return end
            if paused and length >= ceil(usual * _AFTER_PAUSE):
                return end
            if length >= shortest:
                candidates.append(end)
        if length >= longest and candidates:
            return _loosest(shapes, first, candidates, usual, closed)
    return None


def _loosest(
    shapes: Sequence[Shape],
    first: int,
    candidates: Sequence[int],
    usual: int,
    closed: frozenset[int],
) -> int | None:
    """The border whose two sides have least in common; of equals the one nearest to the usual."""
    if len(candidates) == 1:
        return candidates[0]
    # What comes behind an end may not be there yet, and does not count.
    stop = min((end for end in closed if end > candidates[-1]), default=candidates[-1] + _SIDE)
    if stop > len(shapes):
        return None
    return min(
        candidates,
        key=lambda end: (_cohesion(shapes[first:stop], end - first), abs(end - first - usual)),
    )


def _cohesion(shapes: Sequence[Shape], end: int) -> float:
    """Share of words that both sides of a border have, as the cosine of their sets."""
    before = frozenset[str]().union(*(s.terms for s in shapes[max(0, end - _SIDE) : end]))
    after = frozenset[str]().union(*(s.terms for s in shapes[end : end + _SIDE]))
    if not before or not after:
        return 0.0
    return len(before & after) / sqrt(len(before) * len(after))


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

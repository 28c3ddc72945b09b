"""The headline of a fold: what it is about, on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memfold.fold.coverage import Selection, choose
from memfold.fold.lines import Layout
from memfold.fold.units import Candidate, Detail
from memfold.fold.weights import Weights
from memfold.text.truncation import truncate

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter

_ELLIPSIS = "…"
# "五个" or "9:00" alone tells nobody what a span is about.
_UNTELLING = frozenset(("number", "time", "date"))
_PARTIAL_WORD = re.compile(r"(?<=[\s,;:])[\w'-]+\Z|[\s,;:，；：、]+\Z", re.ASCII)


def headline(
    candidates: Sequence[Candidate],
    details: Iterable[Detail],
    weights: Weights,
    layout: Layout,
    limit: int,
    counter: TokenCounter,
) -> str:
    """Return at most ``limit`` tokens on one line: the sentences that say most of the span.

    Where none is short enough, the best one is cut; what room remains names the ``details``,
    given by importance, that are not in it.
    """
    chosen = choose(candidates, weights, layout, limit, {})
    text = _line(chosen, layout)
    while chosen and counter.count(text) > limit:
        chosen = chosen[:-1]
        text = _line(chosen, layout)
    if not text:
        text = _cut_best(candidates, weights, layout, limit, counter)
    return _with_details(text, details, layout, limit, counter)


def _line(chosen: Sequence[Candidate], layout: Layout) -> str:
    said = sorted(chosen, key=lambda each: each.order)
    return " ".join(layout.text((each.line, each.text) for each in said).split())


def _cut_best(
    candidates: Sequence[Candidate],
    weights: Weights,
    layout: Layout,
    limit: int,
    counter: TokenCounter,
) -> str:
    if not candidates:
        return ""
    best = max(candidates, key=Selection(weights, layout, limit, {}).gain)
    text = _line([best], layout)
    room = limit - counter.count(_ELLIPSIS)
    cut = _PARTIAL_WORD.sub("", truncate(text, room, counter))
    text = cut + _ELLIPSIS
    return text if cut and counter.count(text) <= limit else ""


def _with_details(
    text: str, details: Iterable[Detail], layout: Layout, limit: int, counter: TokenCounter
) -> str:
    room = limit - counter.count(text)
    for detail in details:
        if detail.entity.kind in _UNTELLING or detail.tokens > room or detail.text in text:
            continue
        longer = text + (layout.style.separator if text else "") + detail.text
        if counter.count(longer) <= limit:
            text = longer
            room -= detail.tokens
    return text

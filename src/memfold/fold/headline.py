"""The headline of a fold: what it is about, on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memfold.fold.coverage import choose, value
from memfold.fold.lines import Layout
from memfold.fold.units import Candidate, Detail
from memfold.fold.weights import Weights
from memfold.text.truncation import truncate

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter

_ELLIPSIS = "…"
# The share of a sentence's worth that is counted on when it is cut.
_CUT_LEAVES = 0.5
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

    Where none that matters is short enough, the best one is cut; what room remains names the
    ``details``, given by importance, that are not in it.
    """
    if not candidates:
        return _with_details("", details, layout, limit, counter)
    chosen = choose(candidates, weights, layout, limit, {})
    best = max(candidates, key=lambda each: value([each], weights, layout))
    if _CUT_LEAVES * value([best], weights, layout) > value(chosen, weights, layout):
        text = _cut(best, layout, limit, counter) or _whole(chosen, layout, limit, counter)
    else:
        text = _whole(chosen, layout, limit, counter) or _cut(best, layout, limit, counter)
    return _with_details(text, details, layout, limit, counter)


def _whole(chosen: Sequence[Candidate], layout: Layout, limit: int, counter: TokenCounter) -> str:
    """Return as many of the sentences, given best first, as fit when they are written down."""
    while chosen:
        text = _line(chosen, layout)
        if counter.count(text) <= limit:
            return text
        chosen = chosen[:-1]
    return ""


def _cut(sentence: Candidate, layout: Layout, limit: int, counter: TokenCounter) -> str:
    room = limit - counter.count(_ELLIPSIS)
    beginning = truncate(_line([sentence], layout), room, counter)
    text = _PARTIAL_WORD.sub("", beginning) + _ELLIPSIS
    return text if text != _ELLIPSIS and counter.count(text) <= limit else ""


def _line(chosen: Sequence[Candidate], layout: Layout) -> str:
    said = sorted(chosen, key=lambda each: each.order)
    return " ".join(layout.text((each.line, each.text) for each in said).split())


def _with_details(
    text: str, details: Iterable[Detail], layout: Layout, limit: int, counter: TokenCounter
) -> str:
    style = layout.style
    room = limit - counter.count(text)
    names: list[str] = []
    found = text
    for detail in details:
        if detail.entity.kind in _UNTELLING or detail.tokens > room or detail.text in found:
            continue
        listed = style.separator.join([*names, detail.text])
        longer = text + style.named.format(listed) if text else listed
        if counter.count(longer) <= limit:
            found = longer
            names.append(detail.text)
            room -= detail.tokens
    return found

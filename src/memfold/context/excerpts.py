"""One recalled message as a line: whole when short, else the sentences that bear on the query."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from memfold.protocols import TokenCounter
from memfold.text.sentences import Span, sentences
from memfold.text.terms import query_terms, terms
from memfold.text.times import label, time_mentions
from memfold.text.truncation import truncate
from memfold.types import Hit

_GAP = " … "


def excerpt(
    hit: Hit, query: str, *, limit: int, counter: TokenCounter, zone: tzinfo
) -> tuple[str, bool]:
    """The text to show for a hit in at most about ``limit`` tokens, and whether it is whole.

    What is shown stands as it was said; the dates that relative times meant follow in brackets.
    """
    text = hit.message.text.strip()
    # What the message costs was counted when it was written, with some overhead.
    whole = hit.message.tokens <= limit or counter.count(text) <= limit
    if not whole:
        text = _essence(hit, query, limit=limit, counter=counter)
    meant = _meant(text, hit.message.at.astimezone(zone))
    return (f"{text} [{meant}]" if meant else text), whole


def _meant(text: str, said: datetime) -> str:
    """The dates that relative times in ``text`` meant, each with its words where several do."""
    meant = {
        mention.text: label(mention.first, mention.last)
        for mention in time_mentions(text, said)
        # "Today" or "this week" is told by the day that stands above.
        if mention.relative and not mention.first <= said.date() <= mention.last
    }
    if len(meant) == 1:
        return next(iter(meant.values()))
    return "; ".join(f"{words} = {date}" for words, date in meant.items())


def _essence(hit: Hit, query: str, *, limit: int, counter: TokenCounter) -> str:
    start, end = hit.passage
    passage = hit.message.text[start:end]
    spans = sentences(passage)
    wanted = set(query_terms(query))
    order = sorted(
        range(len(spans)),
        key=lambda at: (-len(wanted & set(terms(_of(passage, spans[at])))), at),
    )
    chosen: list[int] = []
    used = 0
    for at in order:
        cost = counter.count(_of(passage, spans[at])) + 1
        if used + cost <= limit:
            chosen.append(at)
            used += cost
    if not chosen:
        return truncate(_of(passage, spans[order[0]]), limit, counter) if spans else ""
    return _joined(passage, spans, sorted(chosen))


def _of(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _joined(text: str, spans: Sequence[Span], chosen: Sequence[int]) -> str:
    """The chosen sentences in order, what was left out between them marked."""
    parts: list[str] = []
    for place, at in enumerate(chosen):
        if place and chosen[place - 1] != at - 1:
            parts.append(_GAP)
        elif place:
            parts.append(text[spans[at - 1].end : spans[at].start])
        parts.append(_of(text, spans[at]))
    lead = "… " if chosen[0] else ""
    return lead + "".join(parts) + (" …" if chosen[-1] < len(spans) - 1 else "")

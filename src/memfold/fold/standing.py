"""What still holds of a conversation: goals, rules, promises and open points, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from memfold.fold.cues import cued
from memfold.fold.settling import Event, events, number, settles
from memfold.fold.tiers import INSTRUCTING, labelled
from memfold.text.chat import speech
from memfold.text.sentences import sentences
from memfold.text.terms import terms
from memfold.types import Message, StandingItem

Kind = Literal["goal", "constraint", "commitment", "open"]


def standing(messages: Sequence[Message]) -> tuple[StandingItem, ...]:
    """Return what messages of a span ask, promise or leave open, in order, as they put it.

    Of what is said again in the same words the last one counts. System text has no items: a
    context shows it whole. A message that its caller labelled ``goal`` is one with all its
    sentences where none is found in it; one labelled otherwise has none.
    """
    found: dict[tuple[str, ...], StandingItem] = {}
    for message in messages:
        for item in _items(message):
            key = (item.kind, *terms(item.text))
            found.pop(key, None)
            found[key] = item
    return tuple(found.values())


def settle(items: Sequence[StandingItem], messages: Sequence[Message]) -> tuple[StandingItem, ...]:
    """Mark the items that later messages settle or replace as done, by which message.

    All items come back, in order. A promise or open point is settled by a later report on the
    same matter, by a bare "done" only where that directly follows it; a goal or rule by a later
    one that says otherwise, and anything by being said again. Messages are newer than those of
    an earlier call: settling bit by bit gives the same as all at once.
    """
    settled = list(items)
    places = {message.id: at for at, message in enumerate(messages)}
    for at, message in enumerate(messages):
        waiting = [
            index
            for index, item in enumerate(settled)
            if not item.done and _is_later(message, at, item, places)
        ]
        if not waiting:
            continue
        for event in events(message, list(_items(message))):
            if (closed := _closed(event, settled, waiting)) is not None:
                for index in closed:
                    settled[index] = replace(settled[index], done=True, closed_by=message.id)
                waiting = [index for index in waiting if index not in closed]
    return tuple(settled)


def matters(message: Message) -> bool:
    """Whether a message has items, or may settle any: :func:`settle` can do without others."""
    items = list(_items(message))
    return bool(items) or any(True for _ in events(message, items))


def _closed(event: Event, items: Sequence[StandingItem], waiting: Sequence[int]) -> set[int] | None:
    """Return which items an event settles: all that it replaces, or the one it reports on."""
    scores = {index: score for index in waiting if (score := settles(event, items[index])) > 0}
    if not scores:
        return None
    if event.replaces:
        return set(scores)
    best = max(scores.values())
    nearest = [index for index, score in scores.items() if score == best]
    # Of two that it may mean equally, neither is settled.
    return set(nearest) if len(nearest) == 1 else None


def _items(message: Message) -> Iterator[StandingItem]:
    label = labelled(message)
    if message.role in INSTRUCTING or label not in (None, "goal"):
        return
    is_empty = True
    for kind, text in cued(message):
        if kind != "decision":
            is_empty = False
            yield _item(kind, text, message)
    if label == "goal" and is_empty:
        said = speech(message.raw)
        for span in sentences(said):
            yield _item("goal", said[span.start : span.end], message)


def _item(kind: Kind, text: str, message: Message) -> StandingItem:
    speaker = " ".join((message.name or message.role).split())
    return StandingItem(kind=kind, text=text, source=message.id, at=message.at, by=speaker)


def _is_later(message: Message, at: int, item: StandingItem, places: dict[str, int]) -> bool:
    """Whether a message comes after an item; by time where the item is not of these messages."""
    place = places.get(item.source)
    if place is not None:
        return at > place
    return (message.at, number(message.id)) > (item.at, number(item.source))

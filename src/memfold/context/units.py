"""Messages grouped so that a tool call and its results are never parted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memfold.text.chat import answers, opens
from memfold.types import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Messages that stand or fall together, in order. ``open``: a call in it has no result."""

    messages: tuple[Message, ...]
    open: bool = False

    @property
    def last(self) -> int:
        """Position of its last message."""
        return self.messages[-1].position


def units(messages: Sequence[Message]) -> tuple[list[Unit], list[Message]]:
    """Group messages (in order, of one session) into units.

    Returns the units, and apart from them the messages that no provider would take: results
    without a call, results that came twice, and calls that something else followed before
    they were answered. Those stay searchable.
    """
    found: list[Unit] = []
    unfit: list[Message] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        calls = opens(message.raw)
        if answers(message.raw):
            unfit.append(message)  # whatever it answers is not directly before it
            at += 1
            continue
        if not calls:
            found.append(Unit(messages=(message,)))
            at += 1
            continue
        group, waiting, at = _with_results(messages, at)
        if waiting and at < len(messages):
            unfit += group
        else:
            found.append(Unit(messages=tuple(group), open=bool(waiting)))
    return found, unfit


def _with_results(messages: Sequence[Message], at: int) -> tuple[list[Message], set[str], int]:
    """The calling message with the results right after it, what is unanswered, where to go on."""
    group = [messages[at]]
    waiting = set(opens(messages[at].raw))
    at += 1
    while at < len(messages):
        results = set(answers(messages[at].raw))
        if not results or not results <= waiting:
            break
        waiting -= results
        group.append(messages[at])
        at += 1
    return group, waiting, at

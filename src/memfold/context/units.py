"""Messages grouped so that a tool call and its results are never parted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memfold.text.chat import answers, is_tool_output, opens, to_openai
from memfold.types import JSON, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Messages that stand or fall together, in order. ``open``: a call in it has no result."""

    messages: tuple[Message, ...]
    open: bool = False

    @property
    def last(self) -> int:
        """Position of its last message."""
        return self.messages[-1].position


def is_sendable(message: JSON) -> bool:
    """Whether a message that makes no calls has any content left in a provider's shape."""
    return all(shaped.get("content") not in (None, [], ()) for shaped in to_openai(message))


def units(messages: Sequence[Message]) -> tuple[list[Unit], list[Message]]:
    """Group messages (in order, of one session) into units.

    Returns the units, and apart from them the messages that no provider would take: results
    without a call, results that came twice, calls that something else followed before they
    were answered, and messages without any content. Those stay searchable.
    """
    found: list[Unit] = []
    unfit: list[Message] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        calls = opens(message.raw)
        if is_tool_output(message.raw):
            unfit.append(message)  # whatever it answers is not directly before it
            at += 1
            continue
        if not calls:
            if is_sendable(message.raw):
                found.append(Unit(messages=(message,)))
            else:
                unfit.append(message)
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

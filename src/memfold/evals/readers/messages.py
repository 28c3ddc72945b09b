"""What the readers share: chat messages with times, and counts of what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from memfold.evals.dataset import Item
from memfold.evals.readers.node import Node
from memfold.types import JSON

ROLES = frozenset({"user", "assistant", "system", "developer", "tool"})

NO_EVIDENCE = "no evidence"
"""Why a question is not scored: none of the messages is named as its evidence."""

ASKED_AFTER = timedelta(days=1)
"""How long after the last message a question is asked that has no time of its own: cold."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_STEP = timedelta(seconds=5)


def turn_times(began: datetime, count: int) -> list[datetime]:
    """Times for the messages of a session of which only the beginning is published.

    They follow each other by five seconds and stay within the day: what was said shortly before
    midnight must not get another date.
    """
    last = began.replace(hour=23, minute=59, second=59, microsecond=0)
    return [max(began, min(began + number * _STEP, last)) for number in range(count)]


def month_number(name: str) -> int:
    """The number of a month by its English name or the first three letters of it, or 0.

    The locale, which decides what strptime reads, has no say in it.
    """
    short = name[:3].lower()
    return _MONTHS.index(short) + 1 if short in _MONTHS else 0


def role_of(message: Node) -> str:
    """The role of a published message; InvalidInput where it is none that chats have."""
    role = message.need("role").text()
    if role not in ROLES:
        raise message.wrong(f"the role is {role!r}")
    return role


def chat_item(
    message: Node, *, id: str, session: str, at: datetime, metadata: JSON | None = None
) -> Item:
    """The item of a published ``{role, content}`` message."""
    role = role_of(message)
    text = message.need("content").text()
    return Item(
        id=id,
        session=session,
        role=role,
        text=text,
        at=at,
        message={"role": role, "content": text},
        metadata=metadata,
    )


def optional_text(node: Node, name: str) -> str:
    """A field that may be a string, a number or absent, as a string."""
    found = node.get(name)
    return found.scalar().strip() if found else ""


def unique(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values in order, each once."""
    return tuple(dict.fromkeys(values))

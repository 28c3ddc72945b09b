"""The tier of a message: what it is to compression."""

from __future__ import annotations

from typing import Final, get_args

from memfold.fold.cues import cued
from memfold.text.chat import is_tool_output, speech
from memfold.types import Message, Tier

_TIERS: Final[frozenset[Tier]] = frozenset(get_args(Tier))
INSTRUCTING: Final = frozenset(("system", "developer"))
"""Roles whose text is the application's own, not part of the talk."""


def tier(message: Message) -> Tier:
    """Return the tier of a message: the caller's label in its metadata, else what it says.

    ``metadata["tier"]`` decides where it is one of the four. Else a tool's raw output is
    ``tool``; system text and whatever asks, promises or is open is ``goal``; a conclusion is
    ``decision``; the rest is ``dialogue``.
    """
    if (label := labelled(message)) is not None:
        return label
    if message.role in INSTRUCTING:
        return "goal"
    if is_tool_output(message.raw) and not speech(message.raw).strip():
        return "tool"
    kinds = {kind for kind, _ in cued(message)}
    if kinds - {"decision"}:
        return "goal"
    return "decision" if kinds else "dialogue"


def labelled(message: Message) -> Tier | None:
    """Return the tier that the caller gave the message, if it is one of the four."""
    label = message.metadata.get("tier")
    return label if isinstance(label, str) and label in _TIERS else None

"""The sizes of folds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any

from memfold.errors import InvalidInput, shown

RUNNING = 0
"""The level of the running summary."""

_MOST = 1 << 40  # shares of it are floats, which the largest numbers do not fit
# The least that each option may be; below these nothing would be said, or folding would not end.
_LEAST = {
    "window": 0,
    "segment_messages": 1,
    "segment_source_tokens": 1,
    "segment_tokens": 20,
    "fan_out": 2,
    "chapter_tokens": 20,
    "headline_tokens": 5,
    "running_tokens": 20,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldConfig:
    """How finely the past is folded.

    ``window`` is the number of newest messages that are left alone. A segment (level 1) is made
    of about ``segment_messages`` messages, of fewer after a ``pause`` or once they have
    ``segment_source_tokens`` tokens without tool output, and has at most ``segment_tokens``
    tokens; a fold of any higher level is made of ``fan_out`` folds of the level below and has at
    most ``chapter_tokens``; a headline has at most ``headline_tokens``. With ``running`` one
    summary of all that was folded is kept besides, made anew with each segment, of at most
    ``running_tokens``; it stands in contexts in place of the folds.

    With ``model_tiers`` a model, where there is one, is asked once for each segment which of its
    messages are goals that the rules did not see.

    A fold should keep ``entity_target`` of its source's protected entities, and one that a model
    wrote should be as near to its source as ``similarity_target`` (cosine); both from 0 to 1.

    Raises InvalidInput when a value is of the wrong type or out of its range.
    """

    window: int = 10
    segment_messages: int = 10
    segment_source_tokens: int = 4_000
    pause: timedelta = timedelta(hours=6)
    segment_tokens: int = 200
    fan_out: int = 5
    chapter_tokens: int = 100
    headline_tokens: int = 40
    entity_target: float = 0.85
    similarity_target: float = 0.70
    running: bool = False
    running_tokens: int = 500
    model_tiers: bool = False

    def __post_init__(self) -> None:
        for option in fields(self):
            _check(option.name, getattr(self, option.name))

    def limit(self, level: int) -> int:
        """Return the most tokens that the text of a fold of this level may have."""
        if level == RUNNING:
            return self.running_tokens
        return self.segment_tokens if level == 1 else self.chapter_tokens


def _check(name: str, value: Any) -> None:
    if name in ("entity_target", "similarity_target"):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= 1:
            raise InvalidInput(f"{name} is {shown(value)}; it must be a share from 0 to 1")
        return
    if name == "pause":
        if not isinstance(value, timedelta) or value <= timedelta(0):
            raise InvalidInput(f"pause is {shown(value)}; it must be a timedelta above zero")
        return
    if name in ("running", "model_tiers"):
        if not isinstance(value, bool):
            raise InvalidInput(f"{name} is {shown(value)}; it must be True or False")
        return
    least = _LEAST[name]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MOST:
        raise InvalidInput(
            f"{name} is {shown(value)}; it must be a whole number of at least {least}"
        )

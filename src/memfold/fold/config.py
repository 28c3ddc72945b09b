"""The sizes of folds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from memfold.errors import InvalidInput

# The least that each option may be; below these nothing would be said, or folding would not end.
_LEAST = {
    "window": 0,
    "segment_messages": 1,
    "segment_tokens": 20,
    "fan_out": 2,
    "chapter_tokens": 20,
    "headline_tokens": 5,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldConfig:
    """How finely the past is folded.

    ``window`` is the number of newest messages that are left alone; a segment (level 1) is made
    of at least ``segment_messages`` messages and has at most ``segment_tokens`` tokens, a fold of
    any higher level is made of ``fan_out`` folds of the level below and has at most
    ``chapter_tokens``; a headline has at most ``headline_tokens``. ``entity_target`` is the share
    of its source's protected entities (0 to 1) that a fold should keep.

    Raises InvalidInput when a value is of the wrong type or out of its range.
    """

    window: int = 10
    segment_messages: int = 10
    segment_tokens: int = 200
    fan_out: int = 5
    chapter_tokens: int = 100
    headline_tokens: int = 40
    entity_target: float = 0.85

    def __post_init__(self) -> None:
        for option in fields(self):
            _check(option.name, getattr(self, option.name))

    def limit(self, level: int) -> int:
        """Return the most tokens that the text of a fold of this level may have."""
        return self.segment_tokens if level == 1 else self.chapter_tokens


def _check(name: str, value: Any) -> None:
    if name == "entity_target":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= 1:
            raise InvalidInput(f"entity_target is {value!r}; it must be a share from 0 to 1")
        return
    least = _LEAST[name]
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidInput(f"{name} is {value!r}; it must be a whole number of at least {least}")

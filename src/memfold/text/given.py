"""What is given from outside, seen to be what it is taken for: texts, lists, numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from memfold.errors import InvalidInput, shown

_MOST = sys.float_info.max


def string(value: Any, what: str) -> str:
    """``value`` as a string; InvalidInput when it is none."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is a string, not {type(value).__name__}")
    return value


def listed(values: Any, what: str) -> list[Any]:
    """``values`` as a list; InvalidInput for what is no collection of items."""
    if isinstance(values, str | bytes | bytearray | Mapping) or not isinstance(values, Iterable):
        raise InvalidInput(f"{what} is a list, not {shown(values)}")
    return list(values)


def strings(values: Any, what: str) -> list[str]:
    """``values`` as a list of strings; InvalidInput when it is none."""
    found = listed(values, what)
    for each in found:
        if not isinstance(each, str):
            raise InvalidInput(f"{what} holds what is no string: {shown(each)}")
    return found


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """``value`` as a mapping with names for keys; None stands for an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidInput(f"{what} is a dict with strings for keys, not {shown(value)}")
    return value


def number(value: Any, what: str) -> float:
    """``value`` as a float; InvalidInput for what is none, and for nan."""
    is_one = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_one or value != value:  # nan alone is not itself
        raise InvalidInput(f"{what} is a number, not {shown(value)}")
    return float(value) if isinstance(value, float) else float(min(max(value, -_MOST), _MOST))


def whole(value: Any, what: str, *, least: int = 1) -> int:
    """``value`` as a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{what} is a whole number, not {shown(value)}")
    if value < least:
        raise InvalidInput(f"{what} is at least {least}, not {shown(value)}")
    return value

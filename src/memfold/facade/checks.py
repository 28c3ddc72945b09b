"""Arguments from outside, checked once: scopes, times, counts, ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from memfold.errors import InvalidInput, InvalidScope, NotFound

_LONGEST_NAME = 512
_MESSAGE_ID = re.compile(r"m([1-9][0-9]{0,17})")
_FOLD_ID = re.compile(r"f([1-9][0-9]{0,17})")


def scope_name(value: Any, what: str, *, empty: bool = False) -> str:
    """``value`` as a name of a tenant, user, agent or session; InvalidScope when it is none."""
    if not isinstance(value, str):
        raise InvalidScope(f"a {what} is named by a string, not {type(value).__name__}")
    if not value and not empty:
        raise InvalidScope(f"a {what} needs a name")
    if len(value) > _LONGEST_NAME:
        raise InvalidScope(f"the name of a {what} has at most {_LONGEST_NAME} characters")
    if any(ord(character) < 32 or 0xD800 <= ord(character) < 0xE000 for character in value):
        raise InvalidScope(f"the name of a {what} has control characters or lone surrogates")
    return value


def moment(value: Any, zone: tzinfo, *, what: str = "time") -> datetime:
    """``value`` (a datetime, or an ISO 8601 string) in UTC; a naive one is read in ``zone``."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as error:
            raise InvalidInput(f"{what} {value!r} is not ISO 8601") from error
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} is a datetime or an ISO 8601 string, not {value!r}")
    if value.tzinfo is None:
        value = value.replace(tzinfo=zone)
    try:
        found: datetime = value.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise InvalidInput(f"{what} {value!r} is out of range") from error
    # A year at either end is left free, for other zones and for "last year".
    if not 1 < found.year < 9999:
        raise InvalidInput(f"{what} {value!r} is out of range")
    return found


def time_zone(value: str | tzinfo) -> tzinfo:
    """A zone by its name ("Asia/Shanghai") or as an object."""
    if isinstance(value, tzinfo):
        return value
    if value == "UTC":
        return UTC  # without the zone database, which some systems lack
    try:
        return ZoneInfo(value)
    except (KeyError, ValueError, TypeError, OSError) as error:
        raise InvalidInput(f"{value!r} names no time zone") from error


def positive(value: Any, what: str) -> int:
    """``value`` as a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{what} is a whole number, not {value!r}")
    if value < 1:
        raise InvalidInput(f"{what} is at least 1, not {value}")
    return value


def is_message_id(handle: Any) -> bool:
    """Whether ``handle`` looks like a message's id."""
    return isinstance(handle, str) and _MESSAGE_ID.fullmatch(handle) is not None


def message_number(handle: Any) -> int:
    """The number in a message id; NotFound when it is none."""
    match = _MESSAGE_ID.fullmatch(handle) if isinstance(handle, str) else None
    if match is None:
        raise NotFound(f"{handle!r} is no message id: those look like m12")
    return int(match[1])


def write_key(value: Any) -> str:
    """``value`` as an idempotency key; InvalidInput when it is none."""
    if not isinstance(value, str) or not value:
        raise InvalidInput("a key is a string that is not empty")
    return value


def text(value: Any, what: str) -> str:
    """``value`` as a string that is not blank; InvalidInput when it is none."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is a string, not {type(value).__name__}")
    if not value.strip():
        raise InvalidInput(f"{what} is empty")
    return value


def names(values: Any, what: str) -> frozenset[str] | None:
    """``values`` as a set of strings; None stays None."""
    if values is None:
        return None
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(f"{what} is a collection of names, not {values!r}")
    listed = list(values)
    if not all(isinstance(each, str) for each in listed):
        raise InvalidInput(f"{what} holds what is no name: {listed!r}")
    return frozenset(listed)


def fold_number(handle: Any) -> int | None:
    """The number in a fold id, or None when it is no fold's."""
    match = _FOLD_ID.fullmatch(handle) if isinstance(handle, str) else None
    return int(match[1]) if match else None

"""Arguments from outside, checked once: scopes, times, counts, ids."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from memfold.errors import InvalidInput, InvalidScope, NotFound, shown
from memfold.text.chat import ROLES
from memfold.text.given import listed, number, string, strings, whole

_T = TypeVar("_T")

_LONGEST_NAME = 512
_MOST_TOKENS = 1 << 40  # shares of it are floats, which the largest numbers do not fit
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
            raise InvalidInput(f"{what} {shown(value)} is not ISO 8601") from error
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} is a datetime or an ISO 8601 string, not {shown(value)}")
    if value.tzinfo is None:
        value = value.replace(tzinfo=zone)
    try:
        found: datetime = value.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise InvalidInput(f"{what} {shown(value)} is out of range") from error
    # A year at either end is left free, for other zones and for "last year".
    if not 1 < found.year < 9999:
        raise InvalidInput(f"{what} {shown(value)} is out of range")
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
        raise InvalidInput(f"{shown(value)} names no time zone") from error


def token_budget(value: Any, *, least: int = 1) -> int:
    """``value`` as the most tokens that something may take; as many as there are, if more."""
    return min(whole(value, "max_tokens", least=least), _MOST_TOKENS)


def flag(value: Any, what: str) -> bool:
    """``value`` as True or False: "no" is neither."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{what} is True or False, not {shown(value)}")
    return value


def is_message_id(handle: Any) -> bool:
    """Whether ``handle`` looks like a message's id."""
    return isinstance(handle, str) and _MESSAGE_ID.fullmatch(handle) is not None


def seconds(value: Any, what: str) -> float | None:
    """``value`` as a time to wait that threads can wait; None, for ever, stays None."""
    if value is None:
        return None
    found = number(value, what)
    if found < 0:
        raise InvalidInput(f"{what} is at least 0, not {shown(value)}")
    return min(found, threading.TIMEOUT_MAX)


def function(value: _T, what: str) -> _T:
    """``value`` as something to call; None stays None."""
    if value is not None and not callable(value):
        raise InvalidInput(f"{what} is a function, not {shown(value)}")
    return value


def message_number(handle: Any) -> int:
    """The number in a message id; NotFound when it is none."""
    match = _MESSAGE_ID.fullmatch(handle) if isinstance(handle, str) else None
    if match is None:
        raise NotFound(f"{shown(handle)} is no message id: those look like m12")
    return int(match[1])


def write_key(value: Any) -> str:
    """``value`` as an idempotency key; InvalidInput when it is none."""
    if not isinstance(value, str) or not value:
        raise InvalidInput("a key is a string that is not empty")
    return value


def text(value: Any, what: str) -> str:
    """``value`` as a string that is not blank; InvalidInput when it is none."""
    if not string(value, what).strip():
        raise InvalidInput(f"{what} is empty")
    return str(value)


def names(values: Any, what: str) -> frozenset[str] | None:
    """``values`` as a set of strings; None stays None."""
    return None if values is None else frozenset(strings(values, what))


def role_names(values: Any) -> frozenset[str] | None:
    """``values`` as a set of roles that messages can have; None stays None."""
    found = names(values, "roles")
    unknown = sorted((found or frozenset()) - ROLES)
    if unknown:
        raise InvalidInput(f"role {shown(unknown[0])} is none of: {', '.join(sorted(ROLES))}")
    return found


def one_each(values: Any, count: int, what: str) -> list[Any]:
    """``values`` as a list of ``count`` items, of nothing but None when it is None."""
    if values is None:
        return [None] * count
    found = listed(values, what)
    if len(found) != count:
        raise InvalidInput(f"{what} has {len(found)} items for {count} messages")
    return found


def tool_definitions(values: Any) -> Sequence[Mapping[str, Any]]:
    """``values`` as the definitions of tools, which are dicts; None stands for none."""
    found = [] if values is None else listed(values, "tools")
    for each in found:
        if not isinstance(each, Mapping):
            raise InvalidInput(f"tools holds what is no definition of a tool: {shown(each)}")
    return found


def fold_number(handle: Any) -> int | None:
    """The number in a fold id, or None when it is no fold's."""
    match = _FOLD_ID.fullmatch(handle) if isinstance(handle, str) else None
    return int(match[1]) if match else None

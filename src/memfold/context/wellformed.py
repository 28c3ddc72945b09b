"""Text that can be sent: a lone surrogate is kept in the ledger, but no request can carry it."""

from __future__ import annotations

import re
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")


def wellformed(value: Any) -> Any:
    """``value`` (as of JSON) with U+FFFD for each lone surrogate in its strings."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {wellformed(key): wellformed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [wellformed(each) for each in value]
    return value

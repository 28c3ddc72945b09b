"""What became of a request that failed: the error to raise, and whether to try again."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from memfold.errors import LLMError, LLMRateLimited, LLMRejected, LLMUnavailable

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0
_JITTER = 0.25
"""Seconds, seconds, share: the waits of OpenAI's own client."""

_LONGEST_REASON = 200
_PASSING = frozenset((408, 409))  # the server's own time-out, a lock
_REFUSED_AS_WRITTEN = frozenset((400, 422))


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """One failed request.

    `is_passing`: it may go well the next time. `is_wording`: another way to ask may be
    understood; `code` and `parameter` are then the endpoint's words for what was wrong, "" where
    it has none. `wait` is the number of seconds that the server asked for, if it did.
    """

    error: LLMError
    is_passing: bool = False
    is_wording: bool = False
    code: str = ""
    parameter: str = ""
    wait: float | None = None

    def delay(self, tries: int) -> float:
        """Return the seconds to wait after so many failed tries."""
        if self.wait is not None:
            return self.wait
        longest = min(_FIRST_WAIT * 2.0 ** min(tries - 1, 10), _LONGEST_WAIT)
        return longest * (1 - _JITTER * random.random())


def of_connection(cause: str) -> Failure:
    """Judge a connection that could not be made, or broke off."""
    return Failure(
        error=LLMUnavailable(f"the language model's server is away ({cause})"), is_passing=True
    )


def of_status(
    status: int, *, reason: str, code: str, parameter: str, headers: Mapping[str, str]
) -> Failure:
    """Judge an answer with an HTTP status of 400 or more; `reason` is the endpoint's message."""
    words = " ".join(reason.split())[:_LONGEST_REASON]
    said = f" ({status}): {words}" if words else f" ({status})"
    # A quota that is used up (OpenAI) does not come back by waiting.
    if status == 429 and code != "insufficient_quota":
        wait = retry_after(headers)
        limited = LLMRateLimited(f"too many calls of the language model{said}", retry_after=wait)
        return Failure(error=limited, is_passing=True, wait=wait)
    if status >= 500 or status in _PASSING:
        down = LLMUnavailable(f"the language model's server failed{said}")
        return Failure(error=down, is_passing=True, wait=retry_after(headers))
    if status in (401, 403):  # the endpoint's message may repeat the key
        refused = LLMRejected(f"the endpoint refused the API key ({status})", status=status)
        return Failure(error=refused)
    return Failure(
        error=LLMRejected(
            f"the language model's endpoint refused the request{said}", status=status
        ),
        is_wording=status in _REFUSED_AS_WRITTEN,
        code=code,
        parameter=parameter,
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that `Retry-After` (a number or a date) asks for, None without it."""
    given = headers.get("retry-after", "")
    try:
        seconds = float(given)
    except ValueError:
        try:
            date = parsedate_to_datetime(given)
        except ValueError:
            return None
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        seconds = (date - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if math.isfinite(seconds) else None

"""What a pure function of a string gave, kept for the next time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Memo(dict[str, T], Generic[T]):
    """Read like a dict: `memo[text]` is `function(text)`, worked out once.

    A look-up costs half of `functools.lru_cache`'s and maps over many strings without a line of
    Python. Strings longer than `longest` are never kept; with `most` kept, all are forgotten.
    """

    def __init__(self, function: Callable[[str], T], *, most: int, longest: int) -> None:
        self._function = function
        self._most = most
        self._longest = longest

    def __missing__(self, text: str) -> T:
        found = self._function(text)
        if len(text) <= self._longest:
            if len(self) >= self._most:
                self.clear()
            self[text] = found
        return found

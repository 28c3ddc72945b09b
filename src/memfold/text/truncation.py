"""Cutting a text where a token limit falls."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter

# Characters that belong to the one before them: variation selectors, skin tones, the joiner.
_EXTENDERS = frozenset("\u200d\ufe0e\ufe0f\u20e3") | {chr(code) for code in range(0x1F3FB, 0x1F400)}
_JOINER = "\u200d"
_FLAG_LETTERS = re.compile("[\U0001f1e6-\U0001f1ff]*$")
# A pile of combining marks longer than this is cut through.
_LONGEST_GRAPHEME = 32
_CHARACTERS_PER_TOKEN = 6


def truncate(text: str, max_tokens: int, counter: TokenCounter) -> str:
    """Return the longest beginning of `text` that has at most `max_tokens` tokens.

    No accent, emoji sequence, flag or surrogate pair is cut in two. Only about as much of a long
    text is counted as is kept.
    """
    if max_tokens <= 0 or not text:
        return ""
    fits, high = 0, min(len(text), max_tokens * _CHARACTERS_PER_TOKEN)
    while counter.count(text[:high]) <= max_tokens:
        if high == len(text):
            return text
        fits, high = high, min(len(text), high * 2)
    while high - fits > 1:
        middle = (fits + high) // 2
        if counter.count(text[:middle]) <= max_tokens:
            fits = middle
        else:
            high = middle
    return _fitting(text, fits, max_tokens, counter)


def _fitting(text: str, end: int, max_tokens: int, counter: TokenCounter) -> str:
    # A shorter beginning can, rarely, have more tokens than a longer one.
    while (end := boundary(text, end)) and counter.count(text[:end]) > max_tokens:
        end -= 1
    return text[:end]


def boundary(text: str, end: int) -> int:
    """Return the last place at or before `end` where `text` can be cut."""
    for at in range(end, max(end - _LONGEST_GRAPHEME, 0), -1):
        if _can_cut(text, at):
            return at
    return 0 if end <= _LONGEST_GRAPHEME else end


def _can_cut(text: str, at: int) -> bool:
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if after in _EXTENDERS or before == _JOINER or unicodedata.category(after).startswith("M"):
        return False
    if "\U0001f1e6" <= after <= "\U0001f1ff":
        start = max(at - _LONGEST_GRAPHEME, 0)
        flags = _FLAG_LETTERS.search(text[start:at])
        return flags is None or len(flags.group()) % 2 == 0
    is_pair = "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"
    return not is_pair and not (before == "\r" and after == "\n")

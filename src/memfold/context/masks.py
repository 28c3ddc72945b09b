"""Tool output that is shown by one line: the first to give way when room is short."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memfold.context.units import Unit
from memfold.fold.masking import stub
from memfold.protocols import TokenCounter
from memfold.text.chat import is_tool_output
from memfold.text.entities import EntityExtractor
from memfold.text.tokens import count_message
from memfold.types import Message

_WORTH = 0.7  # a line that saves less than the rest of this share is not worth the reading


def masked(unit: Unit, *, extractor: EntityExtractor, language: str, counter: TokenCounter) -> Unit:
    """The unit with a line in the place of each tool output that is longer."""
    if len(unit.messages) == 1:
        return unit
    names = _names(unit.messages[0])
    found = tuple(
        _masked(message, names, extractor=extractor, language=language, counter=counter)
        for message in unit.messages
    )
    return replace(unit, messages=found)


def is_masked(message: Message, original: Message) -> bool:
    """Whether a message stands by its line."""
    return message.raw is not original.raw


def _masked(
    message: Message,
    names: Mapping[str, str],
    *,
    extractor: EntityExtractor,
    language: str,
    counter: TokenCounter,
) -> Message:
    if not is_tool_output(message.raw):
        return message
    called = names.get(_answered(message)) or message.name
    line = stub(message, extractor, called=called, language=language)
    raw = _with(message.raw, line)
    tokens = count_message(counter, raw)
    if tokens > _WORTH * message.tokens:
        return message
    return replace(message, raw=raw, text=line, tokens=tokens)


def _with(raw: Mapping[str, Any], line: str) -> dict[str, Any]:
    """The message with the line in the place of what the tool gave back."""
    content = raw.get("content")
    if raw.get("role") in ("tool", "function") or not isinstance(content, list):
        return {**raw, "content": line}
    parts: list[Any] = []
    shown = line
    for part in content:
        if isinstance(part, Mapping) and part.get("type") == "tool_result":
            # Several results in one message are told of by the first.
            parts.append({**part, "content": shown or "…"})
            shown = ""
        else:
            parts.append(part)
    return {**raw, "content": parts}


def _names(calling: Message) -> dict[str, str]:
    """The names of the tools that a message calls, by the ids of the calls."""
    names: dict[str, str] = {}
    for call in calling.raw.get("tool_calls") or ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping):
            names[str(call.get("id"))] = str(function.get("name") or "")
    content = calling.raw.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") == "tool_use":
            names[str(part.get("id"))] = str(part.get("name") or "")
    return names


def _answered(message: Message) -> str:
    """The id of the first call that a message answers."""
    if "tool_call_id" in message.raw:
        return str(message.raw["tool_call_id"])
    content = message.raw.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") == "tool_result":
            return str(part.get("tool_use_id"))
    return ""

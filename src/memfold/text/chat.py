"""Chat messages of OpenAI's and Anthropic's shapes: what they say, call and answer.

A message is kept as the dict it came as; these functions only read it. OpenAI: ``content`` is a
string, None or parts; calls stand in ``tool_calls``, results are messages of role ``tool``.
Anthropic: ``content`` holds blocks; calls are ``tool_use``, results ``tool_result`` blocks of a
user message.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memfold.errors import InvalidMessage, shown
from memfold.text.given import listed

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
# What an assistant's message may have instead of content.
_INSTEAD = (
    "tool_calls", "function_call", "refusal", "audio", "reasoning", "reasoning_content",
)  # fmt: skip
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_TEXT_FIELDS = ("text", "refusal", "thinking", "input_text", "output_text")


def as_dict(message: Any) -> dict[str, Any]:
    """The message as a plain dict; objects of the providers' own clients are taken too.

    Raises InvalidMessage when it is none, has no known role, or content of no known shape.
    """
    if not isinstance(message, Mapping):
        dump = getattr(message, "model_dump", None)
        if not callable(dump):
            raise InvalidMessage(f"a message is a dict, not {type(message).__name__}")
        try:
            message = dict(dump(exclude_none=True))
        except Exception as error:  # another's object may do anything
            raise InvalidMessage(f"a message is a dict, and {shown(message)} gives none") from error
    found = dict(message)
    role = found.get("role")
    if not isinstance(role, str) or role not in ROLES:
        known = ", ".join(sorted(ROLES))
        raise InvalidMessage(f"role {shown(role)} is none of: {known}")
    content = found.get("content")
    if content is not None and not isinstance(content, str | list | tuple):
        raise InvalidMessage(
            f"content is a string, a list of parts or None, not {type(content).__name__}"
        )
    if content is None and not (role == "assistant" and any(map(found.get, _INSTEAD))):
        raise InvalidMessage("the message has no content")
    name = found.get("name")
    if name is not None and not isinstance(name, str):
        raise InvalidMessage(f"name is a string, not {type(name).__name__}")
    call = found.get("tool_call_id")
    if role == "tool" and (not isinstance(call, str) or not call):
        raise InvalidMessage("a tool's message needs the tool_call_id of the call that it answers")
    calls = found.get("tool_calls")
    if calls is not None and not (isinstance(calls, list | tuple) and all(map(_is_dict, calls))):
        raise InvalidMessage(f"tool_calls is a list of dicts or None, not {shown(calls)}")
    return found


def _is_dict(value: Any) -> bool:
    return isinstance(value, Mapping)


def to_bytes(value: Mapping[str, Any], *, what: str = "message") -> bytes:
    """The JSON of ``value``, lone surrogates included.

    Raises InvalidMessage when it would not come back equal (no JSON, keys that are no strings).
    """
    try:
        text = _JSON.encode(value)
        # Strings and None come back as they are; anything nested is checked.
        if not all(isinstance(v, str) or v is None for v in value.values()):
            back = json.loads(text)
            if _JSON.encode(back) != text or any(not isinstance(key, str) for key in _keys(value)):
                raise InvalidMessage(f"the {what} is not JSON: it would come back changed")
        elif not all(isinstance(key, str) for key in value):
            raise InvalidMessage(f"the {what} is not JSON: its keys must be strings")
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, InvalidMessage):
            raise
        raise InvalidMessage(f"the {what} is not JSON: {error}") from error
    return text.encode("utf-8", "surrogatepass")


def from_bytes(raw: bytes) -> dict[str, Any]:
    """The dict that ``to_bytes`` was given."""
    found: dict[str, Any] = json.loads(raw.decode("utf-8", "surrogatepass"))
    return found


def _keys(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from _keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _keys(inner)


def readable(message: Mapping[str, Any]) -> str:
    """All that a message says, as text: its parts, its tool calls, its tool results."""
    content = message.get("content")
    calls = message.get("tool_calls")
    if isinstance(content, str) and not calls:
        return content
    pieces = [*_said(content), *map(_call_text, calls or ())]
    return "\n".join(piece for piece in pieces if piece)


def speech(message: Mapping[str, Any]) -> str:
    """What a message says itself, beside the tool calls it makes and the results it brings."""
    if message.get("role") in ("tool", "function"):
        return ""
    content = message.get("content")
    if isinstance(content, list | tuple):
        content = [part for part in content if not _is_of_tool(part)]
    return readable({"content": content})


def call_texts(message: Mapping[str, Any]) -> list[str]:
    """The tool calls that a message makes and the results it brings as parts, each as one text."""
    calls = [readable({"tool_calls": [call]}) for call in message.get("tool_calls") or ()]
    content = message.get("content")
    parts = content if isinstance(content, list | tuple) else ()
    calls += [readable({"content": [part]}) for part in parts if _is_of_tool(part)]
    return [call for call in calls if call.strip()]


def _is_of_tool(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("type") in ("tool_use", "tool_result")


def _said(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list | tuple) else ():
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            yield from _part_text(part)


def _part_text(part: Mapping[str, Any]) -> Iterator[str]:
    if part.get("type") == "tool_use":
        yield _call(str(part.get("name") or ""), part.get("input"))
    elif part.get("type") == "tool_result":
        yield from _said(part.get("content"))
    else:
        for field in _TEXT_FIELDS:
            if isinstance(text := part.get(field), str):
                yield text


def _call_text(call: Any) -> str:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        return ""
    return _call(str(function.get("name") or ""), function.get("arguments"))


def _call(name: str, arguments: Any) -> str:
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False, default=str)
    return f"{name}({arguments})"


def opens(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Ids of the tool calls that a message makes."""
    if message.get("role") != "assistant":
        return ()
    calls = [call.get("id") for call in _mappings(message.get("tool_calls"))]
    calls += [p.get("id") for p in _mappings(message.get("content")) if p.get("type") == "tool_use"]
    return tuple(str(call) for call in calls if call is not None)


def answers(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Ids of the tool calls that a message brings the results of."""
    if message.get("role") == "tool":
        call = message.get("tool_call_id")
        return (str(call),) if call is not None else ()
    return tuple(
        str(part["tool_use_id"])
        for part in _mappings(message.get("content"))
        if part.get("type") == "tool_result" and part.get("tool_use_id") is not None
    )


def is_tool_output(message: Mapping[str, Any]) -> bool:
    """Whether the message is a tool's, not a person's or a model's."""
    return message.get("role") in ("tool", "function") or bool(answers(message))


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    for item in value if isinstance(value, list | tuple) else ():
        if isinstance(item, Mapping):
            yield item


def to_openai(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The message in OpenAI's shape; one with tool_result blocks becomes a message for each."""
    parts = list(_mappings(message.get("content")))
    kinds = {part.get("type") for part in parts}
    if not kinds & {"tool_use", "tool_result", "thinking"}:
        # An empty list of calls is refused, where none is not.
        return [{k: v for k, v in message.items() if k != "tool_calls" or v}]
    if message.get("role") == "assistant":
        return [_calling(message, parts)]
    results = [
        {
            "role": "tool",
            "tool_call_id": str(part.get("tool_use_id")),
            "content": "\n".join(_said(part.get("content"))),
        }
        for part in parts
        if part.get("type") == "tool_result"
    ]
    rest = [part for part in parts if part.get("type") != "tool_result"]
    return [*results, *([{**message, "content": rest}] if rest else [])]


def _calling(message: Mapping[str, Any], parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    said = [str(part["text"]) for part in parts if part.get("type") == "text" and "text" in part]
    calls = [
        {
            "id": str(part.get("id")),
            "type": "function",
            "function": {
                "name": str(part.get("name") or ""),
                "arguments": json.dumps(part.get("input") or {}, ensure_ascii=False),
            },
        }
        for part in parts
        if part.get("type") == "tool_use"
    ]
    shaped = {**message, "content": "\n".join(said) or None}
    return {**shaped, "tool_calls": calls} if calls else shaped


def to_anthropic(messages: Sequence[Mapping[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """System text and messages for Anthropic's Messages API, from OpenAI-shaped ones.

    System messages that stand later become text blocks of the user's next turn; turns of one
    role that follow one another are joined, as the API wants them to alternate. Raises
    InvalidInput.
    """
    system: list[str] = []
    turns: list[dict[str, Any]] = []
    for message in map(as_dict, listed(messages, "messages")):
        if message.get("role") in ("system", "developer"):
            if not turns:
                system.append(readable(message))
                continue
            role, blocks = "user", [{"type": "text", "text": readable(message)}]
        else:
            role, blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    return "\n\n".join(system), turns


def _blocks(message: Mapping[str, Any]) -> tuple[str, list[Any]]:
    content = message.get("content")
    if message.get("role") in ("tool", "function"):
        result = {"type": "tool_result", "tool_use_id": message.get("tool_call_id")}
        return "user", [{**result, "content": readable(message)}]
    blocks: list[Any] = list(content) if isinstance(content, list | tuple) else []
    if isinstance(content, str) and content:
        blocks.append({"type": "text", "text": content})
    for call in _mappings(message.get("tool_calls")):
        function = call.get("function") or {}
        try:
            arguments = json.loads(function.get("arguments") or "{}")
        except ValueError:
            arguments = {"arguments": function.get("arguments")}
        use = {"type": "tool_use", "id": call.get("id"), "name": function.get("name")}
        blocks.append({**use, "input": arguments})
    return str(message.get("role")), blocks

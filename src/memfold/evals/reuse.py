"""Which identifiers of an agent's run are used again: what a compressed history must still have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memfold.text.chat import is_tool_output, readable
from memfold.types import JSON

# In free text: addresses, paths, names joined by machines, numbers of three and more digits.
_PIECES = re.compile(
    r"https?://[^\s<>\"'`|\\^{}()]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?:[\w.@+-]*/)+[\w.@+-]+|[\w-]*\d[\w-]*|\w+(?:_\w+)+|[\w-]+\.[a-z]{1,4}\b"
)
_LONGEST_VALUE = 80  # characters: what is longer is text
_SHORTEST = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Reuse:
    """``text`` in a call of message ``step``, first seen in the tool output ``source``.

    Both are indices into the transcript.
    """

    step: int
    text: str
    source: int


def reused_identifiers(messages: Sequence[JSON]) -> list[Reuse]:
    """The identifiers in the arguments of tool calls that earlier tool output gave.

    Ids, paths, file names and numbers of at least three characters; what the user had said
    before the output did is not counted, as it stands outside any tool output.
    """
    found: list[Reuse] = []
    seen: dict[int, str] = {}
    told = ""
    for step, message in enumerate(messages):
        if is_tool_output(message):
            seen[step] = readable(message)
            continue
        wanted = dict.fromkeys(text for each in _arguments(message) for text in _identifiers(each))
        for text in wanted:
            source = next((at for at, output in seen.items() if stands_in(text, output)), None)
            if source is not None and not stands_in(text, told):
                found.append(Reuse(step=step, text=text, source=source))
        if message.get("role") in ("user", "system"):
            told += readable(message) + "\n"
    return found


def stands_in(identifier: str, text: str) -> bool:
    """Whether a text has the identifier by itself, not as a part of a longer word or number."""
    at = text.find(identifier)
    while at >= 0:
        before, after = (
            text[max(at - 1, 0) : at],
            text[at + len(identifier) : at + len(identifier) + 1],
        )
        if not (_joins(before) and _joins(identifier[:1])) and not (
            _joins(after) and _joins(identifier[-1:])
        ):
            return True
        at = text.find(identifier, at + 1)
    return False


def _joins(character: str) -> bool:
    return character.isalnum() or character == "_"


def _arguments(message: JSON) -> Iterator[Any]:
    """The arguments of the calls that a message makes."""
    for call in message.get("tool_calls") or ():
        function = call.get("function") if isinstance(call, Mapping) else None
        arguments = function.get("arguments") if isinstance(function, Mapping) else None
        try:
            yield json.loads(arguments) if isinstance(arguments, str) else arguments
        except ValueError:
            yield arguments
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") == "tool_use":
            yield part.get("input")


def _identifiers(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _identifiers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _identifiers(inner)
    elif isinstance(value, str):
        pieces = _PIECES.findall(value)
        if len(value) <= _LONGEST_VALUE and _PIECES.fullmatch(value):
            pieces = [value]
        yield from (piece for piece in pieces if len(piece) >= _SHORTEST)
    elif isinstance(value, int | float) and len(str(value)) >= _SHORTEST:
        yield str(value)

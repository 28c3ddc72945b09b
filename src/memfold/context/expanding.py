"""The tool by which a model itself has back what a context only names."""

from __future__ import annotations

from typing import Any, Final, Literal

from memfold.errors import InvalidInput, shown
from memfold.text.given import string

_ABOUT: Final = {
    "en": "Give back the original text behind a handle of the conversation's memory: a message"
    " (such as m41) or a summary (such as f3) that the context names.",
    "zh": "取回对话记忆中某个编号背后的原文：上下文里出现的消息编号（如 m41）或摘要编号（如 f3）。",
}
_HANDLE: Final = {"en": "The handle, such as m41 or f3.", "zh": "编号，如 m41 或 f3。"}


def expand_tool(
    shape: Literal["openai", "anthropic"] = "openai", *, language: Literal["en", "zh"] = "en"
) -> dict[str, Any]:
    """The definition of a tool ``expand(handle)``, in a provider's shape.

    Answer a call to it with the text of what ``User.expand(handle)`` (or
    ``Compression.expand(handle)``) returns.
    Raises InvalidInput for another shape or language.
    """
    known = string(shape, "shape") in ("openai", "anthropic")
    if string(language, "language") not in _ABOUT or not known:
        raise InvalidInput(f"there is no such tool definition: {shown(shape)} in {shown(language)}")
    schema = {
        "type": "object",
        "properties": {"handle": {"type": "string", "description": _HANDLE[language]}},
        "required": ["handle"],
        "additionalProperties": False,
    }
    if shape == "anthropic":
        return {"name": "expand", "description": _ABOUT[language], "input_schema": schema}
    function = {"name": "expand", "description": _ABOUT[language], "parameters": schema}
    return {"type": "function", "function": function}

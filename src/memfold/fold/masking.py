"""One line that stands for a tool's output that is shown no more."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from memfold.fold.artifacts import details
from memfold.types import Message

if TYPE_CHECKING:
    from memfold.text.entities import EntityExtractor

# About thirty tokens.
_CHARACTERS: Final = 90
# What is shown first of it: what a later call is likeliest to name.
_FIRST: Final = ("id", "path", "url", "error", "number")
_KEYS: Final = 4
_NAME: Final = 60
_PARSED: Final = 200_000
_TRACEBACK = re.compile(
    r"^Traceback \(most recent call last\)|^[ \t]{1,40}at \S{1,200}\([^\n]{0,200}:\d+\)",
    re.MULTILINE,
)
_DIFF = re.compile(r"^(?:diff --git |@@ -\d)", re.MULTILINE)
_LISTED = re.compile(r"[\w.@+-]+[/*@]?|[\w./@+-]+:\d+:.*|[d-][rwx-]{9}.*")


def stub(
    message: Message, extractor: EntityExtractor, *, called: str | None = None, language: str = "en"
) -> str:
    """Return the line for a tool's output: whose it is, its size and shape, how to see it.

    ``called`` names the function that was called, where the message itself does not; the line is
    Chinese for the ``language`` "zh", else English. Some of the output's artifacts follow.
    """
    text = message.text
    is_chinese = language == "zh"
    name = called or message.name or message.raw.get("name")
    lines = text.count("\n") + 1 if text else 0
    shape = _shape(text, is_chinese)
    if is_chinese:
        size = f"{len(text):,} 字符" + (f"，{lines:,} 行" if lines > 1 else "")
    else:
        size = f"{len(text):,} characters" + (f", {lines:,} lines" if lines > 1 else "")
    parts = [_plain(str(name))[:_NAME]] if name else []
    parts += [size, shape]
    if shown := _some(text, extractor):
        parts.append(shown)
    if is_chinese:
        return f"[工具输出已折叠：{'，'.join(parts)}；expand {message.id}]"
    return f"[tool output masked: {', '.join(parts)}; expand {message.id}]"


def _some(text: str, extractor: EntityExtractor) -> str:
    chosen: list[str] = []
    left = _CHARACTERS
    found = sorted(details(text, extractor), key=lambda each: _FIRST.index(each[0]))
    for _, piece in found:
        piece = _plain(piece)
        if len(piece) + 1 <= left and not any(piece in other for other in chosen):
            chosen.append(piece)
            left -= len(piece) + 1
    return " ".join(chosen)


def _shape(text: str, is_chinese: bool) -> str:
    """Say what an output is: JSON, a listing, a traceback, a diff or text."""
    value = _json(text)
    if isinstance(value, dict):
        keys = ", ".join(_plain(key)[:_NAME] for key in list(value)[:_KEYS])
        more = "…" if len(value) > _KEYS else ""
        return f"JSON：{keys}{more}" if is_chinese else f"JSON with {keys}{more}"
    if isinstance(value, list):
        return f"{len(value)} 项的 JSON 列表" if is_chinese else f"JSON list of {len(value)}"
    if _TRACEBACK.search(text):
        return "错误堆栈" if is_chinese else "traceback"
    if _DIFF.search(text):
        return "差异" if is_chinese else "diff"
    lines = [line for line in text[:_PARSED].splitlines() if line.strip()]
    if len(lines) > 1 and sum(map(bool, map(_LISTED.fullmatch, lines))) >= 0.8 * len(lines):
        return "文件列表" if is_chinese else "listing"
    return "文本" if is_chinese else "text"


def _json(text: str) -> object:
    if text.lstrip()[:1] not in ("{", "[") or len(text) > _PARSED:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _plain(text: str) -> str:
    """Return a text on one line, without what would close the bracket around it."""
    return " ".join(text.split()).replace("]", ")")

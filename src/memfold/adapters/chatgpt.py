"""ChatGPT's data export: ``conversations.json``, a list of trees of messages.

Every answer that was made anew, and every question that was edited, has left a branch; what was
last seen is the path from ``current_node`` up to the root. The format is not documented; this
reads what exports of 2023 to 2025 hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from memfold.adapters.documents import MESSAGES

_TREE: Final = "mapping"
_TEXTS: Final = ("text", "result", "content")  # of kinds of content that have no parts


def recognises(document: Any) -> bool:
    """Whether a JSON document is one conversation of an export."""
    return isinstance(document, dict) and isinstance(document.get(_TREE), dict)


def conversation(document: Mapping[str, Any]) -> dict[str, Any]:
    """The conversation as it was last seen, as a named list of OpenAI-style messages."""
    title = document.get("title")
    extra = {"metadata": {"title": title}} if isinstance(title, str) and title else {}
    told = [
        {**message, **extra}
        for node in _branch(document)
        if (message := _message(node)) is not None
    ]
    return {
        "id": document.get("conversation_id") or document.get("id"),
        "time": document.get("create_time"),
        MESSAGES: told,
    }


def _branch(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The nodes from the root to the current one; without one, to the last on record."""
    tree = document[_TREE]
    at = document.get("current_node")
    if at not in tree:
        at = next(reversed(tree), None)
    found: dict[str, Mapping[str, Any]] = {}
    while isinstance(at, str) and at not in found and isinstance(tree.get(at), dict):
        found[at] = tree[at]
        at = tree[at].get("parent")
    return list(found.values())[::-1]


def _message(node: Mapping[str, Any]) -> dict[str, Any] | None:
    """A node's message; None for the root and for what the reader never saw."""
    message = node.get("message")
    if not isinstance(message, dict):
        return None
    metadata = message.get("metadata")
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
        return None
    author = message.get("author")
    author = author if isinstance(author, dict) else {}
    role, name = author.get("role"), author.get("name")
    content = message.get("content")
    text = "\n".join(_said(content)) if isinstance(content, dict) else ""
    if not text:
        return None
    shaped = {"role": role, "content": text, "time": message.get("create_time")}
    if role == "tool":
        # What it answers is the code of the message before it: there are no call ids.
        shaped = {**shaped, "role": "function", "name": name or "tool"}
    elif isinstance(name, str) and name:
        shaped["name"] = name
    return shaped


def _said(content: Mapping[str, Any]) -> Iterator[str]:
    parts = content.get("parts")
    if isinstance(parts, list):
        texts = [_described(part) if isinstance(part, dict) else part for part in parts]
    else:
        texts = [content.get(name) for name in _TEXTS]
    yield from (text for text in texts if isinstance(text, str) and text.strip())


def _described(part: Mapping[str, Any]) -> str:
    """A part that is no text: its text where it has one (speech), else a mark of what it was."""
    text = part.get("text")
    if isinstance(text, str):
        return text
    return f"[{str(part.get('content_type') or 'attachment').replace('_asset_pointer', '')}]"

"""The JSON forms of what the commands print."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from memfold.cli.console import one_line
from memfold.types import (
    Compression,
    Context,
    Hit,
    Message,
    Quality,
    Receipt,
    SessionInfo,
    Trace,
    TraceItem,
    Usage,
)


def error_form(error: Exception) -> dict[str, Any]:
    """An error with its figures."""
    names = ("kept", "line", "needed", "given")
    figures = {name: getattr(error, name) for name in names if hasattr(error, name)}
    return {"type": type(error).__name__, "message": one_line(str(error)), **figures}


def time_form(at: datetime | None) -> str | None:
    """ISO 8601, in UTC."""
    return at.isoformat() if at is not None else None


def message_form(message: Message) -> dict[str, Any]:
    """A message with its id, place and time; ``message`` is what came in, unchanged."""
    return {
        "id": message.id,
        "session": message.session,
        "position": message.position,
        "role": message.role,
        "name": message.name,
        "at": time_form(message.at),
        "tokens": message.tokens,
        "text": message.text,
        "message": dict(message.raw),
        "metadata": dict(message.metadata),
    }


def hit_form(hit: Hit) -> dict[str, Any]:
    """A hit; ``passage`` holds the offsets in ``text`` of what matched best."""
    return {
        "score": hit.score,
        "parts": dict(hit.parts),
        "passage": list(hit.passage),
        "before": list(hit.before),
        "after": list(hit.after),
        **message_form(hit.message),
    }


def receipt_form(receipt: Receipt) -> dict[str, Any]:
    """What a write did."""
    return {
        "items": [asdict(item) for item in receipt.items],
        "indexed": sorted(receipt.indexed),
        "pending": sorted(receipt.pending),
        "failure": receipt.failure,
        "usage": usage_form(receipt.usage),
    }


def usage_form(usage: Usage) -> dict[str, Any]:
    """What models cost."""
    return asdict(usage)


def quality_form(found: Quality) -> dict[str, Any]:
    """How well folds stand for their sources; of each fold what the report says of it."""
    return {
        "levels": {str(level): dict(figures) for level, figures in found.levels.items()},
        "folds": [
            {
                "id": each.fold.id,
                "session": each.fold.session,
                "level": each.fold.level,
                "first": each.fold.first,
                "last": each.fold.last,
                "method": each.fold.method,
                "tokens": each.fold.tokens,
                "source_tokens": each.fold.source_tokens,
                "entity_retention": each.entity_retention,
                "semantic_similarity": each.semantic_similarity,
                "answers": each.answers,
                "missing": list(each.fold.missing),
                "unsupported": list(each.unsupported),
                "attempts": [asdict(attempt) for attempt in each.fold.attempts],
                "low": list(each.low),
            }
            for each in found.folds
        ],
    }


def compression_form(found: Compression) -> dict[str, Any]:
    """A shorter history with what was made of the rest."""
    return {
        "messages": [dict(message) for message in found.messages],
        "summary": found.summary,
        "standing": [{**asdict(item), "at": time_form(item.at)} for item in found.standing],
        "entities": list(found.entities),
        "importance": list(found.importance),
        "quality": dict(found.quality),
        "masked": [asdict(each) for each in found.masked],
        "attempts": [asdict(attempt) for attempt in found.attempts],
        "usage": usage_form(found.usage),
        "tokens": found.tokens,
        "source_tokens": found.source_tokens,
    }


def session_form(session: SessionInfo) -> dict[str, Any]:
    """A session with its length and times."""
    return {
        "id": session.id,
        "messages": session.messages,
        "began": time_form(session.began),
        "last": time_form(session.last),
        "parent": session.parent,
        "newest": session.newest,
    }


def context_form(context: Context) -> dict[str, Any]:
    """A context with its trace."""
    return {
        "tokens": context.tokens,
        "messages": [dict(message) for message in context.messages],
        "text": context.text,
        "trace": trace_form(context.trace),
    }


def trace_form(trace: Trace) -> dict[str, Any]:
    """Why each piece is there, and what was left out."""
    return {
        "budget": trace.budget,
        "tokens": trace.tokens,
        "full_tokens": trace.full_tokens,
        "by_section": dict(trace.by_section),
        "shown": [_item_form(item) for item in trace.shown],
        "left_out": [_item_form(item) for item in trace.left_out],
    }


def _item_form(item: TraceItem) -> dict[str, Any]:
    return {
        "section": item.section,
        "sources": list(item.sources),
        "tokens": item.tokens,
        "reason": item.reason,
        "score": item.score,
        "parts": dict(item.parts),
    }

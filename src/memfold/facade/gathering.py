"""Collecting what a context may be made of: reads the store, leaves decisions to ``context``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from memfold.context.frames import frames
from memfold.context.pieces import Material
from memfold.context.units import Unit, is_sendable, units
from memfold.errors import InvalidInput
from memfold.facade.drafting import instant, restore
from memfold.facade.engine import Engine
from memfold.facade.searching import Filters, search
from memfold.rows import StoredMessage
from memfold.text.chat import as_dict, is_tool_output, readable, to_bytes
from memfold.text.scripts import language
from memfold.types import Hit, Message, Scope

_SYSTEM = ("system", "developer")
# Of the session's end: how many messages may fit a budget, most of it being recall's or not.
_TOKENS_A_MESSAGE_COLD, _TOKENS_A_MESSAGE = 40, 20
_MOST_HITS, _SHORTEST_LINE = 400, 8
_LOOK_BACK = 200  # messages read at a time when looking for what a tool loop answers
# After so long a pause a new question is as likely to be about anything else.
_PAUSE = timedelta(hours=6)


def gather(
    engine: Engine,
    scope: Scope,
    query: str | Mapping[str, Any] | None,
    *,
    budget: int,
    tools: Sequence[Any],
    now: datetime,
) -> Material:
    """Read what the context needs; ``budget`` bounds how far back."""
    asked = _asked(query)
    full_tokens = engine.full_tokens(scope)
    system, tail, start = _read(
        engine, scope, budget, now=now, all_fits=full_tokens <= budget, looped=asked is None
    )
    asked_at = now
    if tail and _is_query(asked, tail[-1]):
        # It was added before: it ends the context all the same, and exactly once.
        asked, asked_at, tail = dict(tail[-1].raw), tail[-1].at, tail[:-1]
    last = tail[-1] if tail else None
    # Asked about a time before the last message (an import, a replay) it does not go on either.
    cold = last is None or _is_cold(last.at, asked_at)
    past, pending = _split(tail) if asked is None else (_answered(tail), [])
    text = readable(asked) if asked is not None else _last_question(tail)
    folds = engine.folder.folds(scope) if start > 0 or tail else []
    items, artifacts = engine.keeper.kept(scope, folds, [*system, *tail])
    return Material(
        budget=budget,
        counter=engine.counter,
        zone=engine.zone,
        frames=frames(language(text or (last.text if last is not None else ""))),
        config=engine.folder.config,
        system=system,
        past=past,
        pending=pending,
        query=asked,
        query_text=text,
        hits=_recall(engine, scope, text, budget=budget, now=now),
        folds=folds,
        standing=items,
        artifacts=artifacts,
        extractor=engine.rules.extractor,
        cold=cold,
        from_start=start == 0,
        tools=tools,
        full_tokens=full_tokens,
    )


def _asked(query: Any) -> dict[str, Any] | None:
    """The query as a message; None when there is none."""
    if query is None:
        return None
    if isinstance(query, str):
        return {"role": "user", "content": query} if query.strip() else None
    if isinstance(query, Mapping):
        message = as_dict(query)
        to_bytes(message, what="query")
        if message["role"] != "user" or is_tool_output(message):
            raise InvalidInput(
                "a query is what a user says; add what a model or a tool said to the session,"
                " and leave out the query"
            )
        return message if is_sendable(message) else None
    raise InvalidInput(f"a query is a string, a message or None, not {type(query).__name__}")


def _is_query(asked: Mapping[str, Any] | None, last: Message) -> bool:
    """Whether the session's last message is what is asked."""
    if not _is_asked(last):
        return False
    return asked is None or readable(asked).strip() == last.text.strip()


def _read(
    engine: Engine, scope: Scope, budget: int, *, now: datetime, all_fits: bool, looped: bool
) -> tuple[list[Message], list[Message], int]:
    """The session's opening system messages, its newest messages, and where those begin.

    ``looped``: with all of the tool loop that may be going on.
    """
    rows = engine.store.sessions(scope)
    length = rows[0].length if rows else 0
    opening = [restore(row) for row in engine.store.span(scope, 0, 3)]
    system: list[Message] = []
    for message in opening:
        if message.role not in _SYSTEM:
            break
        system.append(message)
    is_cold = not length or _is_cold(instant(rows[0].last or 0), now)
    least = _TOKENS_A_MESSAGE_COLD if is_cold else _TOKENS_A_MESSAGE
    reach = max(4 * engine.folder.config.window, budget // least)
    start = 0 if all_fits else max(0, length - reach)
    shown = {message.id for message in system}
    tail = [restore(row) for row in engine.store.span(scope, start)]
    if looped and start > 0 and not any(_is_asked(message) for message in tail):
        tail = [*_since_question(engine, scope, start), *tail]
    return system, [message for message in tail if message.id not in shown], start


def _is_cold(last: datetime, asked: datetime) -> bool:
    """Whether a question hardly goes on with what was said last."""
    return not timedelta(0) <= asked - last <= _PAUSE


def _is_asked(message: Message) -> bool:
    return message.role == "user" and not is_tool_output(message.raw) and is_sendable(message.raw)


def _since_question(engine: Engine, scope: Scope, end: int) -> list[Message]:
    """From the last user's message before ``end``, which a long tool loop is still busy with.

    Whole, so that what must stand is the same whatever the budget. Where no user ever spoke, a
    part as long as is read at a time.
    """
    rows: list[StoredMessage] = []
    for first in range(end - _LOOK_BACK, -_LOOK_BACK, -_LOOK_BACK):
        found = engine.store.span(scope, max(0, first), first + _LOOK_BACK - 1)
        for at in range(len(found) - 1, -1, -1):
            if found[at].role == "user" and _is_asked(restore(found[at])):
                return [restore(row) for row in [*found[at:], *rows]]
        rows = [*found, *rows]
    return [restore(row) for row in rows[-_LOOK_BACK:]]


def _answered(tail: Sequence[Message]) -> list[Unit]:
    """The units before a new question: a call left open there can no longer be answered."""
    return [unit for unit in units(tail)[0] if not unit.open]


def _split(tail: Sequence[Message]) -> tuple[list[Unit], list[Unit]]:
    """Without a new question: what is past, and the tool round that the model is at.

    The round is the units from the last one with calls on, with the user's message before it.
    """
    found = units(tail)[0]
    first = len(found)
    while first > 0 and _is_round(found[first - 1]):
        first -= 1
    if first < len(found) and first > 0 and found[first - 1].messages[-1].role == "user":
        first -= 1
    if first == len(found) and found:
        first -= 1  # nothing is asked: the last message is what is answered
    return found[:first], found[first:]


def _is_round(unit: Unit) -> bool:
    return len(unit.messages) > 1 or unit.open


def _last_question(tail: Sequence[Message]) -> str:
    for message in reversed(tail):
        if _is_asked(message):
            return message.text
    return ""


def _recall(engine: Engine, scope: Scope, text: str, *, budget: int, now: datetime) -> list[Hit]:
    if not text.strip():
        return []
    return search(
        engine,
        replace(scope, session=None),
        text,
        k=max(1, min(_MOST_HITS, budget // _SHORTEST_LINE)),
        filters=Filters(),
        mode="memfold",
        now=now,
        fill=budget,
    )

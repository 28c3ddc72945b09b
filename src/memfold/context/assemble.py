"""Spending a token budget on what one model call should see.

The order of sections is the one prefix caches like (system text, outline, window, recall,
query); the order of spending is by need: what is obligatory, the newest messages, what the
query recalls, the outline, and with what is left over more of the session verbatim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memfold.context import past, recalled
from memfold.context.pieces import Line, Material
from memfold.context.units import Unit
from memfold.context.wellformed import wellformed
from memfold.context.window import steady
from memfold.errors import BudgetTooSmall
from memfold.fold.outline import OutlinePiece
from memfold.text.chat import readable, to_openai
from memfold.text.tokens import count_message, count_messages
from memfold.types import Context, Fold, Trace, TraceItem

# Shares of what is left after the obligatory part. A cold question (asked after a pause, about
# something else) leaves the last messages as likely to matter as any others.
_WINDOW_COLD, _WINDOW_WARM = 0.05, 0.4
_ENDS = 2  # the first and the last unit of what is pending
_TIGHT = 1200  # tokens; below, a cold question leaves nothing to the window
_OUTLINE, _OUTLINE_FROM = 0.1, _TIGHT
# Of a context in the middle of a conversation, where what goes before is to stay as it was: the
# window, outline and recall, in shares of what system texts leave.
_STEADY_WINDOW, _STEADY_OUTLINE, _STEADY_RECALL = 0.6, 0.12, 0.2
# How far above the average a line must stand there, words and vectors together, in deviations:
# with the whole session shown, and in place of what is not.
_WORTH_IT, _NEEDED = 2.0, 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    window: list[Unit]
    lines: list[Line]
    left: list[TraceItem]
    pieces: list[OutlinePiece[Fold]]


def assemble(material: Material) -> Context:
    """Build the context. Raises BudgetTooSmall when the obligatory part does not fit."""
    material, fixed, dropped = _bearable(material)
    plan = _spend(material, material.budget - fixed)
    while True:
        messages = _write(material, plan)
        tokens = count_messages(material.counter, messages, material.tools)
        if tokens <= material.budget:
            break
        # Joined lines may count a token more than each alone: give up the least.
        plan = _smaller(plan)
    left = [_unit_item(unit, "query", "no room: older rounds of the tool loop") for unit in dropped]
    plan = replace(plan, left=[*left, *plan.left])
    messages = [wellformed(message) for message in messages]
    return Context(
        messages=messages,
        trace=_trace(material, plan, fixed=fixed, tokens=tokens),
        tokens=tokens,
        text=_as_text(messages),
    )


def _bearable(material: Material) -> tuple[Material, int, list[Unit]]:
    """The material with what must stand, that part's tokens, and units that had to go.

    In a long tool loop the question and the newest round must stand; what is between may go, the
    oldest first. Raises BudgetTooSmall.
    """
    pending = list(material.pending)
    fixed = count_messages(material.counter, _obligatory(material), material.tools)
    dropped: list[Unit] = []
    while fixed > material.budget and len(pending) - len(dropped) > _ENDS:
        unit = pending[1 + len(dropped)]
        fixed -= sum(count_message(material.counter, message) for message in _raw([unit]))
        dropped.append(unit)
    if fixed > material.budget:
        raise BudgetTooSmall(needed=fixed, given=material.budget)
    if dropped:
        pending = [pending[0], *pending[1 + len(dropped) :]]
    return replace(material, pending=pending), fixed, dropped


def _raw(units: Sequence[Unit]) -> list[dict[str, Any]]:
    return [
        shaped for unit in units for message in unit.messages for shaped in to_openai(message.raw)
    ]


def _obligatory(material: Material) -> list[Mapping[str, Any]]:
    system = [dict(message.raw) for message in material.system]
    query = [material.query] if material.query is not None else []
    return [*system, *_raw(material.pending), *query]


def _cost(unit: Unit) -> int:
    """What the unit costs, as counted when it was written; the whole is counted at the end."""
    return sum(message.tokens for message in unit.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shares:
    """How much goes to what: the window by its first unit, the others in tokens.

    ``fills``: what recall leaves goes to the window. ``floor`` is what a recalled line must reach.
    """

    first: int
    outline: int
    recall: int | None
    fills: bool
    floor: float | None = None


def _shares(material: Material, costs: Sequence[int], room: int) -> _Shares:
    outline = int(room * _OUTLINE) if material.budget >= _OUTLINE_FROM else 0
    if material.full_tokens <= room and sum(costs) <= room:
        return _Shares(first=0, outline=outline, recall=None, fills=True)  # all there is fits
    if not material.cold and material.budget >= _TIGHT:
        base = material.budget - sum(message.tokens for message in material.system)
        first = steady(material, costs, int(base * _STEADY_WINDOW))
        if first is not None and sum(costs[first:]) <= room:
            whole = first == 0 and material.from_start
            return _Shares(
                first=first,
                outline=int(base * _STEADY_OUTLINE),
                recall=None if whole else int(base * _STEADY_RECALL),
                fills=False,
                floor=_WORTH_IT if whole else _NEEDED,
            )
    share = _WINDOW_WARM
    if material.cold:
        share = _WINDOW_COLD if material.budget >= _TIGHT else 0.0
    count = _newest(costs, int(room * share), most=material.config.window)
    return _Shares(first=len(costs) - count, outline=outline, recall=None, fills=True)


def _spend(material: Material, room: int) -> _Plan:
    costs = [_cost(unit) for unit in material.past]
    shares = _shares(material, costs, room)
    spent = sum(costs[shares.first :])
    window = list(material.past[shares.first :])
    pieces = past.choose(
        material, before=_start(material, window), share=shares.outline, room=room - spent
    )
    outline_text = past.write(material, pieces) if pieces else ""
    if pieces:
        spent += count_message(material.counter, {"role": "system", "content": outline_text})
    shown = [m.id for unit in [*window, *material.pending] for m in unit.messages]
    left_for_lines = room - spent
    lines, left, used = recalled.choose(
        material,
        room=left_for_lines if shares.recall is None else min(left_for_lines, shares.recall),
        floor=shares.floor,
        shown_ids=[*shown, *(message.id for message in material.system)],
        shown_text=outline_text,
    )
    spent += used
    extra = 0
    if shares.fills:
        extra = _newest(costs[: shares.first], room - spent, most=len(costs))
    if extra:
        window = list(material.past[shares.first - extra :])
        ids = {message.id for unit in window for message in unit.messages}
        lines = [line for line in lines if line.hit.message.id not in ids]
        left = [(hit, why) for hit, why in left if hit.message.id not in ids]
        start = _start(material, window)
        pieces = [piece for piece in pieces if past.tells_of_past(piece, start)]
    return _Plan(
        window=window,
        lines=lines,
        left=[
            TraceItem(
                section="recall",
                sources=(hit.message.id,),
                tokens=hit.message.tokens,
                reason=why,
                score=hit.score,
                parts=hit.parts,
            )
            for hit, why in left
        ],
        pieces=pieces,
    )


def _newest(costs: Sequence[int], room: int, *, most: int) -> int:
    """How many of the last units fit ``room`` tokens together, ``most`` at most."""
    count = 0
    for cost in reversed(costs):
        room -= cost
        if room < 0 or count == most:
            break
        count += 1
    return count


def _start(material: Material, window: Sequence[Unit]) -> int:
    """Position of the first message that is shown verbatim."""
    for unit in [*window, *material.pending]:
        return unit.messages[0].position
    return max((fold.last + 1 for fold in material.folds), default=0)


def _smaller(plan: _Plan) -> _Plan:
    if plan.lines:
        return replace(plan, lines=plan.lines[:-1])
    if plan.pieces:
        return replace(plan, pieces=plan.pieces[1:])
    return replace(plan, window=plan.window[1:])


def _write(material: Material, plan: _Plan) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [dict(message.raw) for message in material.system]
    if plan.pieces:
        messages.append({"role": "system", "content": past.write(material, plan.pieces)})
    messages += _raw(plan.window)
    if plan.lines:
        messages.append({"role": "system", "content": recalled.write(material, plan.lines)})
    messages += _raw(material.pending)
    if material.query is not None:
        messages += to_openai(material.query)
    return messages


def _trace(material: Material, plan: _Plan, *, fixed: int, tokens: int) -> Trace:
    shown = [
        TraceItem(section="stable", sources=(m.id,), tokens=m.tokens, reason="system message")
        for m in material.system
    ]
    shown += [
        TraceItem(
            section="outline",
            sources=(piece.fold.id,),
            tokens=piece.tokens,
            reason=f"stands for messages {piece.fold.first} to {piece.fold.last}, as {piece.form}",
        )
        for piece in plan.pieces
    ]
    shown += [_unit_item(unit, "window", "recent") for unit in plan.window]
    shown += [
        TraceItem(
            section="recall",
            sources=(line.hit.message.id,),
            tokens=line.tokens,
            reason="recalled whole" if line.whole else "recalled as an excerpt",
            score=line.hit.score,
            parts=line.hit.parts,
        )
        for line in plan.lines
    ]
    shown += [_unit_item(unit, "query", "obligatory") for unit in material.pending]
    if material.query is not None:
        cost = count_message(material.counter, material.query)
        shown.append(TraceItem(section="query", sources=(), tokens=cost, reason="obligatory"))
    in_window = {message.id for unit in plan.window for message in unit.messages}
    left = list(plan.left)
    left += [
        _unit_item(unit, "window", "no room: the outline and recall stand for it")
        for unit in material.past[max(0, len(material.past) - material.config.window) :]
        if unit.messages[0].id not in in_window
    ]
    sections = dict.fromkeys((item.section for item in shown), 0)
    for item in shown:
        sections[item.section] += item.tokens
    return Trace(
        shown=tuple(shown),
        left_out=tuple(left),
        budget=material.budget,
        tokens=tokens,
        by_section={**sections, "obligatory": fixed},
        full_tokens=material.full_tokens,
    )


def _unit_item(unit: Unit, section: str, reason: str) -> TraceItem:
    return TraceItem(
        section=section,
        sources=tuple(message.id for message in unit.messages),
        tokens=_cost(unit),
        reason=reason,
    )


def _as_text(messages: Sequence[Mapping[str, Any]]) -> str:
    """The same as one text, for completion-style prompts."""
    return "\n\n".join(f"{message['role']}: {readable(message)}" for message in messages)

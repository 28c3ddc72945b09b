"""Spending the tokens that the obligatory part leaves: by need, though not in the order shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memfold.context import kept, past, recalled
from memfold.context.masks import masked
from memfold.context.pieces import Line, Material
from memfold.context.units import Unit
from memfold.context.window import steady
from memfold.fold.outline import OutlinePiece
from memfold.text.tokens import count_message
from memfold.types import Fold, Hit, StandingItem, TraceItem

# Shares of what is left after the obligatory part. A cold question (asked after a pause, about
# something else) leaves the last messages as likely to matter as any others.
_WINDOW_COLD, _WINDOW_WARM = 0.05, 0.4
_TIGHT = 1200  # tokens; below, a cold question leaves nothing to the window
_OUTLINE, _OUTLINE_FROM = 0.1, _TIGHT
# Of a context in the middle of a conversation, where what goes before is to stay as it was: the
# window, outline and recall, in shares of what system texts leave.
_STEADY_WINDOW, _STEADY_OUTLINE, _STEADY_RECALL = 0.6, 0.12, 0.2
# How far above the average a line must stand there, words, vectors and session together, in
# deviations: with the whole session shown, and in place of what is not.
_WORTH_IT, _NEEDED = 2.0, 3.0


_LINE = 12  # tokens around an item of the standing list
# The most of it that instructions and promises take, and details of tools' output.
_STANDING, _DETAILS, _DETAILS_IDLE = 0.25, 0.65, 0.05
# What the window leaves to those details while tools are at work, and how recently they must be.
_DETAILS_AT_LEAST, _RECENT = 0.4, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What goes into a context beside what must stand; ``left`` is what does not, and why."""

    window: list[Unit]
    lines: list[Line]
    standing: list[StandingItem]
    details: dict[str, list[str]]
    left: list[TraceItem]
    pieces: list[OutlinePiece[Fold]]


def cost_of(unit: Unit) -> int:
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


def _shares(material: Material, costs: Sequence[int], room: int, reserve: int) -> _Shares:
    outline = int(room * _OUTLINE) if material.budget >= _OUTLINE_FROM else 0
    if material.full_tokens <= room and sum(costs) <= room:
        return _Shares(first=0, outline=outline, recall=None, fills=True)  # all there is fits
    if not material.cold and material.budget >= _TIGHT:
        base = material.budget - sum(message.tokens for message in material.system) - reserve
        first = steady(material, costs, int(base * _STEADY_WINDOW))
        if first is not None and sum(costs[first:]) <= room - reserve:
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
    count = _newest(costs, int((room - reserve) * share), most=material.config.window)
    return _Shares(first=len(costs) - count, outline=outline, recall=None, fills=True)


def spend(material: Material, room: int) -> Plan:
    """Decide what goes into ``room`` tokens."""
    material = _with_masks(material, room)
    costs = [cost_of(unit) for unit in material.past]
    shares = _shares(material, costs, room, _reserve(material, room))
    window = list(material.past[shares.first :])
    spent = sum(costs[shares.first :])
    fixed_ids = {m.id for m in material.system} | _ids(material.pending)
    shown = fixed_ids | _ids(window)
    items, waiting, used = kept.standing(
        material, room=min(int(_STANDING * room), room - spent), shown_ids=shown
    )
    spent += used
    told = kept.write_standing(material, items) if items else ""
    pieces = past.choose(
        material, before=start_of(material, window), share=shares.outline, room=room - spent
    )
    if pieces:
        outline = past.write(material, pieces)
        spent += count_message(material.counter, {"role": "system", "content": outline})
        told += outline
    details, used = _details(material, room - spent, window, told, room)
    spent += used
    left_for_lines = room - spent
    texts = {hit.message.id: hit.message.text for hit in material.hits}
    lines, left, used = recalled.choose(
        material,
        room=left_for_lines if shares.recall is None else min(left_for_lines, shares.recall),
        floor=shares.floor,
        shown_ids=shown | kept.told_whole(items, texts),
        shown_text=told,
    )
    spent += used
    plan = Plan(
        window=window,
        standing=items,
        details=details,
        lines=lines,
        pieces=pieces,
        left=[*_waiting(waiting), *map(_unrecalled, left)],
    )
    if shares.fills:
        extra = _newest(costs[: shares.first], room - spent, most=len(costs))
        plan = _extended(plan, material, shares.first, extra) if extra else plan
    return plan


def _with_masks(material: Material, room: int) -> Material:
    """The past with the tool output masked that was folded, unless there is room for all."""
    if material.full_tokens <= room:
        return material
    folded = max((fold.last for fold in material.folds), default=-1)
    units = [
        masked(
            unit,
            extractor=material.extractor,
            language=material.frames.language,
            counter=material.counter,
        )
        if unit.last <= folded
        else unit
        for unit in material.past
    ]
    return replace(material, past=units)


def _reserve(material: Material, room: int) -> int:
    """Tokens that the window leaves to what stands outside any summary."""
    waiting = sum(
        material.counter.count(item.text) + _LINE for item in material.standing if not item.done
    )
    details = int(_DETAILS_AT_LEAST * room) if material.artifacts and _works(material) else 0
    return min(waiting, int(_STANDING * room)) + details


def _works(material: Material) -> bool:
    """Whether an agent is at work with tools, and may need what they gave it for its next call."""
    if material.cold:
        return False
    recent = [*material.past[-_RECENT:], *material.pending]
    return any(len(unit.messages) > 1 for unit in recent)


def _details(
    material: Material, left: int, window: Sequence[Unit], told: str, room: int
) -> tuple[dict[str, list[str]], int]:
    if not material.artifacts or material.full_tokens <= room:
        return {}, 0
    verbatim = [m for unit in [*window, *material.pending] for m in unit.messages]
    return kept.details(
        material,
        room=min(left, int((_DETAILS if _works(material) else _DETAILS_IDLE) * room)),
        shown_ids=frozenset(m.id for m in material.system),
        shown_text="\n".join([told, material.query_text, *(m.text for m in verbatim)]),
    )


def _extended(plan: Plan, material: Material, first: int, extra: int) -> Plan:
    """The plan with more of the session verbatim, and nothing twice."""
    window = list(material.past[first - extra :])
    ids = _ids(window)
    start = start_of(material, window)
    return replace(
        plan,
        window=window,
        standing=[item for item in plan.standing if item.source not in ids],
        lines=[line for line in plan.lines if line.hit.message.id not in ids],
        left=[item for item in plan.left if not ids.issuperset(item.sources)],
        pieces=[piece for piece in plan.pieces if past.tells_of_past(piece, start)],
    )


def _ids(units: Sequence[Unit]) -> set[str]:
    return {message.id for unit in units for message in unit.messages}


def _waiting(left: Sequence[tuple[StandingItem, str]]) -> list[TraceItem]:
    return [
        TraceItem(section="standing", sources=(item.source,), tokens=0, reason=why)
        for item, why in left
    ]


def _unrecalled(left: tuple[Hit, str]) -> TraceItem:
    hit, why = left
    return TraceItem(
        section="recall",
        sources=(hit.message.id,),
        tokens=hit.message.tokens,
        reason=why,
        score=hit.score,
        parts=hit.parts,
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


def start_of(material: Material, window: Sequence[Unit]) -> int:
    """Position of the first message that is shown verbatim."""
    for unit in [*window, *material.pending]:
        return unit.messages[0].position
    return max((fold.last + 1 for fold in material.folds), default=0)


def smaller(plan: Plan) -> Plan:
    """The plan without its least piece."""
    if plan.lines:
        return replace(plan, lines=plan.lines[:-1])
    if plan.pieces:
        return replace(plan, pieces=plan.pieces[1:])
    if plan.details:
        return replace(plan, details={})
    if plan.standing:
        return replace(plan, standing=plan.standing[1:])
    return replace(plan, window=plan.window[1:])

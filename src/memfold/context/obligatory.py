"""What must stand in a context, and what gives way when even that is too long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memfold.context.masks import masked
from memfold.context.pieces import Material
from memfold.context.units import Unit
from memfold.errors import BudgetTooSmall
from memfold.text.chat import to_openai
from memfold.text.tokens import count_message, count_messages

_ENDS = 2  # the first and the last unit of what is pending
# A tool loop may take this share of a budget before its old output is masked, and before its old
# rounds are left out: what they brought to light needs room too.
_MASK_FROM, _DROP_FROM = 0.75, 0.85
_GROUP = 4  # rounds that are masked at a time, so that the beginning seldom changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Obliged:
    """The material with what must stand, the tokens of that, and the units that had to go."""

    material: Material
    tokens: int
    dropped: tuple[Unit, ...]


def obliged(material: Material) -> Obliged:
    """Make what must stand fit the budget. Raises BudgetTooSmall when it cannot.

    In a long tool loop the question and the newest round must stand. Of what is between, old tool
    output gives way first, by a line that names it, then whole rounds, the oldest first; last the
    output of the newest round.
    """
    pending = list(material.pending)
    tokens = count_messages(material.counter, _whole(material, pending), material.tools)
    count = max(len(pending) - 1, 0)
    for first in range(0, count, _GROUP):
        if tokens <= _MASK_FROM * material.budget:
            break
        for at in range(first, min(first + _GROUP, count)):
            tokens += _swap(material, pending, at)
    dropped: list[Unit] = []
    while tokens > _DROP_FROM * material.budget and len(pending) > _ENDS:
        unit = pending.pop(1)
        tokens -= _tokens(material, unit)
        dropped.append(unit)
    if tokens > material.budget and pending:
        tokens += _swap(material, pending, len(pending) - 1)
    if tokens > material.budget:
        raise BudgetTooSmall(needed=tokens, given=material.budget)
    return Obliged(
        material=replace(material, pending=pending), tokens=tokens, dropped=tuple(dropped)
    )


def _swap(material: Material, pending: list[Unit], at: int) -> int:
    """Put a masked unit in the place of one; the difference in tokens."""
    unit = masked(
        pending[at],
        extractor=material.extractor,
        language=material.frames.language,
        counter=material.counter,
    )
    difference = _tokens(material, unit) - _tokens(material, pending[at])
    pending[at] = unit
    return difference


def _tokens(material: Material, unit: Unit) -> int:
    return sum(count_message(material.counter, message) for message in raw([unit]))


def raw(units: Sequence[Unit]) -> list[dict[str, Any]]:
    """The messages of units, as OpenAI-style clients take them."""
    return [
        shaped for unit in units for message in unit.messages for shaped in to_openai(message.raw)
    ]


def _whole(material: Material, pending: Sequence[Unit]) -> list[Mapping[str, Any]]:
    system = [dict(message.raw) for message in material.system]
    query = [material.query] if material.query is not None else []
    return [*system, *raw(pending), *query]

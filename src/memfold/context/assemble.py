"""Spending a token budget on what one model call should see.

The order of sections is the one prefix caches like (system text, what stands, outline, details
of tools' output, window, recall, query); the order of spending is by need: what is obligatory,
the newest messages, what the query recalls, the outline, and with what is left over more of the
session verbatim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memfold.context import kept, past, recalled
from memfold.context.obligatory import obliged, raw
from memfold.context.pieces import Material
from memfold.context.spending import Plan, smaller, spend
from memfold.context.tracing import trace_of, unit_item
from memfold.context.wellformed import wellformed
from memfold.text.chat import readable, to_openai
from memfold.text.tokens import count_messages
from memfold.types import Context


def assemble(material: Material) -> Context:
    """Build the context. Raises BudgetTooSmall when the obligatory part does not fit."""
    must = obliged(material)
    material = must.material
    plan = spend(material, material.budget - must.tokens)
    while True:
        messages = _write(material, plan)
        tokens = count_messages(material.counter, messages, material.tools)
        if tokens <= material.budget:
            break
        # Joined lines may count a token more than each alone: give up the least.
        plan = smaller(plan)
    left = [
        unit_item(unit, "query", "no room: older rounds of the tool loop") for unit in must.dropped
    ]
    plan = replace(plan, left=[*left, *plan.left])
    messages = [wellformed(message) for message in messages]
    return Context(
        messages=messages,
        trace=trace_of(material, plan, fixed=must.tokens, tokens=tokens),
        tokens=tokens,
        text=_as_text(messages),
    )


def _write(material: Material, plan: Plan) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [dict(message.raw) for message in material.system]
    for text in _stable(material, plan):
        messages.append({"role": "system", "content": text})
    messages += raw(plan.window)
    if plan.lines:
        messages.append({"role": "system", "content": recalled.write(material, plan.lines)})
    messages += raw(material.pending)
    if material.query is not None:
        messages += to_openai(material.query)
    return messages


def _stable(material: Material, plan: Plan) -> Iterator[str]:
    """The sections that seldom change: what stands, what came before, what tools gave."""
    if plan.standing:
        yield kept.write_standing(material, plan.standing)
    if plan.pieces:
        yield past.write(material, plan.pieces)
    if plan.details:
        yield kept.write_details(material, plan.details)


def _as_text(messages: Sequence[Mapping[str, Any]]) -> str:
    """The same as one text, for completion-style prompts."""
    return "\n\n".join(f"{message['role']}: {readable(message)}" for message in messages)

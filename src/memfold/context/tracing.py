"""Telling why each piece of a context is there, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator

from memfold.context.pieces import Material
from memfold.context.spending import Plan, cost_of
from memfold.context.units import Unit
from memfold.text.tokens import count_message
from memfold.types import Trace, TraceItem


def trace_of(material: Material, plan: Plan, *, fixed: int, tokens: int) -> Trace:
    """The account of a context: ``fixed`` tokens had to stand, ``tokens`` it has in all."""
    shown = [*_stable(material, plan), *_changing(material, plan)]
    sections = dict.fromkeys((item.section for item in shown), 0)
    for item in shown:
        sections[item.section] += item.tokens
    return Trace(
        shown=tuple(shown),
        left_out=(*plan.left, *_not_in_window(material, plan)),
        budget=material.budget,
        tokens=tokens,
        by_section={**sections, "obligatory": fixed},
        full_tokens=material.full_tokens,
    )


def _stable(material: Material, plan: Plan) -> Iterator[TraceItem]:
    for message in material.system:
        yield TraceItem(
            section="stable", sources=(message.id,), tokens=message.tokens, reason="system message"
        )
    for item in plan.standing:
        yield TraceItem(
            section="standing",
            sources=(item.source,),
            tokens=material.counter.count(item.text),
            reason=f"{item.kind}, as it was said",
        )
    for piece in plan.pieces:
        fold = piece.fold
        yield TraceItem(
            section="outline",
            sources=(fold.id,),
            tokens=piece.tokens,
            reason=f"stands for messages {fold.first} to {fold.last}, as {piece.form}",
        )
    for source, texts in plan.details.items():
        yield TraceItem(
            section="details",
            sources=(source,),
            tokens=material.counter.count("; ".join(texts)),
            reason="details of tool output that is not shown",
        )


def _changing(material: Material, plan: Plan) -> Iterator[TraceItem]:
    for unit in plan.window:
        yield unit_item(unit, "window", "recent")
    for line in plan.lines:
        yield TraceItem(
            section="recall",
            sources=(line.hit.message.id,),
            tokens=line.tokens,
            reason="recalled whole" if line.whole else "recalled as an excerpt",
            score=line.hit.score,
            parts=line.hit.parts,
        )
    for unit in material.pending:
        yield unit_item(unit, "query", "obligatory")
    if material.query is not None:
        cost = count_message(material.counter, material.query)
        yield TraceItem(section="query", sources=(), tokens=cost, reason="obligatory")


def _not_in_window(material: Material, plan: Plan) -> Iterator[TraceItem]:
    shown = {message.id for unit in plan.window for message in unit.messages}
    for unit in material.past[max(0, len(material.past) - material.config.window) :]:
        if unit.messages[0].id not in shown:
            yield unit_item(unit, "window", "no room: the outline and recall stand for it")


def unit_item(unit: Unit, section: str, reason: str) -> TraceItem:
    """A unit that is shown verbatim, or is not."""
    return TraceItem(
        section=section,
        sources=tuple(message.id for message in unit.messages),
        tokens=cost_of(unit),
        reason=reason,
    )

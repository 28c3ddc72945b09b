"""A fold from the sentences that a model wrote, mended with the details that they left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memfold.fold import facts
from memfold.fold.build import summary_fields
from memfold.fold.extractive import Extractive, Summary
from memfold.fold.source import Source
from memfold.fold.units import Detail, Unit, gather
from memfold.fold.weights import weigh
from memfold.types import Fold

if TYPE_CHECKING:
    from memfold.fold.config import FoldConfig
    from memfold.protocols import TokenCounter
    from memfold.text.entities import EntityExtractor

_WHOLE = 1 << 30  # tokens of a piece: sentences are looked at uncut


def details_of(
    base: Fold, source: Source, counter: TokenCounter, extractor: EntityExtractor
) -> list[Detail]:
    """The details that a fold must keep, the best first, as its source writes them."""
    material = gather(source.units, _WHOLE, counter, extractor, base.required)
    return facts.ranked(material.details.values(), weigh(material, None).entities)


def written(
    said: Sequence[str],
    base: Fold,
    details: Sequence[Detail],
    source: Source,
    *,
    limit: int,
    config: FoldConfig,
    counter: TokenCounter,
    extractor: EntityExtractor,
) -> Fold:
    """Make the fold that stands in the place of ``base`` from a model's sentences.

    It has at most ``limit`` tokens. Each sentence is traced to messages by its words; those of
    the ``details`` that no sentence names follow in the line of key facts, as in any fold.
    """
    units = [Unit(text=" ".join(each.split()), sources=source.trace(each)) for each in said]
    summariser = Extractive(
        limit=min(limit, max(base.source_tokens - 1, 0)),
        headline_limit=config.headline_tokens,
        counter=counter,
        extractor=extractor,
    )
    named = [_fact(detail) for detail in details]
    summary = _mended(units, named, base, summariser, details)
    # What fits as it is was still written by a model: the source is not its own fold.
    return replace(base, method="model", **{**summary_fields(summary), "verbatim": False})


def _mended(
    units: Sequence[Unit],
    named: Sequence[Unit],
    base: Fold,
    summariser: Extractive,
    details: Sequence[Detail],
) -> Summary:
    """All the sentences with the facts they lack where those fit, else the best of them."""
    text = "\n".join(unit.text for unit in units)
    left = facts.left_out(details, text, summariser.limit)
    keys = {detail.key for detail in left}
    lacking = [unit for unit, detail in zip(named, details, strict=True) if detail.key in keys]
    whole = summariser.verbatim(
        [*units, *lacking], required=base.required, source_tokens=base.source_tokens
    )
    if whole is not None:
        return whole
    return summariser.shorten(
        [*units, *named], required=base.required, source_tokens=base.source_tokens
    )


def _fact(detail: Detail) -> Unit:
    return Unit(
        text=detail.text,
        speaker=detail.unit.speaker,
        at=detail.unit.at,
        sources=detail.unit.sources,
        fact=True,
    )

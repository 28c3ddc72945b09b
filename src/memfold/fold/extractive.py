"""The summariser that needs no model: sentences of the source, then the details they left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Final

from memfold.fold import facts
from memfold.fold.coverage import choose
from memfold.fold.headline import headline
from memfold.fold.lines import ENGLISH, Layout, Style, style_of
from memfold.fold.manner import SMALL_TALK
from memfold.fold.units import Candidate, Detail, Unit, gather, telling
from memfold.fold.weights import Weights, weigh
from memfold.text.entities import retained
from memfold.text.scripts import language
from memfold.types import FoldSentence

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter
    from memfold.text.entities import EntityExtractor

# The longest sentence that is chosen whole, as a share of the limit.
_LONGEST: Final = 0.35
# Nothing is cut into pieces of fewer tokens than this.
_SHORTEST: Final = 8
# What the parts take less than was reckoned is spent again, so often and if it is so many tokens.
_REFILLS: Final = 3
_WORTH_REFILLING: Final = 4
# A text with more characters per token of the limit is not even counted: it cannot fit.
_MOST_CHARACTERS: Final = 32
# The language is judged by the beginnings of so many sentences.
_SAMPLES, _SAMPLE = 20, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A summary with the account of what it keeps; the fields are those of ``types.Fold``."""

    text: str
    sentences: tuple[FoldSentence, ...]
    headline: str
    tokens: int
    headline_tokens: int
    required: tuple[str, ...]
    kept: tuple[str, ...]
    missing: tuple[str, ...]
    verbatim: bool
    source_tokens: int
    quality: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extractive:
    """Summarises by extraction. The same input gives the same summary on every machine.

    A summary has at most ``limit`` tokens, its headline ``headline_limit``. ``idf`` says how rare
    an index term is in a larger collection; without it that is how rare the word is in general.
    """

    limit: int
    headline_limit: int
    counter: TokenCounter
    extractor: EntityExtractor
    idf: Callable[[str], float] | None = None

    def verbatim(
        self,
        units: Sequence[Unit],
        *,
        required: Sequence[str] | None = None,
        source_tokens: int | None = None,
    ) -> Summary | None:
        """Write the units down as their own summary; None where they do not fit."""
        layout = self._layout(units)
        text = _written(layout, units)
        if len(text) > _MOST_CHARACTERS * self.limit:
            return None
        tokens = self.counter.count(text)
        if tokens > self.limit:
            return None
        draft = self._draft(units, layout, self.headline_limit, required)
        body = _Body(
            text=text,
            tokens=tokens,
            sentences=tuple(_said(unit, unit.text) for unit in units),
            chosen=draft.candidates,
        )
        return self._summary(
            draft, body, tokens if source_tokens is None else source_tokens, verbatim=True
        )

    def shorten(
        self,
        units: Sequence[Unit],
        *,
        required: Sequence[str] | None = None,
        source_tokens: int | None = None,
    ) -> Summary:
        """Summarise units in fewer tokens than they have.

        ``source_tokens`` is the size of their source where they are not all of it.
        """
        layout = self._layout(units)
        if source_tokens is None:
            source_tokens = self.counter.count(_written(layout, units))
        limit = max(min(self.limit, source_tokens - 1), 0)
        draft = self._draft(units, layout, max(ceil(_LONGEST * limit), _SHORTEST), required)
        return self._summary(draft, self._shortened(draft, limit), source_tokens, verbatim=False)

    def _layout(self, units: Sequence[Unit]) -> Layout:
        since = next((unit.at.date() for unit in units if unit.at is not None), None)
        return Layout(_style(units), since, self.counter)

    def _draft(
        self,
        units: Sequence[Unit],
        layout: Layout,
        longest: int,
        required: Sequence[str] | None,
    ) -> _Draft:
        material = gather(units, longest, self.counter, self.extractor, required)
        weights = weigh(material, self.idf)
        found = material.details
        details = facts.ranked(found.values(), weights.entities)
        # Small talk stands only where nothing else was said.
        telling = [each for each in material.candidates if each.manner > SMALL_TALK]
        return _Draft(
            candidates=telling or material.candidates,
            required=tuple(found) if required is None else tuple(dict.fromkeys(required)),
            details=details,
            order={key: place for place, key in enumerate(found)},
            weights=weights,
            layout=layout,
        )

    def _shortened(self, draft: _Draft, limit: int) -> _Body:
        body = self._filled(draft, limit, limit)
        # Tokens of parts rarely add up to those of the whole, which has some 5 % less.
        room = limit
        for _ in range(_REFILLS):
            left = limit - body.tokens
            if left < _WORTH_REFILLING:
                break
            room += left
            fuller = self._filled(draft, limit, room)
            if fuller.named < body.named or fuller.tokens <= body.tokens:
                break
            body = fuller
        return body

    def _filled(self, draft: _Draft, limit: int, room: int) -> _Body:
        """Choose for ``room`` tokens, counted part by part, what has at most ``limit`` written."""
        label = self.counter.count("\n" + draft.layout.style.facts)
        speakers = (each.unit.speaker for each in draft.candidates)
        reserved = facts.reserve(draft.details, speakers, limit=room - label)
        room -= label if reserved else 0
        chosen = choose(draft.candidates, draft.weights, draft.layout, room, reserved)
        if not chosen and not reserved:
            chosen = draft.first_within(room)
        text = draft.write(chosen, [])
        tokens = self.counter.count(text)
        left = facts.left_out(draft.details, text, limit - label - tokens)
        if left:
            text = draft.write(chosen, left)
            tokens = self.counter.count(text)
        while tokens > limit and (left or chosen):
            (left or chosen).pop()
            text = draft.write(chosen, left)
            tokens = self.counter.count(text)
        return _Body(
            text=text,
            tokens=tokens,
            sentences=draft.sentences(chosen, left),
            chosen=chosen,
            named=len(retained([each.entity for each in draft.details], text)),
        )

    def _summary(
        self, draft: _Draft, body: _Body, source_tokens: int, *, verbatim: bool
    ) -> Summary:
        title = headline(
            body.chosen or draft.candidates,
            draft.details,
            draft.weights,
            draft.layout,
            self.headline_limit,
            self.counter,
        )
        required = draft.required
        kept = retained((each.entity for each in draft.details), body.text)
        return Summary(
            text=body.text,
            sentences=body.sentences,
            headline=title,
            tokens=body.tokens,
            headline_tokens=self.counter.count(title),
            required=required,
            kept=tuple(key for key in required if key in kept),
            missing=tuple(key for key in required if key not in kept),
            verbatim=verbatim,
            source_tokens=source_tokens,
            quality={
                "entity_retention": len(kept) / len(required) if required else 1.0,
                "ratio": body.tokens / source_tokens if source_tokens else 1.0,
            },
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Body:
    """The text of a summary and what it is made of."""

    text: str
    tokens: int
    sentences: tuple[FoldSentence, ...]
    chosen: Sequence[Candidate]
    named: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """What a summary is made of: candidates and details (the best first) with their weights."""

    candidates: Sequence[Candidate]
    required: tuple[str, ...]
    details: Sequence[Detail]
    order: Mapping[str, int]
    weights: Weights
    layout: Layout

    def first_within(self, room: int) -> list[Candidate]:
        """Return something, where nothing has words that count: the first piece that fits."""
        opening = self.layout.cost_between
        fitting = (c for c in self.candidates if c.tokens + opening(None, c.line) <= room)
        return list(islice(fitting, 1))

    def write(self, chosen: Sequence[Candidate], left: Sequence[Detail]) -> str:
        said = [(each.line, each.text) for each in sorted(chosen, key=_place)]
        return self.layout.text(said, [each.text for each in self._in_order(left)])

    def sentences(
        self, chosen: Sequence[Candidate], left: Sequence[Detail]
    ) -> tuple[FoldSentence, ...]:
        said = [_said(each.unit, each.text) for each in sorted(chosen, key=_place)]
        named = [_said(each.unit, each.text, fact=True) for each in self._in_order(left)]
        return (*said, *named)

    def _in_order(self, details: Sequence[Detail]) -> list[Detail]:
        return sorted(details, key=lambda each: self.order[each.key])


def _said(unit: Unit, text: str, *, fact: bool = False) -> FoldSentence:
    return FoldSentence(
        text=text, sources=unit.sources, speaker=unit.speaker, at=unit.at, fact=fact or unit.fact
    )


def _place(candidate: Candidate) -> int:
    return candidate.order


def _written(layout: Layout, units: Sequence[Unit]) -> str:
    return layout.text(
        [(unit.line, unit.text) for unit in units if not unit.fact],
        list(dict.fromkeys(unit.text for unit in units if unit.fact)),
    )


def _style(units: Sequence[Unit]) -> Style:
    if all(unit.text.isascii() for unit in units):
        return ENGLISH
    units = telling(units)
    step = max(len(units) // _SAMPLES, 1)
    return style_of(language("\n".join(unit.text[:_SAMPLE] for unit in units[::step])))

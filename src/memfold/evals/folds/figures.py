"""The figures of texts that stand for spans of a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np

from memfold.evals.metrics import percentile
from memfold.protocols import Embedder, TokenCounter
from memfold.text.entities import Entity, EntityExtractor, retained
from memfold.types import Message

_DIGITS: Final = 4
_BATCH: Final = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A span of a conversation, with what a text that stands for it is measured by.

    ``entities`` are its protected details by the name of the extractor that found them.
    """

    text: str
    entities: Mapping[str, Sequence[Entity]]


def source(messages: Sequence[Message], extractors: Mapping[str, EntityExtractor]) -> Source:
    """The span of these messages."""
    said = "\n|\n".join(message.text for message in messages)
    return Source(
        text="\n".join(f"{message.name or message.role}: {message.text}" for message in messages),
        entities={name: each.extract(said) for name, each in extractors.items()},
    )


class Figures:
    """Collects the figures of one way of shortening."""

    def __init__(self) -> None:
        self.answers: list[float] = []
        self._retention: dict[str, list[float]] = {}
        self._texts: list[str] = []
        self._sources: list[str] = []

    def stands(self, texts: Sequence[str], source: Source) -> None:
        """These texts, draws of one, stand for a span."""
        for name, entities in source.entities.items():
            if entities:
                shares = [_retention(entities, text) for text in texts]
                self._retention.setdefault(name, []).append(fmean(shares))
        self._texts += texts
        self._sources += [source.text] * len(texts)

    def holds(self, text: str, source: Source, extractor: str, *, label: str) -> None:
        """Only the retention of another text for a span, kept under ``label``."""
        if entities := source.entities[extractor]:
            self._retention.setdefault(label, []).append(_retention(entities, text))

    def summary(self, embedder: Embedder, counter: TokenCounter) -> dict[str, float]:
        """All of them, as they are printed."""
        similar = similarities(self._texts, self._sources, embedder)
        found = {f"entity_retention{name}": fmean(each) for name, each in self._retention.items()}
        found["similarity_mean"] = fmean(similar) if similar else 0.0
        found["similarity_p10"] = percentile(similar, 0.1)
        if self.answers:
            found["answers_kept"] = fmean(self.answers)
        found["tokens"] = fmean(map(counter.count, self._texts)) if self._texts else 0.0
        return {name: round(value, _DIGITS) for name, value in found.items()}


def _retention(entities: Sequence[Entity], text: str) -> float:
    return len(retained(entities, text)) / len({entity.key for entity in entities})


def similarities(texts: Sequence[str], sources: Sequence[str], embedder: Embedder) -> list[float]:
    """The cosine of each text and its source."""
    distinct = list(dict.fromkeys([*texts, *sources]))
    vectors = np.concatenate(
        [embedder.embed(distinct[at : at + _BATCH]) for at in range(0, len(distinct), _BATCH)]
        or [np.empty((0, embedder.dimension), dtype=np.float32)]
    )
    place = {text: number for number, text in enumerate(distinct)}
    return [
        float(vectors[place[text]] @ vectors[place[source]])
        for text, source in zip(texts, sources, strict=True)
    ]

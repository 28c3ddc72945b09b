"""Folds of whole conversations, level by level, beside what else the same tokens could hold."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from memfold.evals.folds.figures import Figures, source
from memfold.evals.folds.others import OTHERS, extracts
from memfold.evals.folds.talks import Talk, said
from memfold.fold.build import fold_folds, fold_messages
from memfold.fold.config import FoldConfig
from memfold.fold.plan import Shape, due, segments
from memfold.protocols import Embedder, TokenCounter
from memfold.text.chat import answers, opens
from memfold.text.entities import EntityExtractor
from memfold.types import Fold

OURS: Final = "memfold"
PATTERNS, NER = "", "_ner"
"""The extractors: the patterns alone, which are the default, and with the models of ``ner``."""
# Of folds that were made with the models too.
_FOLDED_WITH_NER: Final = "_ner_folded"

Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Tools:
    """What folding and measuring take."""

    counter: TokenCounter
    embedder: Embedder
    extractors: Mapping[str, EntityExtractor]


class Folding:
    """Folds conversations and keeps the processor's time that the folds of level 1 took."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self.made = 0
        self.seconds = 0.0

    def folds(self, talk: Talk, config: FoldConfig, extractor: EntityExtractor) -> list[Fold]:
        """All folds of a conversation, as memfold cuts it; nothing is left to a window."""
        shapes = [Shape(opens=opens(m.raw), answers=answers(m.raw)) for m in talk.messages]
        made: dict[tuple[int, int], Fold] = {}
        for job in due(segments(shapes, config), {}, config):
            id = f"f{job.level}-{job.index}"
            if job.level > 1:
                fold = fold_folds(
                    [made[job.level - 1, index] for index in job.children],
                    id=id,
                    level=job.level,
                    index=job.index,
                    config=config,
                    counter=self._counter,
                    extractor=extractor,
                )
            else:
                began = time.process_time()
                fold = fold_messages(
                    talk.messages[job.first : job.last + 1],
                    id=id,
                    index=job.index,
                    config=config,
                    counter=self._counter,
                    extractor=extractor,
                )
                self.seconds += time.process_time() - began
                self.made += 1
            made[job.level, job.index] = fold
        return list(made.values())


class Level:
    """The figures of one level at one limit, of memfold's folds and of what stands beside."""

    def __init__(self, level: int, limit: int, tools: Tools) -> None:
        self._level = level
        self._limit = limit
        self._tools = tools
        self._ways = {name: Figures() for name in (OURS, *OTHERS)}
        self._spans = 0

    def add(self, talk: Talk, folds: Sequence[Fold], with_ner: Sequence[Fold]) -> None:
        """Measure the folds of this level among those of a conversation.

        ``with_ner`` are the same folds by the extractor with models, where there is one.
        """
        known = {fold.first: fold for fold in with_ner if fold.level == self._level}
        written: dict[str, dict[Span, Sequence[str]]] = {name: {} for name in self._ways}
        for fold in folds:
            if fold.level != self._level:
                continue
            messages = said(talk.messages[fold.first : fold.last + 1])
            if not messages:
                continue
            whole = source(messages, self._tools.extractors)
            texts = {OURS: [fold.text], **extracts(messages, self._limit, self._tools.counter)}
            for name, each in texts.items():
                self._ways[name].stands(each, whole)
                written[name][fold.first, fold.last] = each
            self._spans += 1
            if fold.first in known:
                self._ways[OURS].holds(known[fold.first].text, whole, NER, label=_FOLDED_WITH_NER)
        for name, by_span in written.items():
            self._ways[name].answers += _answers(talk, by_span)

    def summary(self) -> dict[str, Any]:
        """The figures by the name of the way."""
        embedder, counter = self._tools.embedder, self._tools.counter
        return {
            "spans": self._spans,
            "questions": len(self._ways[OURS].answers),
            **{name: way.summary(embedder, counter) for name, way in self._ways.items()},
        }


def _answers(talk: Talk, by_span: Mapping[Span, Sequence[str]]) -> Iterator[float]:
    """Of each answer, how often it stands in the texts of the spans of its evidence."""
    at = {place: span for span in by_span for place in range(span[0], span[1] + 1)}
    for asked in talk.asked:
        if asked.answer and all(place in at for place in asked.evidence):
            spans = dict.fromkeys(at[place] for place in asked.evidence)
            draws = zip(*(by_span[span] for span in spans), strict=True)
            yield fmean(asked.answered("\n".join(texts)) for texts in draws)

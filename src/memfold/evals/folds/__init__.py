"""How much of a conversation its folds keep, beside what else the same tokens could hold."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any, Final

import memfold
from memfold.embedders.use import UniversalSentenceEncoder
from memfold.errors import InvalidInput, MissingExtra
from memfold.evals.embedding import RememberingEmbedder
from memfold.evals.folds.keeping import Keeping
from memfold.evals.folds.levels import NER, PATTERNS, Folding, Level, Tools
from memfold.evals.folds.outlined import Outlined
from memfold.evals.folds.report import print_folds
from memfold.evals.folds.talks import NAMES, Talk, read, talks
from memfold.evals.tally import Progress
from memfold.fold.config import FoldConfig
from memfold.protocols import Embedder
from memfold.text.entities import EntityExtractor
from memfold.text.tokens import TiktokenCounter
from memfold.types import Fold

__all__ = ["LIMITS", "NAMES", "folds", "print_folds"]

LIMITS: Final = (60, 100, 150, 200)
"""Tokens that a fold of level 1 may have; those of higher levels are made of the last ones."""
HIGHER: Final = (2, 3)
"""The higher levels that are measured, at the limit of ``FoldConfig``."""


def folds(
    name: str,
    path: str | os.PathLike[str] | None = None,
    *,
    skip: int = 0,
    limit: int | None = None,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Fold the conversations of a data set (a name of ``NAMES``) and measure what is left.

    ``skip`` leaves out the first so many conversations, ``limit`` takes no more than so many;
    ``embedder`` defaults to memfold's own. The result has the form of
    ``schema/folds.schema.json``. Raises InvalidInput as the readers do, and where no
    conversation is left or none has a segment.
    """
    began = time.perf_counter()
    tools = _tools(embedder)
    dataset = read(name, path)
    found = talks(dataset, tools.counter)[skip:][:limit]
    if not found:
        raise InvalidInput(f"{name}: no conversation is left")
    return {
        "dataset": dataset.name,
        "files": dict(dataset.files),
        "version": memfold.__version__,
        "conversations": len(found),
        "messages": sum(len(talk.messages) for talk in found),
        "embedder": tools.embedder.fingerprint,
        "extractors": {name: each.fingerprint for name, each in _named(tools).items()},
        **_levels(found, tools, progress or (lambda done, total: None)),
        "outline": Outlined(
            counter=tools.counter, extractor=tools.extractors[PATTERNS], config=FoldConfig()
        ).measure(found),
        "kept": _kept(found, tools.extractors[PATTERNS]),
        "seconds": round(time.perf_counter() - began, 1),
    }


def _tools(embedder: Embedder | None) -> Tools:
    extractors = {PATTERNS: EntityExtractor()}
    try:
        from memfold.text.ner import combined

        extractors[NER] = EntityExtractor(ner=combined())
    except MissingExtra:
        pass  # then nothing is said of its names
    return Tools(
        counter=TiktokenCounter(),
        embedder=RememberingEmbedder(embedder or UniversalSentenceEncoder()),
        extractors=extractors,
    )


def _named(tools: Tools) -> Mapping[str, EntityExtractor]:
    return {name.strip("_") or "patterns": each for name, each in tools.extractors.items()}


def _levels(found: list[Talk], tools: Tools, progress: Progress) -> dict[str, Any]:
    folding = Folding(tools.counter)
    first = {limit: Level(1, limit, tools) for limit in LIMITS}
    higher = {level: Level(level, FoldConfig().limit(level), tools) for level in HIGHER}
    total = len(found) * len(LIMITS)
    for done, talk in enumerate(found):
        for number, limit in enumerate(LIMITS):
            progress(done * len(LIMITS) + number, total)
            config = FoldConfig(window=0, segment_tokens=limit)
            made = folding.folds(talk, config, tools.extractors[PATTERNS])
            with_ner = _with_ner(talk, config, tools)
            first[limit].add(talk, made, with_ner)
            if limit == LIMITS[-1]:
                for level in higher.values():
                    level.add(talk, made, with_ner)
    if not folding.made:
        raise InvalidInput("no conversation is long enough for a segment")
    return {
        "level_1": {str(limit): level.summary() for limit, level in first.items()},
        "higher": {str(number): level.summary() for number, level in higher.items()},
        "folds_per_cpu_second": round(folding.made / max(folding.seconds, 1e-9), 1),
    }


def _with_ner(talk: Talk, config: FoldConfig, tools: Tools) -> list[Fold]:
    if NER not in tools.extractors:
        return []
    return Folding(tools.counter).folds(talk, config, tools.extractors[NER])


def _kept(found: list[Talk], extractor: EntityExtractor) -> dict[str, Any]:
    keeping = Keeping(extractor)
    for talk in found:
        keeping.add(talk)
    return dict(keeping.summary())

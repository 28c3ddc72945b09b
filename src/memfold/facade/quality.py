"""The report on how well folds stand for what they replace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from memfold.facade.engine import Engine
from memfold.facade.models import Models, Place
from memfold.fold.config import FoldConfig
from memfold.fold.examination import examine
from memfold.fold.ladder import measured
from memfold.fold.source import Source
from memfold.fold.verify import unsupported
from memfold.protocols import LLM
from memfold.types import Fold, FoldQuality, Quality, Scope

_QUESTIONS = 5  # that a reader is asked about each fold
_ANSWERS = 0.85  # of which it should answer this share


def quality(
    engine: Engine,
    scope: Scope,
    *,
    reader: LLM | None,
    progress: Callable[[int, int], None] | None,
) -> Quality:
    """Measure the folds of the scope's session, or of all of the owner's."""
    names = [scope.session] if scope.session else [s.id for s in engine.store.sessions(scope)]
    sessions = [replace(scope, session=name) for name in names]
    standing = [(each, engine.folder.folds(each)) for each in sessions]
    total = sum(len(folds) for _, folds in standing)
    found: list[FoldQuality] = []
    models = Models(engine.store, reader, None, engine.now) if reader is not None else None
    for each, folds in standing:
        for fold in folds:
            found.append(_measured(engine, each, fold, folds, models))
            if progress is not None:
                progress(len(found), total)
    return Quality(folds=tuple(found), levels=_levels(found))


def _measured(
    engine: Engine, scope: Scope, fold: Fold, folds: Sequence[Fold], models: Models | None
) -> FoldQuality:
    rules = engine.rules
    source = engine.folder.source(scope, fold, folds)
    near = measured(fold, source, rules.similarity).quality.get("semantic_similarity")
    answers = _examined(scope, fold, source, models) if models is not None else None
    made_up = unsupported(fold.text, source.text, rules.extractor) if fold.method == "model" else ()
    retention = fold.quality.get("entity_retention", 1.0)
    return FoldQuality(
        fold=fold,
        entity_retention=retention,
        semantic_similarity=near,
        answers=answers,
        unsupported=made_up,
        low=_low(rules.config, retention, near, answers, made_up),
    )


def _examined(scope: Scope, fold: Fold, source: Source, models: Models) -> float | None:
    if not fold.text:
        return None
    exam = examine(fold.text, source, count=_QUESTIONS)
    place = Place(scope=scope, first=fold.first, last=fold.last, revision=-1)
    try:
        asked = next(exam)
        while True:
            asked = exam.send(models.ask(place, asked))
    except StopIteration as done:
        accuracy: float | None = done.value.accuracy
    return accuracy


def _low(
    config: FoldConfig,
    retention: float,
    near: float | None,
    answers: float | None,
    made_up: Sequence[str],
) -> tuple[str, ...]:
    figures = (
        ("entity retention", retention, config.entity_target),
        ("semantic similarity", near, config.similarity_target),
        ("answers", answers, _ANSWERS),
    )
    low = [
        f"{name} {figure:.2f} below {target}"
        for name, figure, target in figures
        if figure is not None and figure < target
    ]
    if made_up:
        low.append(f"not in the source: {'; '.join(made_up[:5])}")
    return tuple(low)


def _levels(found: Sequence[FoldQuality]) -> dict[int, dict[str, float]]:
    levels: dict[int, dict[str, float]] = {}
    for level in sorted({each.fold.level for each in found}):
        among = [each for each in found if each.fold.level == level]
        figures: dict[str, float] = {
            "folds": len(among),
            "low": sum(bool(each.low) for each in among),
            "tokens": sum(each.fold.tokens for each in among),
            "source_tokens": sum(each.fold.source_tokens for each in among),
        }
        for name in ("entity_retention", "semantic_similarity", "answers"):
            values = [value for each in among if (value := getattr(each, name)) is not None]
            if values:
                figures[name] = round(fmean(values), 4)
        levels[level] = figures
    return levels

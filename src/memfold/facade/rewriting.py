"""Having folds written again by a model, when there is one: in the background, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from memfold.errors import LLMError
from memfold.facade.checks import moment
from memfold.facade.codec import to_row
from memfold.facade.folding import Folder, Standing
from memfold.facade.models import Models, Place, is_of_question
from memfold.facade.worker import Worker
from memfold.fold.asking import Rules
from memfold.fold.config import RUNNING, FoldConfig
from memfold.fold.ladder import climb
from memfold.fold.sorting import goals
from memfold.fold.source import Source
from memfold.protocols import LLM, Embedder, Store, TokenCounter
from memfold.text.entities import EntityExtractor
from memfold.types import Attempt, Completion, Fold, Scope, StandingItem

_AGAIN = timedelta(minutes=1)  # after a failure, doubled with each that follows
_AT_MOST = timedelta(hours=1)
_TRIES = 3  # a fold that no model finishes in time, or can read, is left as it is
_EMBEDDED = 20_000  # characters of a text that are embedded to tell how near it is to another
_REMEMBERED = 20  # attempts that a fold records


class Rewriter:
    """Works through the folds that await a model: the lowest level first, the oldest first."""

    def __init__(
        self,
        store: Store,
        folder: Folder,
        models: Models,
        *,
        rules: Rules,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._folder = folder
        self._models = models
        self._rules = rules
        self._now = now

    def rewrite(self, scope: Scope, worker: Worker) -> datetime | None:
        """Have all folds of the scope's session written that await it now.

        Returns when to look again, None when nothing waits. ``worker`` is the one that may be
        doing this. Folds of higher levels that are dropped with what they were made from are
        made again by :meth:`Folder.fold`.
        """
        passed: set[str] = set()
        while True:
            self._folder.fold(scope)
            standing = self._folder.standing(scope)
            waiting = _awaiting(standing.folds) if standing is not None else []
            if standing is None or not waiting:
                return None
            now = self._now()
            ready = [each for each, at in waiting if at <= now and each.id not in passed]
            if not ready:
                rest = self._models.rest_until() or now + _AGAIN
                return min(at if at > now else rest for _, at in waiting)
            worker.breathe()
            # The running summary last: it is made of the others.
            fold = min(ready, key=lambda each: (each.level == RUNNING, each.level, each.index))
            if not self._one(scope, fold, standing, worker):
                passed.add(fold.id)

    def _one(self, scope: Scope, fold: Fold, standing: Standing, worker: Worker) -> bool:
        """Have a fold written; False when it stays as it is."""
        base = fold
        if fold.method == "model":  # awaiting the stronger one
            base = self._folder.again(scope, fold, standing.folds)
            base = replace(base, attempts=fold.attempts, retry_at=fold.retry_at)
        place = Place(scope=scope, first=fold.first, last=fold.last, revision=standing.revision)
        source = self._folder.source(scope, fold, standing.folds)
        found = self._climbed(base, source, place, worker)
        if found.retry_at is not None and found.text == fold.text and not _asked(found):
            return False
        if self._rules.config.model_tiers and fold.level == 1:
            found = replace(found, standing=self._goals(scope, found, place, worker))
        found = replace(found, attempts=_remembered(fold.attempts, found.attempts))
        indices = {each.id: each.index for each in standing.folds}
        children = tuple(indices[child] for child in fold.children if child in indices)
        row = to_row(found, children)
        return bool(self._store.replace_folds(scope, [row], standing.revision, seen=standing.seen))

    def _goals(
        self, scope: Scope, fold: Fold, place: Place, worker: Worker
    ) -> tuple[StandingItem, ...]:
        """The segment's standing items with what a model takes for goals."""
        messages = self._folder.read(scope, fold.first, fold.last)
        asking = goals(fold, messages, self._rules.counter)
        try:
            asked = next(asking)
            while True:
                asked = asking.send(self._models.ask(place, asked, worker.outside))
        except StopIteration as done:
            items: tuple[StandingItem, ...] = done.value
        return tuple(replace(item, at=item.at.astimezone(UTC)) for item in items)

    def _climbed(self, base: Fold, source: Source, place: Place, worker: Worker) -> Fold:
        """Drive the ladder; what it asks, the models answer."""
        ladder = climb(base, source, self._rules)
        try:
            asked = next(ladder)
            while True:
                answer = self._models.ask(place, asked, worker.outside)
                last, strong = answer.result, asked.strong
                asked = ladder.send(answer)
        except StopIteration as done:
            fold: Fold = done.value
        if fold.retry_at is None:
            return fold
        retry_at = self._next_try((*base.attempts, *fold.attempts), last, strong)
        return replace(fold, retry_at=retry_at)

    def _next_try(
        self, attempts: Sequence[Attempt], last: Completion | LLMError, strong: bool
    ) -> datetime | None:
        """When to try again after a failure, None when it is no use."""
        kind = type(last).__name__
        failed = sum(each.outcome == "failed" and each.reason.startswith(kind) for each in attempts)
        if is_of_question(last) and failed >= _TRIES:
            return None
        rest = self._models.rest_until(strong=strong)
        return rest or self._now() + min(_AGAIN * (1 << max(failed - 1, 0)), _AT_MOST)


def _awaiting(folds: Sequence[Fold]) -> list[tuple[Fold, datetime]]:
    """The folds that await a model, and since or until when.

    Not those of which a part awaits one itself: they will be made anew.
    """
    found = {each.id: (each, each.retry_at) for each in folds if each.retry_at is not None}
    parts = any(each.level > RUNNING for each, _ in found.values())
    return [
        (each, at)
        for each, at in found.values()
        if found.keys().isdisjoint(each.children) and not (each.level == RUNNING and parts)
    ]


def _asked(fold: Fold) -> bool:
    return any(attempt.usage.calls for attempt in fold.attempts)


def _remembered(earlier: Sequence[Attempt], now: Sequence[Attempt]) -> tuple[Attempt, ...]:
    """What a fold records: what failed before (all else is tried again) and what was tried now."""
    failed = [attempt for attempt in earlier if attempt.outcome == "failed"]
    return (*failed, *now)[-_REMEMBERED:]


class Folding:
    """The parts that fold, wired together; ``rewriter`` is None without a model."""

    folder: Folder
    rules: Rules
    rewriter: Rewriter | None

    def __init__(
        self,
        *,
        store: Store,
        config: FoldConfig,
        counter: TokenCounter,
        extractor: EntityExtractor,
        embedder: Embedder | None,
        llm: LLM | None,
        llm_strong: LLM | None,
        clock: Callable[[], datetime],
        zone: tzinfo,
    ) -> None:
        def now() -> datetime:
            return moment(clock(), zone, what="the clock's time")

        self.folder = Folder(
            store,
            config=config,
            counter=counter,
            extractor=extractor,
            zone=zone,
            awaits=now if llm is not None else None,
        )
        self.rules = Rules(
            config=config,
            counter=counter,
            extractor=extractor,
            similarity=similarity(embedder),
            window=llm.context_tokens if llm is not None else 0,
            strong_window=llm_strong.context_tokens if llm_strong is not None else None,
        )
        self.rewriter: Rewriter | None = None
        if llm is not None:
            models = Models(store, llm, llm_strong, now)
            self.rewriter = Rewriter(store, self.folder, models, rules=self.rules, now=now)


def similarity(embedder: Embedder | None) -> Callable[[str, str], float] | None:
    """The cosine of two texts by an embedder; of long ones, of their beginnings."""
    if embedder is None:
        return None

    def measure(one: str, other: str) -> float:
        first, second = embedder.embed([one[:_EMBEDDED], other[:_EMBEDDED]])
        return float(first @ second)

    return measure

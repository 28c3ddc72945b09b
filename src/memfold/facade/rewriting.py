"""Having folds written again by a model, when there is one: in the background, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from memfold.errors import LLMTimeout
from memfold.facade.checks import moment
from memfold.facade.codec import to_row
from memfold.facade.folding import Folder
from memfold.facade.models import Models, Place
from memfold.fold.config import RUNNING, FoldConfig
from memfold.fold.ladder import Rules, climb
from memfold.fold.source import Source
from memfold.protocols import LLM, Embedder, Store, TokenCounter
from memfold.text.entities import EntityExtractor
from memfold.types import Attempt, Completion, Fold, Scope

_AGAIN = timedelta(minutes=1)  # after a failure, doubled with each that follows
_AT_MOST = timedelta(hours=1)
_TIMEOUTS = 3  # a fold that no model finishes in time is left as it is
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

    def rewrite(self, scope: Scope, breathe: Callable[[], None]) -> datetime | None:
        """Have all folds of the scope's session written that await it now.

        Returns when to look again, None when nothing waits. ``breathe`` is called before each.
        Folds of higher levels that this drops are made again by :meth:`Folder.fold`.
        """
        while True:
            self._folder.fold(scope)
            rows = self._store.sessions(scope)
            folds = self._folder.folds(scope)
            waiting = [fold for fold in folds if fold.retry_at is not None]
            if not rows or not waiting:
                return None
            rest = self._models.rest_until
            ready = [each for each in waiting if each.retry_at and each.retry_at <= self._now()]
            if rest is not None or not ready:
                return rest or min(each.retry_at for each in waiting if each.retry_at)
            breathe()
            # The running summary last: it is made of the others.
            base = min(ready, key=lambda each: (each.level == RUNNING, each.level, each.index))
            if not self._one(scope, base, folds, rows[0].revision):
                return self._now() + _AGAIN

    def _one(self, scope: Scope, base: Fold, folds: Sequence[Fold], revision: int) -> bool:
        source = self._folder.source(scope, base, folds)
        place = Place(scope=scope, first=base.first, last=base.last, revision=revision)
        fold = self._climbed(base, source, place)
        indices = {each.id: each.index for each in folds}
        children = tuple(indices[child] for child in base.children if child in indices)
        return bool(self._store.replace_folds(scope, [to_row(fold, children)], revision))

    def _climbed(self, base: Fold, source: Source, place: Place) -> Fold:
        """Drive the ladder; what it asks, the models answer."""
        ladder = climb(base, source, self._rules)
        last: Completion | Exception | None = None
        try:
            asked = next(ladder)
            while True:
                answer = self._models.ask(place, asked)
                last = answer.result
                asked = ladder.send(answer)
        except StopIteration as done:
            fold: Fold = done.value
        attempts = (*base.attempts, *fold.attempts)[-_REMEMBERED:]
        retry_at = self._next_try(attempts, last) if fold.retry_at is not None else None
        return replace(fold, attempts=attempts, retry_at=retry_at)

    def _next_try(
        self, attempts: Sequence[Attempt], last: Completion | Exception | None
    ) -> datetime | None:
        """When to try again after a failure, None when it is no use."""
        failed = sum(attempt.outcome == "failed" for attempt in attempts)
        if isinstance(last, LLMTimeout) and failed >= _TIMEOUTS:
            return None
        return self._now() + min(_AGAIN * (1 << max(failed - 1, 0)), _AT_MOST)


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
            has_strong=llm_strong is not None,
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

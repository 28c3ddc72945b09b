"""Making folds as they fall due, and holding a session's folds in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import TypedDict

from memfold.facade.codec import to_fold, to_row
from memfold.facade.drafting import restore
from memfold.facade.keeping import items_of
from memfold.fold.artifacts import artifacts
from memfold.fold.build import fold_folds, fold_messages, fold_running
from memfold.fold.config import RUNNING, FoldConfig
from memfold.fold.plan import FoldJob, Shape, due, segments
from memfold.fold.running import running_due, running_parts
from memfold.fold.source import Source, of_folds, of_messages
from memfold.fold.standing import settle, standing
from memfold.protocols import Store, TokenCounter
from memfold.rows import FoldRow, SessionRow, StoredMessage
from memfold.text.chat import answers, is_tool_output, opens
from memfold.text.entities import EntityExtractor
from memfold.text.terms import query_terms
from memfold.types import Fold, Message, Scope, StandingItem

_SHELVES = 64  # sessions whose folds are held in memory
_STUB = 70  # tokens of the line that stands for a tool's output
_BATCH = 64  # folds that are written at a time
_SPAN = 2_000  # positions read at a time
_OPENING = 2_000  # characters of a message by which its topic is judged
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Common(TypedDict):
    config: FoldConfig
    counter: TokenCounter
    extractor: EntityExtractor


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A session's folds, by level and index, at one revision of it.

    ``seen`` is the number of the last one made until then.
    """

    folds: tuple[Fold, ...]
    revision: int
    seen: int


@dataclass(slots=True)
class _Shelf:
    """A session's folds as of one revision.

    ``earlier`` are the spans of folds that others took the place of, by number: who was shown
    one of those still gets its messages.
    """

    revision: int
    seen: int = 0
    folds: dict[tuple[int, int], Fold] = field(default_factory=dict)
    numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    earlier: dict[int, tuple[int, int]] = field(default_factory=dict)

    def take(self, rows: Sequence[FoldRow]) -> None:
        for row in rows:
            if (row.level, row.index) in self.numbers:
                self._retire(row)
            self.numbers[row.level, row.index] = row.number
            self.seen = max(self.seen, row.number)
        for row in rows:
            # Another row of the same batch may have dropped it already.
            if self.numbers.get((row.level, row.index)) == row.number:
                self.folds[row.level, row.index] = to_fold(row, self.numbers)

    def span(self, number: int) -> tuple[int, int] | None:
        """The span of the fold with that number, if it stands or stood here."""
        for place, known in self.numbers.items():
            if known == number:
                return self.folds[place].first, self.folds[place].last
        return self.earlier.get(number)

    def _retire(self, row: FoldRow) -> None:
        """A fold took another's place: the store has dropped that, and those made from it."""
        for place, fold in list(self.folds.items()):
            above = place[0] > row.level or place[0] == RUNNING
            spans = fold.first <= row.first and row.last <= fold.last
            if place == (row.level, row.index) or (above and spans and row.level != RUNNING):
                self.earlier[self.numbers.pop(place)] = (fold.first, fold.last)
                del self.folds[place]


class Folder:
    """Folds sessions with the store's help. Safe to call from several threads."""

    def __init__(
        self,
        store: Store,
        *,
        config: FoldConfig,
        counter: TokenCounter,
        extractor: EntityExtractor,
        zone: tzinfo,
        awaits: Callable[[], datetime] | None = None,
    ) -> None:
        """``awaits`` gives the time to note on new folds that a model is to write again."""
        self._store = store
        self._config = config
        self._counter = counter
        self._extractor = extractor
        self._zone = zone
        self._awaits = awaits
        self._lock = threading.Lock()
        self._shelves: OrderedDict[Scope, _Shelf] = OrderedDict()

    @property
    def config(self) -> FoldConfig:
        """Sizes of window, segments and chapters."""
        return self._config

    def folds(self, scope: Scope) -> list[Fold]:
        """The folds of the scope's session that stand now, by level and index."""
        standing = self.standing(scope)
        return list(standing.folds) if standing is not None else []

    def standing(self, scope: Scope) -> Standing | None:
        """The same with what tells whether they stand still; None without such a session."""
        rows = self._store.sessions(scope)
        if not rows:
            return None
        with self._lock:
            shelf = self._shelf(scope, rows[0].revision)
            return Standing(
                folds=tuple(shelf.folds[place] for place in sorted(shelf.folds)),
                revision=shelf.revision,
                seen=shelf.seen,
            )

    def _shelf(self, scope: Scope, revision: int) -> _Shelf:
        shelf = self._shelves.get(scope)
        if shelf is None or shelf.revision != revision:
            shelf = self._shelves[scope] = _Shelf(revision=revision)
        self._shelves.move_to_end(scope)
        while len(self._shelves) > _SHELVES:
            self._shelves.popitem(last=False)
        shelf.take(self._store.folds(scope, shelf.seen))
        return shelf

    def forget(self) -> None:
        """Drop what is held in memory."""
        with self._lock:
            self._shelves.clear()

    def fold(self, scope: Scope) -> int:
        """Make the folds of the scope's session that are due; returns how many were new.

        Safe to repeat and to race: what exists is kept, and folds of a session that was
        revised meanwhile are dropped by the store.
        """
        made = 0
        while True:
            rows = self._store.sessions(scope)
            jobs, seen = self._next(scope, rows[0]) if rows else ([], 0)
            if not jobs:
                return made
            # The running summary alone takes the place of what was there.
            put = self._store.put_folds if jobs[0].level else self._store.replace_folds
            new = put(scope, jobs, rows[0].revision, seen=seen)
            made += new
            if not new:
                return made

    def _next(self, scope: Scope, session: SessionRow) -> tuple[list[FoldRow], int]:
        """The missing folds of the lowest level that misses any, a few at a time.

        With the number of the last fold that they take into account.
        """
        with self._lock:
            shelf = self._shelf(scope, session.revision)
            seen = shelf.seen
            existing = {place: (f.first, f.last) for place, f in shelf.folds.items()}
            known = dict(shelf.folds)
        spans = self._spans(scope, session)
        jobs = due(spans, existing, self._config)
        if not jobs and self._config.running and (running := running_due(spans, existing)):
            jobs = [running]
        made: list[FoldRow] = []
        for job in jobs[:_BATCH]:
            if job.level == jobs[0].level:
                fold = self._make(scope, job, known)
                # The next one may close what stands open in this one.
                known[job.level, job.index] = fold
                made.append(to_row(fold, job.children))
        return made, seen

    def _spans(self, scope: Scope, session: SessionRow) -> list[tuple[int, int]]:
        """All segments of the session that are ready: those once folded, and what follows them."""
        borders = self._store.borders(scope)
        done = [(first, end - 1) for first, end in zip([0, *borders], borders, strict=False)]
        start = borders[-1] if borders else 0
        # What was erased left a gap: it says nothing, and no pause is seen there.
        shapes: list[Shape | None] = [None] * max(0, session.length - start)
        for at in range(start, session.length, _SPAN):
            for row in self._store.span(scope, at, at + _SPAN - 1):
                if row.position < session.length:
                    shapes[row.position - start] = _shape(row)
        return done + segments(_carried(shapes), self._config, start=start, ends=session.ends)

    def _make(self, scope: Scope, job: FoldJob, known: dict[tuple[int, int], Fold]) -> Fold:
        fold = self._made(scope, job, known)
        if self._awaits is None or fold.verbatim:
            return fold
        return replace(fold, retry_at=self._awaits())

    def _made(self, scope: Scope, job: FoldJob, known: dict[tuple[int, int], Fold]) -> Fold:
        common = _Common(config=self._config, counter=self._counter, extractor=self._extractor)
        if job.level == RUNNING:
            parts = running_parts(known.values(), job.last, self._config)
            return fold_running(parts, id="", **common)
        if job.level > 1:
            children = [known[job.level - 1, index] for index in job.children]
            return fold_folds(children, id="", level=job.level, index=job.index, **common)
        messages = self.read(scope, job.first, job.last)
        if not messages:
            return _blank(scope, job)
        fold = fold_messages(messages, id="", index=job.index, **common)
        earlier = [item for item in items_of(known, before=job.index) if not item.done]
        own = standing(messages)
        settled = settle([*earlier, *own], messages)
        closed = [item for item in settled[: len(earlier)] if item.done]
        # An erased message leaves a gap in the span that the messages alone do not show.
        return replace(
            fold,
            standing=tuple(_utc(item) for item in (*closed, *settled[len(earlier) :])),
            artifacts=artifacts(messages, self._extractor),
            masked_tokens=sum(map(_masked_tokens, messages)),
            first=job.first,
            last=job.last,
            since=fold.since.astimezone(UTC),
            until=fold.until.astimezone(UTC),
        )

    def again(self, scope: Scope, fold: Fold, folds: Sequence[Fold]) -> Fold:
        """The fold as it was before a model wrote it; ``folds`` are all that stand."""
        known = {(each.level, each.index): each for each in folds}
        indices = {each.id: each.index for each in folds}
        job = FoldJob(
            level=fold.level,
            index=fold.index,
            first=fold.first,
            last=fold.last,
            children=tuple(indices[child] for child in fold.children),
        )
        return replace(self._made(scope, job, known), id=fold.id, children=fold.children)

    def source(self, scope: Scope, fold: Fold, folds: Sequence[Fold]) -> Source:
        """What a fold of the scope's session was made from; ``folds`` are all that stand."""
        if fold.level == 1:
            return of_messages(self.read(scope, fold.first, fold.last), self._counter)
        if fold.level == RUNNING:
            below = running_parts(folds, fold.last, self._config)
        else:
            below = [each for each in folds if each.id in fold.children]
        return of_folds(below, self._counter)

    def read(self, scope: Scope, first: int, last: int) -> list[Message]:
        """The messages of a span as folds tell them.

        Days, and what "yesterday" meant, are those of the memory's zone.
        """
        found = (restore(row) for row in self._store.span(scope, first, last))
        return [replace(each, at=each.at.astimezone(self._zone)) for each in found]

    def messages(self, scope: Scope, number: int) -> list[Message] | None:
        """The messages that fold ``number`` stands for, or None when there is no such fold."""
        for session in self._store.sessions(scope):
            narrowed = replace(scope, session=session.id)
            with self._lock:
                span = self._shelf(narrowed, session.revision).span(number)
            if span is not None:
                return [restore(row) for row in self._store.span(narrowed, *span)]
        return None


def _utc(item: StandingItem) -> StandingItem:
    return replace(item, at=item.at.astimezone(UTC))


def _masked_tokens(message: Message) -> int:
    return min(message.tokens, _STUB) if is_tool_output(message.raw) else message.tokens


def _shape(row: StoredMessage) -> Shape:
    message = restore(row)
    is_output = is_tool_output(message.raw)
    return Shape(
        opens=opens(message.raw),
        answers=answers(message.raw),
        at=row.at,
        tokens=0 if is_output else row.tokens,
        terms=frozenset() if is_output else frozenset(query_terms(message.text[:_OPENING])),
    )


def _carried(shapes: Sequence[Shape | None]) -> list[Shape]:
    found: list[Shape] = []
    at = next((shape.at for shape in shapes if shape is not None), 0)
    for shape in shapes:
        at = shape.at if shape is not None else at
        found.append(shape if shape is not None else Shape(at=at))
    return found


def _blank(scope: Scope, job: FoldJob) -> Fold:
    """The fold of a span that was erased whole: its place is kept, so that borders stay."""
    return Fold(
        id="",
        session=str(scope.session),
        level=job.level,
        index=job.index,
        first=job.first,
        last=job.last,
        since=_EPOCH,
        until=_EPOCH,
        text="",
        headline="",
        tokens=0,
        headline_tokens=0,
        source_tokens=0,
        verbatim=True,
    )

"""Random histories: whatever was done, all views of the result agree."""

from __future__ import annotations

import random
from dataclasses import replace

from memfold.protocols import Store
from memfold.rows import Cursor, IndexRow
from memfold.testing.checks.base import StoreChecks
from memfold.testing.samples import ANN, draft, fold, seqs, vector
from memfold.types import Scope

_HISTORIES = 12
_STEPS = 40


class _Follower:
    """A reader of the index that reads on from its cursor."""

    def __init__(self) -> None:
        self.cursor = Cursor()
        self.rows: dict[tuple[int, int], IndexRow] = {}

    def read_on(self, store: Store, owner: Scope) -> None:
        delta = store.index(owner, self.cursor)
        if delta.reset:
            self.rows.clear()
        for key in [key for key in self.rows if key[0] in delta.gone]:
            del self.rows[key]
        self.rows.update({(row.seq, row.part): row for row in delta.rows})
        self.cursor = delta.cursor


class _Writer:
    """Does one random thing after another, and remembers what it erased."""

    def __init__(self, store: Store, owner: Scope, seed: int) -> None:
        self.store = store
        self.owner = owner
        self.random = random.Random(seed)
        self.erased: set[int] = set()
        self.last = 0

    def step(self) -> str:
        act = self.random.choice(
            [self.append] * 4
            + [self.edit, self.cut, self.fork, self.remove] * 2
            + [self.remove_session, self.embed, self.embed, self.fold]
        )
        act()
        return act.__name__

    def _session(self) -> Scope | None:
        sessions = self.store.sessions(self.owner)
        return replace(self.owner, session=self.random.choice(sessions).id) if sessions else None

    def append(self) -> None:
        scope = replace(self.owner, session=f"s{self.random.randrange(3)}")
        count = self.random.randint(1, 4)
        drafts = [
            draft(
                f"text {self.random.random()}",
                key=self.random.choice([None, None, f"k{self.random.randrange(40)}"]),
                parts=self.random.randint(0, 2),
            )
            for _ in range(count)
        ]
        for appended in self.store.append(scope, drafts):
            if appended.outcome == "stored":
                assert appended.seq > self.last
                self.last = appended.seq

    def edit(self) -> None:
        scope = self._session()
        messages = self.store.span(scope, 0) if scope else []
        if scope and messages:
            chosen = self.random.choice(messages).seq
            self.last = self.store.edit(scope, chosen, draft("edited")).seq

    def cut(self) -> None:
        scope = self._session()
        if scope:
            length = self.store.sessions(scope)[0].length
            self.store.cut(scope, self.random.randint(length // 2, length + 1))

    def fork(self) -> None:
        scope = self._session()
        names = {session.id for session in self.store.sessions(self.owner)}
        into = f"f{self.random.randrange(6)}"
        if scope and into not in names:
            self.store.fork(scope, into, self.random.randint(0, 12))

    def remove(self) -> None:
        chosen = [self.random.randint(1, self.last + 1) for _ in range(2)]
        self.erased.update(self.store.remove(self.owner, chosen))

    def remove_session(self) -> None:
        scope = self._session()
        if scope and self.random.random() < 0.4:
            self.erased.update(self.store.remove(scope, None))

    def embed(self) -> None:
        refs = self.store.without_vector(self.owner, 0, 5)
        rows = [vector(ref.seq, ref.part) for ref in refs]
        assert self.store.put_vectors(self.owner, rows) == len(rows)

    def fold(self) -> None:
        scope = self._session()
        if scope:
            (session,) = self.store.sessions(scope)
            index = self.random.randrange(4)
            self.store.put_folds(scope, [fold(index, index, index + 1)], session.revision)


def _agree(store: Store, owner: Scope, writer: _Writer, follower: _Follower) -> None:
    rows = store.index(owner, Cursor()).rows
    held = {key: replace(row, vector=None) for key, row in follower.rows.items()}
    assert held == {(row.seq, row.part): replace(row, vector=None) for row in rows}
    sessions = store.sessions(owner)
    spans = {s.id: store.span(replace(owner, session=s.id), 0) for s in sessions}
    standing = {seq for span in spans.values() for seq in seqs(span)}
    assert {row.seq for row in rows} <= standing
    assert not standing & writer.erased
    assert store.read(owner, sorted(writer.erased)) == []
    for row in rows:
        home = seqs(spans[row.session])
        place = home.index(row.seq)
        assert row.previous == (home[place - 1] if place else 0)
    for session in sessions:
        span = spans[session.id]
        assert session.messages == len(span)
        assert session.length > max((m.position for m in span), default=-1)
        assert session.began == (span[0].at if span else None)
        assert session.last == (span[-1].at if span else None)
        assert store.counts(replace(owner, session=session.id)).messages == len(span)
        assert store.read(replace(owner, session=session.id), seqs(span)) == span
    counts = store.counts(owner)
    assert (counts.sessions, counts.messages) == (len(sessions), len(standing))
    assert counts.passages == len(rows)
    assert counts.vectors == sum(row.vector is not None for row in rows)
    assert counts.vectors == len(store.vectors(owner, 0, writer.last))
    assert counts.passages - counts.vectors == len(store.without_vector(owner, 0, 10_000))


class HistoryChecks(StoreChecks):
    """Everything at once."""

    def test_all_views_agree_after_any_history(self) -> None:
        """Index and cursors, sessions and spans, neighbours, counts, vectors."""
        self.store.use_embedder("e")
        for seed in range(_HISTORIES):
            owner = replace(ANN, user=f"user {seed}")
            writer, follower, trace = _Writer(self.store, owner, seed), _Follower(), []
            for _ in range(_STEPS):
                trace.append(writer.step())
                follower.read_on(self.store, owner)
                try:
                    _agree(self.store, owner, writer, follower)
                except AssertionError as error:
                    raise AssertionError(f"seed {seed}, after {trace}: {error}") from error
            self.store.remove(owner, None)
            (begun,) = self.store.append(replace(owner, session="s0"), [draft("x")])
            assert begun.seq == writer.last + 1

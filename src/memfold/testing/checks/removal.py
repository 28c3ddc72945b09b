"""Erasure."""

from __future__ import annotations

from dataclasses import replace

from memfold.rows import Appended, Cursor
from memfold.testing.checks.base import StoreChecks
from memfold.testing.samples import (
    ANN,
    CHAT,
    draft,
    fill,
    fold,
    put_folds,
    seqs,
    vector,
    view,
)

_FORK = replace(ANN, session="fork")
_WORK = replace(ANN, session="work")


class RemovalChecks(StoreChecks):
    """``remove``."""

    def test_removed_messages_are_gone_from_everywhere(self) -> None:
        """From sessions, forks, reading, the index, vectors and counts."""
        store = self.store
        store.use_embedder("e")
        fill(store, CHAT, 4)
        store.put_vectors(ANN, [vector(seq) for seq in (1, 2, 3, 4)])
        store.fork(CHAT, "fork", 4)
        assert store.remove(ANN, [3, 2, 3, 99, -1, 1 << 70]) == [2, 3]
        assert seqs(store.span(CHAT, 0)) == seqs(store.span(_FORK, 0)) == [1, 4]
        assert store.read(ANN, [2, 3]) == []
        assert seqs(store.index(ANN, Cursor()).rows) == [1, 4]
        assert [v.seq for v in store.vectors(ANN, 0, 99)] == [1, 4]
        counts = store.counts(ANN)
        assert (counts.messages, counts.passages, counts.vectors) == (2, 2, 2)
        assert store.remove(ANN, [2, 3]) == store.remove(ANN, []) == []

    def test_neighbours_close_ranks(self) -> None:
        """What followed the removed now follows what came before them."""
        fill(self.store, CHAT, 6)
        self.store.remove(ANN, [1, 3, 4])
        rows = self.store.index(ANN, Cursor()).rows
        assert [(row.seq, row.previous) for row in rows] == [(2, 0), (5, 2), (6, 5)]

    def test_folds_over_removed_messages_go(self) -> None:
        """In every session that held them, at every level; others stay."""
        store = self.store
        fill(store, CHAT, 9)
        store.fork(CHAT, "fork", 9)
        rows = [fold(0, 0, 2), fold(1, 3, 5), fold(2, 6, 8), fold(0, 0, 8, level=2)]
        for scope in (CHAT, _FORK):
            assert put_folds(store, scope, rows) == 4
        store.remove(ANN, [5])
        for scope in (CHAT, _FORK):
            assert [(f.level, f.index) for f in store.folds(scope)] == [(1, 0), (1, 2)]
        assert store.counts(ANN).folds == 4

    def test_folds_made_from_what_was_removed_meanwhile_are_dropped(self) -> None:
        """Also when the session was erased as a whole and began again under its name."""
        store = self.store
        fill(store, CHAT, 3)
        revision = store.sessions(CHAT)[0].revision
        store.remove(ANN, [2])
        assert store.put_folds(CHAT, [fold(0, 0, 2)], revision) == 0
        revision = store.sessions(CHAT)[0].revision
        for scope in (CHAT, ANN):
            store.remove(scope, None)
            assert store.put_folds(CHAT, [fold(0, 0, 2)], revision) == 0
            fill(store, CHAT, 3)
            assert store.put_folds(CHAT, [fold(0, 0, 2)], revision) == 0
            revision = store.sessions(CHAT)[0].revision

    def test_vectors_made_from_what_was_removed_meanwhile_are_dropped(self) -> None:
        """Also when the owner was erased and wrote again."""
        store = self.store
        store.use_embedder("e")
        fill(store, CHAT, 2)
        store.remove(ANN, [2])
        assert store.put_vectors(ANN, [vector(2)]) == 0
        store.remove(ANN, None)
        fill(store, CHAT, 2)
        assert store.put_vectors(ANN, [vector(1), vector(2)]) == 0

    def test_what_was_erased_is_not_imported_again(self) -> None:
        """Its key gives ``erased``, also after the whole session or owner went."""
        store = self.store
        erased = [Appended(seq=0, outcome="erased")]
        for number, scope in enumerate((ANN, CHAT, ANN)):
            key = f"key {number}"
            (written,) = store.append(CHAT, [draft("x", key=key)])
            store.remove(scope, [written.seq] if number == 0 else None)
            assert store.append(CHAT, [draft("x", key=key)]) == erased
            assert store.append(_WORK, [draft("x", key=key)]) == erased
        assert store.owners() == []
        (kept,) = store.append(CHAT, [draft("y")])
        assert store.edit(CHAT, kept.seq, draft("x", key="key 0")) == erased[0]
        assert seqs(store.span(CHAT, 0)) == [kept.seq]
        bob = replace(CHAT, user="bob")
        assert store.append(bob, [draft("x", key="key 0")])[0].outcome == "stored"

    def test_numbers_are_not_given_out_again(self) -> None:
        """An old id never names a new message or fold, whatever was erased."""
        store = self.store
        fill(store, CHAT, 3)
        put_folds(store, CHAT, [fold(0, 0, 2)])
        number = store.folds(CHAT)[0].number
        store.remove(ANN, [3])
        assert fill(store, CHAT, 1) == [4]
        put_folds(store, CHAT, [fold(0, 0, 2)])
        store.remove(CHAT, None)
        assert fill(store, CHAT, 1) == [5]
        store.remove(ANN, None)
        assert fill(store, CHAT, 1) == [6]
        put_folds(store, CHAT, [fold(0, 0, 0)])
        assert store.folds(CHAT)[0].number > number + 1

    def test_removing_a_session(self) -> None:
        """With its name, its messages in forks, and what had left it; others stay."""
        store = self.store
        fill(store, CHAT, 4)
        fill(store, _WORK, 2)
        store.fork(CHAT, "fork", 2)
        store.append(_FORK, [draft("the fork's own")])
        store.edit(CHAT, 3, draft("edited"))
        store.cut(CHAT, 3)
        assert store.remove(CHAT, None) == [1, 2, 3, 4, 8]
        assert store.read(ANN, list(range(10))) == [*store.span(_WORK, 0), *store.span(_FORK, 0)]
        assert [(s.id, s.messages, s.parent) for s in store.sessions(ANN)] == [
            ("work", 2, None),
            ("fork", 1, None),
        ]
        assert [(r.seq, r.previous) for r in store.index(ANN, Cursor()).rows][-1] == (7, 0)
        assert store.remove(CHAT, None) == []

    def test_removing_within_a_session(self) -> None:
        """A scope that names a session reaches only what stands or stood in it."""
        store = self.store
        fill(store, CHAT, 2)
        fill(store, _WORK, 2)
        assert store.remove(CHAT, [1, 3]) == [1]
        assert store.remove(replace(ANN, session="none"), [2, 3]) == []
        assert store.counts(ANN).messages == 3

    def test_earlier_versions_go_too(self) -> None:
        """What an edit replaced goes with what replaced it, unless a fork still holds it."""
        store = self.store
        fill(store, CHAT, 2)
        store.edit(CHAT, 1, draft("second version"))
        store.edit(CHAT, 3, draft("third version"))
        store.fork(CHAT, "fork", 2)
        store.edit(CHAT, 2, draft("changed in the parent"))
        assert store.remove(ANN, [4]) == [1, 3, 4]
        assert store.remove(ANN, [5]) == [5]
        assert seqs(store.span(_FORK, 0)) == [2]

    def test_removing_an_owner(self) -> None:
        """Nothing of it is left, and nothing of others is touched."""
        store = self.store
        others = [replace(CHAT, user="bob"), replace(CHAT, agent="planner")]
        for scope in (CHAT, *others):
            fill(store, scope, 3)
            put_folds(store, scope, [fold(0, 0, 2)])
        store.edit(CHAT, 1, draft("edited"))
        before = [view(store, replace(scope, session=None)) for scope in others]
        assert store.remove(ANN, None) == [1, 2, 3, 4]
        assert [view(store, replace(scope, session=None)) for scope in others] == before
        assert store.owners() == [replace(scope, session=None) for scope in others]
        assert store.sessions(ANN) == []
        assert store.folds(CHAT) == []
        assert store.index(ANN, Cursor()).rows == ()
        assert store.read(ANN, [1, 2, 3, 4]) == []
        assert store.remove(ANN, None) == []

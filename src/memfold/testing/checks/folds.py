"""Folds: kept while what they were made from stands."""

from __future__ import annotations

from dataclasses import replace

from memfold.testing.checks.base import StoreChecks
from memfold.testing.samples import ANN, CHAT, draft, fill, fold, put_folds


class FoldChecks(StoreChecks):
    """``put_folds`` and ``folds``."""

    def _places(self) -> list[tuple[int, int]]:
        return [(row.level, row.index) for row in self.store.folds(CHAT)]

    def test_folds_come_back_with_numbers(self) -> None:
        """By number, which counts up within the owner; from after a number on request."""
        store = self.store
        work = replace(ANN, session="work")
        fill(store, CHAT, 6)
        fill(store, work, 3)
        put_folds(store, CHAT, [fold(0, 0, 2, text="摘要")])
        put_folds(store, work, [fold(0, 0, 2)])
        put_folds(store, CHAT, [fold(1, 3, 5), fold(0, 0, 5, level=2)])
        rows = store.folds(CHAT)
        assert replace(rows[0], number=0) == fold(0, 0, 2, text="摘要")
        assert [(row.level, row.index, row.first, row.last) for row in rows] == [
            (1, 0, 0, 2),
            (1, 1, 3, 5),
            (2, 0, 0, 5),
        ]
        numbers = [row.number for row in rows]
        assert numbers == sorted(numbers)
        assert store.folds(CHAT, numbers[0]) == rows[1:]
        assert store.folds(CHAT, numbers[-1]) == []
        (other,) = store.folds(work)
        assert other.session == "work"
        assert other.number not in numbers
        assert (store.counts(ANN).folds, store.counts(CHAT).folds) == (4, 3)

    def test_a_fold_is_made_once(self) -> None:
        """The one that is there stays; what is new in the batch is taken and counted."""
        fill(self.store, CHAT, 6)
        assert put_folds(self.store, CHAT, [fold(0, 0, 2, text="first")]) == 1
        before = self.store.folds(CHAT)
        again = [fold(0, 0, 2, text="second"), fold(1, 3, 5), fold(1, 3, 5, text="twice")]
        assert put_folds(self.store, CHAT, again) == 1
        assert self.store.folds(CHAT)[0] == before[0]
        assert self._places() == [(1, 0), (1, 1)]

    def test_folds_of_an_older_revision_are_dropped(self) -> None:
        """After an edit or a cut; an append is no revision."""
        store = self.store
        fill(store, CHAT, 6)
        revision = store.sessions(CHAT)[0].revision
        fill(store, CHAT, 1)
        assert store.put_folds(CHAT, [fold(0, 0, 2)], revision) == 1
        store.edit(CHAT, 5, draft("edited"))
        assert store.put_folds(CHAT, [fold(1, 3, 5)], revision) == 0
        revision = store.sessions(CHAT)[0].revision
        store.cut(CHAT, 6)
        assert store.put_folds(CHAT, [fold(1, 3, 5)], revision) == 0
        assert put_folds(store, CHAT, [fold(1, 3, 5)]) == 1
        assert store.put_folds(replace(ANN, session="none"), [fold(0, 0, 2)], 0) == 0

    def test_an_edit_takes_the_folds_over_it(self) -> None:
        """At every level, and no others."""
        fill(self.store, CHAT, 9)
        rows = [fold(0, 0, 2), fold(1, 3, 5), fold(2, 6, 8), fold(0, 0, 8, level=2)]
        put_folds(self.store, CHAT, rows)
        self.store.edit(CHAT, 4, draft("edited"))
        assert self._places() == [(1, 0), (1, 2)]

    def test_a_cut_takes_the_folds_that_reach_it(self) -> None:
        """Those that end before it stay."""
        fill(self.store, CHAT, 9)
        rows = [fold(0, 0, 2), fold(1, 3, 5), fold(2, 6, 8), fold(0, 0, 5, level=2)]
        put_folds(self.store, CHAT, rows)
        self.store.cut(CHAT, 5)
        assert self._places() == [(1, 0)]

    def test_borders_outlive_folds(self) -> None:
        """Those of level 1; a cut takes what is beyond, a fork has those up to its length."""
        store = self.store
        seqs = fill(store, CHAT, 9)
        assert store.borders(CHAT) == []
        rows = [fold(0, 0, 3), fold(1, 4, 5), fold(0, 0, 5, level=2), fold(0, 0, 3, level=0)]
        put_folds(store, CHAT, rows)
        store.drop_derived(ANN)
        store.remove(ANN, [seqs[1]])
        store.edit(CHAT, seqs[5], draft("edited"))
        assert store.borders(CHAT) == [4, 6]
        store.fork(CHAT, "fork", 5)
        assert store.borders(replace(ANN, session="fork")) == [4]
        store.cut(CHAT, 4)
        assert store.borders(CHAT) == [4]
        store.cut(CHAT, 3)
        assert store.borders(CHAT) == []

    def test_a_fork_has_its_own_folds(self) -> None:
        """None at first; an edit on one side leaves the other's alone."""
        store = self.store
        fork = replace(ANN, session="fork")
        fill(store, CHAT, 6)
        put_folds(store, CHAT, [fold(0, 0, 2)])
        store.fork(CHAT, "fork", 6)
        assert store.folds(fork) == []
        assert put_folds(store, fork, [fold(0, 0, 2), fold(1, 3, 5)]) == 2
        store.edit(CHAT, 1, draft("edited"))
        assert store.folds(CHAT) == []
        assert len(store.folds(fork)) == 2

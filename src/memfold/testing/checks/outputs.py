"""What models answered and cost, and where sessions ended."""

from __future__ import annotations

from dataclasses import replace

from memfold.errors import NotFound
from memfold.rows import OutputRow
from memfold.testing.checks.base import StoreChecks
from memfold.testing.samples import ANN, CHAT, draft, fill, fold, put_folds
from memfold.types import Usage


class OutputChecks(StoreChecks):
    """``replace_folds``, ``put_output`` and ``output``, ``spend`` and ``spent``, ``end``."""

    def _put(self, key: str, first: int, last: int, body: str = "answer") -> bool:
        revision = self.store.sessions(CHAT)[0].revision
        row = OutputRow(key=key, first=first, last=last, body=body.encode())
        return self.store.put_output(CHAT, row, revision)

    def test_an_answer_is_found_by_its_key(self) -> None:
        """By its owner alone, from any session; the first one stays."""
        store = self.store
        fill(store, CHAT, 6)
        assert store.output(CHAT, "k1") is None
        assert self._put("k1", 0, 2, "第一 ☃")
        assert self._put("k1", 0, 2, "second")
        assert store.output(CHAT, "k1") == "第一 ☃".encode()
        assert store.output(ANN, "k1") == "第一 ☃".encode()
        assert store.output(ANN, "k2") is None
        bob = replace(CHAT, user="bob")
        fill(store, bob, 1)
        assert store.output(bob, "k1") is None
        assert not store.put_output(
            replace(ANN, session="none"), OutputRow(key="k", first=0, last=0, body=b"x"), 0
        )

    def test_answers_go_with_what_they_were_about(self) -> None:
        """Edited, cut off or erased; folds may go without them."""
        store = self.store
        seqs = fill(store, CHAT, 9)
        for index in range(3):
            self._put(f"k{index}", 3 * index, 3 * index + 2)
        self._put("all", 0, 8)
        store.drop_derived(ANN)
        assert store.output(ANN, "k0") is not None
        before = store.sessions(CHAT)[0].revision
        store.edit(CHAT, seqs[4], draft("edited"))
        assert [store.output(ANN, f"k{i}") is not None for i in range(3)] == [True, False, True]
        assert store.output(ANN, "all") is None
        late = OutputRow(key="late", first=0, last=2, body=b"late")
        assert not store.put_output(CHAT, late, before)
        store.cut(CHAT, 8)
        assert store.output(ANN, "k2") is None
        store.remove(ANN, [seqs[0]])
        assert store.output(ANN, "k0") is None
        self._put("k9", 1, 2)
        store.remove(ANN, None)
        fill(store, CHAT, 9)
        assert store.output(ANN, "k9") is None

    def test_a_fold_is_replaced_with_all_above_it(self) -> None:
        """It gets a new number; what stands beside it stays; not at an older revision."""
        store = self.store
        fill(store, CHAT, 12)
        rows = [fold(i, 3 * i, 3 * i + 2) for i in range(4)]
        above = [fold(0, 0, 5, level=2), fold(1, 6, 11, level=2), fold(0, 0, 11, level=3)]
        put_folds(store, CHAT, [*rows, *above])
        revision = store.sessions(CHAT)[0].revision
        last = store.folds(CHAT)[-1].number
        assert store.replace_folds(CHAT, [fold(1, 3, 5, text="better")], revision) == 1
        assert store.sessions(CHAT)[0].revision == revision
        places = [(row.level, row.index) for row in store.folds(CHAT)]
        assert sorted(places) == [(1, 0), (1, 1), (1, 2), (1, 3), (2, 1)]
        (new,) = store.folds(CHAT, last)
        assert (new.index, new.body) == (1, fold(1, 3, 5, text="better").body)
        store.edit(CHAT, 12, draft("edited"))
        assert store.replace_folds(CHAT, [fold(0, 0, 2)], revision) == 0

    def test_the_running_fold_is_above_all(self) -> None:
        """It takes no other along, and goes with whichever is replaced within its span."""
        store = self.store
        fill(store, CHAT, 6)
        put_folds(store, CHAT, [fold(0, 0, 2), fold(1, 3, 5), fold(0, 0, 5, level=2)])
        revision = store.sessions(CHAT)[0].revision
        for last in (2, 5):
            store.replace_folds(CHAT, [fold(0, 0, last, level=0)], revision)
        assert [(row.level, row.last) for row in store.folds(CHAT)] == [
            (1, 2), (1, 5), (2, 5), (0, 5),
        ]  # fmt: skip
        store.replace_folds(CHAT, [fold(0, 0, 5, level=2)], revision)
        assert [(row.level, row.last) for row in store.folds(CHAT)] == [(1, 2), (1, 5), (2, 5)]

    def test_a_fold_of_what_was_replaced_meanwhile_is_not_kept(self) -> None:
        """Nor does it take the place of one that came meanwhile; beside it, all is taken."""
        store = self.store
        fill(store, CHAT, 12)
        put_folds(store, CHAT, [fold(i, 3 * i, 3 * i + 2) for i in range(4)])
        revision = store.sessions(CHAT)[0].revision
        seen = store.folds(CHAT)[-1].number
        store.replace_folds(CHAT, [fold(0, 0, 2, text="better")], revision, seen=seen)
        above = [fold(0, 0, 5, level=2), fold(1, 6, 11, level=2)]
        assert store.put_folds(CHAT, above, revision, seen=seen) == 1
        assert store.replace_folds(CHAT, [fold(0, 0, 2)], revision, seen=seen) == 0
        assert store.replace_folds(CHAT, [fold(0, 0, 11, level=0)], revision, seen=seen) == 0
        seen = store.folds(CHAT)[-1].number
        assert store.put_folds(CHAT, above, revision, seen=seen) == 1
        assert store.replace_folds(CHAT, [fold(0, 0, 11, level=0)], revision, seen=seen + 1) == 1
        # The running fold is nobody's part.
        assert store.replace_folds(CHAT, [fold(0, 0, 5, level=2)], revision, seen=seen + 1) == 1

    def test_costs_add_up(self) -> None:
        """By owner, and are gone with everything else."""
        store = self.store
        once = Usage(calls=2, failures=1, prompt_tokens=30, completion_tokens=4, seconds=0.5)
        store.spend(ANN, once)
        assert store.spent(ANN) == Usage()
        fill(store, CHAT, 1)
        store.spend(ANN, once)
        store.spend(CHAT, once)
        assert store.spent(ANN) == once + once
        assert store.spent(replace(ANN, user="bob")) == Usage()
        store.remove(ANN, None)
        fill(store, CHAT, 1)
        assert store.spent(ANN) == Usage()

    def test_ends_are_kept(self) -> None:
        """Once each, in order; a cut takes those beyond it, a fork those up to its length."""
        store = self.store
        fill(store, CHAT, 4)
        assert store.sessions(CHAT)[0].ends == ()
        assert [store.end(CHAT), store.end(CHAT)] == [4, 4]
        fill(store, CHAT, 3)
        assert store.end(CHAT) == 7
        assert store.sessions(CHAT)[0].ends == (4, 7)
        store.fork(CHAT, "fork", 5)
        (fork,) = store.sessions(replace(ANN, session="fork"))
        assert fork.ends == (4,)
        store.cut(CHAT, 4)
        assert store.sessions(CHAT)[0].ends == (4,)
        store.cut(CHAT, 2)
        assert store.sessions(CHAT)[0].ends == ()
        try:
            store.end(replace(ANN, session="none"))
        except NotFound:
            pass
        else:
            raise AssertionError("a session that is not there has no end")

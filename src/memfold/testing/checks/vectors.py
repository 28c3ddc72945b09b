"""Vectors: missing, made, replaced, dropped."""

from __future__ import annotations

from dataclasses import replace

from memfold.rows import Cursor, Reindexed
from memfold.testing.checks.base import StoreChecks
from memfold.testing.samples import ANN, CHAT, draft, fill, fold, passages, put_folds, vector


class VectorChecks(StoreChecks):
    """``without_vector``, ``put_vectors``, ``vectors``, ``use_embedder``, ``drop_derived``."""

    def _missing(self) -> list[tuple[int, int]]:
        return [(ref.seq, ref.part) for ref in self.store.without_vector(ANN, 0, 99)]

    def test_what_is_missing_is_listed(self) -> None:
        """In order, from after a number, with the text's place in the body."""
        store = self.store
        store.use_embedder("e")
        drafts = [draft("alpha beta", parts=2), draft("gamma"), draft("delta")]
        store.append(CHAT, drafts)
        assert self._missing() == [(1, 0), (1, 1), (2, 0), (3, 0)]
        (second,) = store.without_vector(ANN, 0, 2)[1:]
        assert (second.start, second.end, second.body) == (5, 10, drafts[0].body)
        assert [ref.seq for ref in store.without_vector(ANN, 1, 1)] == [2]
        assert store.without_vector(ANN, 3, 5) == store.without_vector(ANN, 0, 0) == []

    def test_vectors_are_kept(self) -> None:
        """Found by number and in the index, counted, no longer missing; the last one counts."""
        store = self.store
        store.use_embedder("e")
        fill(store, CHAT, 3)
        assert store.put_vectors(ANN, [vector(1), vector(3), vector(99), vector(2, 5)]) == 2
        assert store.put_vectors(ANN, [vector(3, fill_with=9)]) == 1
        assert self._missing() == [(2, 0)]
        assert store.vectors(ANN, 0, 99) == [vector(1), vector(3, fill_with=9)]
        assert store.vectors(ANN, 2, 3) == [vector(3, fill_with=9)]
        assert store.vectors(ANN, 1 << 70, 1 << 71) == store.vectors(ANN, 3, 1) == []
        found = [row.vector for row in store.index(ANN, Cursor()).rows]
        assert found == [vector(1).vector, None, vector(3, fill_with=9).vector]
        assert store.counts(ANN).vectors == store.counts(CHAT).vectors == 2

    def test_vectors_go_with_what_they_were_made_from(self) -> None:
        """By an edit, a cut, new passages; a message in a fork keeps its own."""
        store = self.store
        store.use_embedder("e")
        fill(store, CHAT, 5)
        store.put_vectors(ANN, [vector(seq) for seq in range(1, 6)])
        store.fork(CHAT, "fork", 1)
        store.edit(CHAT, 1, draft("edited"))
        store.edit(CHAT, 2, draft("edited"))
        store.cut(CHAT, 4)
        made = Reindexed(seq=3, passages=passages("new"), question=False, first_person=False)
        store.put_passages(ANN, [made])
        assert [row.seq for row in store.vectors(ANN, 0, 99)] == [1, 4]
        assert store.put_vectors(ANN, [vector(2), vector(5)]) == 0
        assert self._missing() == [(3, 0), (6, 0), (7, 0)]

    def test_another_embedder_takes_the_vectors_away(self) -> None:
        """All of them, of every owner; readers of the index start anew."""
        store = self.store
        assert store.embedder() == ""
        store.use_embedder("one")
        bob = replace(CHAT, user="bob")
        for scope in (CHAT, bob):
            fill(store, scope, 1)
            store.put_vectors(scope, [vector(1)])
        cursor = store.index(ANN, Cursor()).cursor
        store.use_embedder("one")
        assert store.counts(ANN).vectors == 1
        assert not store.index(ANN, cursor).reset
        store.use_embedder("two")
        assert store.embedder() == "two"
        assert store.vectors(ANN, 0, 9) == store.vectors(bob, 0, 9) == []
        delta = store.index(ANN, cursor)
        assert (delta.reset, delta.rows[0].vector) == (True, None)
        assert self._missing() == [(1, 0)]

    def test_vectors_of_two_embedders_never_mix(self) -> None:
        """When another process makes its own the current one, this one's are not taken."""
        store = self.store
        store.use_embedder("mine")
        fill(store, CHAT, 2)
        store.put_vectors(ANN, [vector(1)])
        with self.other() as other:
            if other is None:
                return
            other.use_embedder("theirs")
            assert store.embedder() == "theirs"
            assert store.put_vectors(ANN, [vector(1)]) == 0
            assert self._missing() == []
            assert other.put_vectors(ANN, [vector(2)]) == 1
            assert store.vectors(ANN, 0, 9) == []
            assert {row.vector for row in store.index(ANN, Cursor()).rows} == {None}
            assert other.vectors(ANN, 0, 9) == [vector(2)]

    def test_derived_things_are_dropped_together(self) -> None:
        """Folds and vectors of the owner, not the messages, and nobody else's."""
        store = self.store
        store.use_embedder("e")
        bob = replace(CHAT, user="bob")
        for scope in (CHAT, bob):
            fill(store, scope, 2)
            store.put_vectors(scope, [vector(1)])
            put_folds(store, scope, [fold(0, 0, 1)])
        cursor = store.index(ANN, Cursor()).cursor
        store.drop_derived(ANN)
        counts = store.counts(ANN)
        assert (counts.messages, counts.passages, counts.vectors, counts.folds) == (2, 2, 0, 0)
        assert store.index(ANN, cursor).reset
        assert self._missing() == [(1, 0), (2, 0)]
        others = store.counts(bob)
        assert (others.vectors, others.folds) == (1, 1)
        assert put_folds(store, CHAT, [fold(0, 0, 1)]) == 1

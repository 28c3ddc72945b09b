"""Opening, sharing, closing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from memfold.errors import StoreClosed
from memfold.testing.checks.base import StoreChecks, raises
from memfold.testing.checks.isolation import CALLS
from memfold.testing.samples import ANN, CHAT, draft, fill, fold, put_folds, seqs, vector, view


class LifecycleChecks(StoreChecks):
    """``owners``, ``size``, ``close``, threads, and two stores on the same thing."""

    def test_owners_are_those_with_something_stored(self) -> None:
        """Reading and refused calls make none."""
        bob = replace(CHAT, user="bob", agent="planner")
        self.store.span(CHAT, 0)
        assert self.store.owners() == []
        fill(self.store, CHAT, 1)
        fill(self.store, bob, 1)
        assert self.store.owners() == [ANN, replace(bob, session=None)]
        self.store.remove(CHAT, None)
        assert self.store.owners() == [replace(bob, session=None)]

    def test_size_is_told_in_bytes(self) -> None:
        """It grows with what is stored."""
        before = self.store.size()
        self.store.append(CHAT, [replace(draft("large"), body=b"x" * 1_000_000)])
        assert self.store.size() > max(before, 1_000_000)

    def test_after_close_every_call_says_so(self) -> None:
        """StoreClosed; closing twice is fine."""
        store = self.store
        fill(store, CHAT, 1)
        store.close()
        store.close()
        calls: list[Callable[[], object]] = [
            lambda: store.append(CHAT, [draft("x")]),
            store.owners,
            store.embedder,
            store.size,
            lambda: store.use_embedder("e"),
        ]
        for call in calls:
            with raises(StoreClosed):
                call()
        for scoped, _ in CALLS.values():
            with raises(StoreClosed):
                scoped(store, CHAT)

    def test_what_was_stored_is_there_when_opened_again(self) -> None:
        """All of it, and each store sees at once what the other writes."""
        store = self.store
        store.use_embedder("e")
        fill(store, CHAT, 4)
        store.put_vectors(ANN, [vector(1)])
        put_folds(store, CHAT, [fold(0, 0, 2)])
        store.fork(CHAT, "fork", 2)
        with self.other() as other:
            if other is None:
                return
            assert view(other, ANN) == view(store, ANN)
            assert (other.owners(), other.embedder()) == ([ANN], "e")
            other.append(CHAT, [draft("from there")])
            store.append(CHAT, [draft("from here")])
            assert seqs(other.span(CHAT, 4)) == seqs(store.span(CHAT, 4)) == [5, 6]
        assert len(store.span(CHAT, 0)) == 6

    def test_threads_share_a_store(self) -> None:
        """Nothing is lost, no number given twice, and no reader sees half a batch."""
        store, failures = self.store, list[str]()
        batch, rounds = 5, 12

        def write(name: str) -> None:
            scope = replace(ANN, session=name)
            for _ in range(rounds):
                store.append(scope, [draft(name) for _ in range(batch)])

        def read() -> None:
            for _ in range(rounds * 4):
                for session in store.sessions(ANN):
                    found = store.span(replace(ANN, session=session.id), 0)
                    if session.messages % batch or len(found) % batch:
                        failures.append(f"{session.messages} and {len(found)} messages")

        def guarded(task: Callable[[], None]) -> None:
            try:
                task()
            except Exception as error:
                failures.append(repr(error))

        names = [f"thread {number}" for number in range(4)]
        tasks: list[Callable[[], None]] = [*(lambda n=n: write(n) for n in names), read, read]
        threads = [threading.Thread(target=guarded, args=(task,)) for task in tasks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        spans = [store.span(replace(ANN, session=name), 0) for name in names]
        assert [len(span) for span in spans] == [batch * rounds] * 4
        every = sorted(seq for span in spans for seq in seqs(span))
        assert every == list(range(1, 4 * batch * rounds + 1))

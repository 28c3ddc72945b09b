"""No call reaches outside its owner."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from memfold.errors import NotFound
from memfold.protocols import Admin, Derived, Ledger, Store
from memfold.rows import Counts, Cursor, IndexDelta, OutputRow, Reindexed
from memfold.testing.checks.base import StoreChecks
from memfold.testing.samples import ANN, CHAT, View, draft, fill, fold, passages, vector, view
from memfold.types import Scope, Usage

# Near misses: other owners, and names that sloppy matching would take for the same.
STRANGERS = tuple(
    replace(CHAT, **change)
    for change in (
        {"tenant": "other"},
        {"tenant": "ACME"},
        {"tenant": "acm"},
        {"tenant": ""},
        {"user": "bob"},
        {"user": "Ann"},
        {"user": "ann "},
        {"user": "an_"},
        {"user": "%"},
        {"user": ""},
        {"user": "ann\x00"},
        {"agent": "planner"},
        {"tenant": "acmeann", "user": ""},
        {"tenant": "", "user": "acmeann"},
    )
)

_REVISION = 0
_ANSWER = OutputRow(key="k", first=0, last=1, body=b"answer")
_NONE = Counts(sessions=0, messages=0, tokens=0, folds=0, passages=0, vectors=0)
_EMPTY = IndexDelta(rows=(), gone=(), cursor=Cursor(), reset=False)

# What every call with a scope does on someone else's things, and what it has to give back;
# None where NotFound will do, ``append`` apart, which begins a memory of the caller's own.
CALLS: dict[str, tuple[Callable[[Store, Scope], object], object]] = {
    "known": (lambda store, scope: store.known(scope, ["key"]), [None]),
    "edit": (lambda store, scope: store.edit(scope, 1, draft("stolen")), None),
    "cut": (lambda store, scope: store.cut(scope, 0), []),
    "fork": (lambda store, scope: store.fork(scope, "copy", 9), None),
    "remove": (lambda store, scope: store.remove(scope, [1, 2, 3]), []),
    "read": (lambda store, scope: store.read(scope, [1, 2, 3]), []),
    "span": (lambda store, scope: store.span(scope, 0), []),
    "sessions": (lambda store, scope: store.sessions(scope), []),
    "index": (lambda store, scope: store.index(scope, Cursor()), _EMPTY),
    "vectors": (lambda store, scope: store.vectors(scope, 0, 9), []),
    "without_vector": (lambda store, scope: store.without_vector(scope, 0, 9), []),
    "put_vectors": (lambda store, scope: store.put_vectors(scope, [vector(1)]), 0),
    "folds": (lambda store, scope: store.folds(scope), []),
    "borders": (lambda store, scope: store.borders(scope), []),
    "put_folds": (lambda store, scope: store.put_folds(scope, [fold(5, 0, 0)], _REVISION), 0),
    "replace_folds": (
        lambda store, scope: store.replace_folds(scope, [fold(0, 0, 1)], _REVISION),
        0,
    ),
    "output": (lambda store, scope: store.output(scope, "k"), None),
    "put_output": (lambda store, scope: store.put_output(scope, _ANSWER, _REVISION), False),
    "end": (lambda store, scope: store.end(scope), None),
    "spend": (lambda store, scope: store.spend(scope, Usage(calls=1)), None),
    "spent": (lambda store, scope: store.spent(scope), Usage()),
    "put_passages": (
        lambda store, scope: store.put_passages(
            scope,
            [Reindexed(seq=1, passages=passages("x"), question=True, first_person=True)],
        ),
        None,
    ),
    "counts": (lambda store, scope: store.counts(scope), _NONE),
    "drop_derived": (lambda store, scope: store.drop_derived(scope), None),
}


def scoped_calls() -> set[str]:
    """The names of all calls of the protocol that take a scope."""
    return {
        name
        for part in (Ledger, Derived, Admin)
        for name, call in vars(part).items()
        if inspect.isfunction(call) and "scope" in inspect.signature(call).parameters
    }


class IsolationChecks(StoreChecks):
    """Tenants, users and agents."""

    def _filled(self) -> View:
        """Ann's memory, with something of every kind in it."""
        store = self.store
        store.use_embedder("e")
        fill(store, CHAT, 3)
        store.append(CHAT, [draft("keyed", key="k")])
        store.put_vectors(ANN, [vector(1), vector(2)])
        store.fork(CHAT, "fork", 2)
        store.edit(CHAT, 3, draft("edited"))
        revision = store.sessions(CHAT)[0].revision
        store.put_folds(CHAT, [fold(0, 0, 1)], revision)
        store.put_output(CHAT, _ANSWER, revision)
        store.spend(ANN, Usage(calls=2, seconds=0.5))
        store.end(CHAT)
        return view(store, ANN)

    def test_every_call_is_covered_here(self) -> None:
        """A call that the protocol gains has to be added above."""
        assert scoped_calls() == {*CALLS, "append"}

    def test_a_stranger_sees_and_changes_nothing(self) -> None:
        """Every call, under every wrong scope, with and without a session."""
        before = self._filled()
        for name, (call, expected) in CALLS.items():
            for stranger in STRANGERS:
                result = expected
                with suppress(NotFound):
                    result = call(self.store, stranger)
                assert result == expected, (name, stranger)
            assert view(self.store, ANN) == before, name
        assert self.store.owners() == [ANN]

    def test_removing_all_of_a_stranger_leaves_the_rest(self) -> None:
        """The widest call there is, with nothing of the caller's own to remove."""
        before = self._filled()
        for stranger in STRANGERS:
            assert self.store.remove(replace(stranger, session=None), None) == []
            assert self.store.remove(stranger, None) == []
        assert view(self.store, ANN) == before

    def test_neighbours_with_the_same_names_live_side_by_side(self) -> None:
        """The same session, keys and numbers for every owner; each sees its own."""
        before = self._filled()
        for number, stranger in enumerate(STRANGERS):
            sent = draft(f"own {number}", key="k")
            (appended,) = self.store.append(stranger, [sent])
            assert (appended.seq, appended.outcome) == (1, "stored")
        for number, stranger in enumerate(STRANGERS):
            (message,) = self.store.span(stranger, 0)
            assert message.body == draft(f"own {number}").body
            assert self.store.counts(replace(stranger, session=None)).messages == 1
            (row,) = self.store.index(replace(stranger, session=None), Cursor()).rows
            assert row.vector is None
        assert view(self.store, ANN) == before
        assert len(self.store.owners()) == len(STRANGERS) + 1
        for stranger in STRANGERS:
            assert self.store.remove(replace(stranger, session=None), None) == [1]
        assert view(self.store, ANN) == before

    def test_a_scope_that_names_a_session_keeps_to_it(self) -> None:
        """Reading, counting and removing; the owner's other sessions stay out of it."""
        self._filled()
        elsewhere = replace(ANN, session="elsewhere")
        assert self.store.read(elsewhere, [1, 2, 4]) == []
        assert self.store.counts(elsewhere) == _NONE
        assert self.store.folds(elsewhere) == []
        assert self.store.remove(elsewhere, [1, 2, 4]) == []

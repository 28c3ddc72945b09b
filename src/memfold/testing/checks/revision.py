"""Edit, cut and fork."""

from __future__ import annotations

from dataclasses import replace

from memfold.errors import InvalidInput, NotFound
from memfold.rows import Appended
from memfold.testing.checks.base import StoreChecks, raises
from memfold.testing.samples import ANN, CHAT, draft, fill, seqs, texts

_FORK = replace(ANN, session="fork")


class RevisionChecks(StoreChecks):
    """``edit``, ``cut``, ``fork``."""

    def test_edit_takes_the_place_of_the_message(self) -> None:
        """A new number at the same position; the old version stands nowhere, but can be read."""
        store = self.store
        fill(store, CHAT, 3)
        revision = store.sessions(CHAT)[0].revision
        assert store.edit(CHAT, 2, draft("better")) == Appended(seq=4, outcome="stored")
        span = store.span(CHAT, 0)
        assert [(m.seq, m.position) for m in span] == [(1, 0), (4, 1), (3, 2)]
        assert texts(span)[1] == "better"
        assert store.read(ANN, [2])[0].position == -1
        (session,) = store.sessions(CHAT)
        assert (session.messages, session.length) == (3, 3)
        assert session.revision != revision

    def test_edit_of_what_is_not_there(self) -> None:
        """NotFound: no such number, replaced already, another session, no session, no owner."""
        store = self.store
        with raises(NotFound):
            store.edit(CHAT, 1, draft("x"))
        fill(store, CHAT, 2)
        fill(store, replace(ANN, session="work"), 1)
        store.edit(CHAT, 1, draft("x"))
        for seq in (1, 3, 99, 0, -1, 1 << 70):
            with raises(NotFound):
                store.edit(CHAT, seq, draft("x"))
        with raises(NotFound):
            store.edit(replace(ANN, session="none"), 2, draft("x"))
        assert store.counts(ANN).messages == 3

    def test_edit_sent_twice_edits_once(self) -> None:
        """Its key is known the second time, though the message that it names is replaced."""
        fill(self.store, CHAT, 2)
        assert self.store.edit(CHAT, 1, draft("x", key="e")) == Appended(seq=3, outcome="stored")
        assert self.store.edit(CHAT, 1, draft("x", key="e")) == Appended(seq=3, outcome="known")
        assert seqs(self.store.span(CHAT, 0)) == [3, 2]

    def test_cut_ends_the_session(self) -> None:
        """The tail leaves, and the next message takes its place under a new number."""
        store = self.store
        fill(store, CHAT, 5)
        revision = store.sessions(CHAT)[0].revision
        assert store.cut(CHAT, 3) == [4, 5]
        assert store.sessions(CHAT)[0].revision != revision
        assert seqs(store.span(CHAT, 0)) == [1, 2, 3]
        assert {m.position for m in store.read(ANN, [4, 5])} == {-1}
        store.append(CHAT, [draft("again")])
        assert [(m.seq, m.position) for m in store.span(CHAT, 3)] == [(6, 3)]
        (session,) = store.sessions(CHAT)
        assert (session.messages, session.length) == (4, 4)

    def test_cut_at_the_edges(self) -> None:
        """Beyond the end nothing leaves; at or before the start everything does."""
        store = self.store
        fill(store, CHAT, 2)
        assert store.cut(CHAT, 2) == store.cut(CHAT, 1 << 70) == []
        assert store.cut(CHAT, -3) == [1, 2]
        (session,) = store.sessions(CHAT)
        assert (session.messages, session.length, session.began, session.last) == (0, 0, None, None)
        with raises(NotFound):
            store.cut(replace(ANN, session="none"), 0)

    def test_fork_shares_what_came_before(self) -> None:
        """The same messages, seen from both; each goes on by itself."""
        store = self.store
        fill(store, CHAT, 4)
        store.fork(CHAT, "fork", 3)
        store.append(_FORK, [draft("there")])
        store.append(CHAT, [draft("here")])
        assert seqs(store.span(_FORK, 0)) == [1, 2, 3, 5]
        assert seqs(store.span(CHAT, 0)) == [1, 2, 3, 4, 6]
        assert {m.session for m in store.span(_FORK, 0)} == {"fork"}
        assert [(m.session, m.position) for m in store.read(_FORK, [2])] == [("fork", 1)]
        assert [(m.session, m.position) for m in store.read(ANN, [2])] == [("chat", 1)]
        fork = store.sessions(_FORK)[0]
        assert (fork.messages, fork.length, fork.parent) == (4, 4, "chat")
        assert store.counts(ANN).messages == 6
        assert store.counts(_FORK).messages == 4

    def test_fork_of_nothing_and_into_something(self) -> None:
        """Nothing to fork is NotFound, a session that exists InvalidInput; lengths are clamped."""
        store = self.store
        with raises(NotFound):
            store.fork(CHAT, "fork", 1)
        fill(store, CHAT, 2)
        with raises(NotFound):
            store.fork(replace(ANN, session="none"), "fork", 1)
        with raises(InvalidInput):
            store.fork(CHAT, "chat", 1)
        for name, length, expected in (("all", 1 << 70, 2), ("none", -1, 0)):
            store.fork(CHAT, name, length)
            scope = replace(ANN, session=name)
            assert len(store.span(scope, 0)) == expected
            assert store.sessions(scope)[0].length == expected

    def test_an_edit_after_a_fork_stays_on_its_side(self) -> None:
        """The parent's edit leaves the fork its copy, and the other way round."""
        store = self.store
        fill(store, CHAT, 3)
        store.fork(CHAT, "fork", 3)
        store.edit(CHAT, 1, draft("parent's"))
        store.edit(_FORK, 3, draft("fork's"))
        assert texts(store.span(CHAT, 0)) == ["parent's", "message 1 第1条", "message 2 第2条"]
        assert texts(store.span(_FORK, 0)) == ["message 0 第0条", "message 1 第1条", "fork's"]
        assert [(m.session, m.position) for m in store.read(ANN, [1, 3])] == [
            ("fork", 0),
            ("chat", 2),
        ]

    def test_a_cut_in_the_parent_leaves_the_fork_whole(self) -> None:
        """And the other way round; what nobody holds any more stands nowhere."""
        store = self.store
        fill(store, CHAT, 3)
        store.fork(CHAT, "fork", 2)
        assert store.cut(CHAT, 0) == [1, 2, 3]
        assert store.span(CHAT, 0) == []
        assert seqs(store.span(_FORK, 0)) == [1, 2]
        assert [m.position for m in store.read(ANN, [1, 2, 3])] == [0, 1, -1]
        assert store.cut(_FORK, 1) == [2]
        assert store.counts(ANN).messages == 1

    def test_positions_go_on_behind_a_gap(self) -> None:
        """What was erased leaves its position empty, at the end too; forks keep the gap."""
        store = self.store
        fill(store, CHAT, 5)
        store.remove(ANN, [2, 5])
        store.append(CHAT, [draft("next")])
        assert [(m.seq, m.position) for m in store.span(CHAT, 0)] == [
            (1, 0),
            (3, 2),
            (4, 3),
            (6, 5),
        ]
        (session,) = store.sessions(CHAT)
        assert (session.messages, session.length) == (4, 6)
        store.fork(CHAT, "fork", 5)
        assert [m.position for m in store.span(_FORK, 0)] == [0, 2, 3]
        assert store.sessions(_FORK)[0].length == 5
        assert store.cut(CHAT, 2) == [3, 4, 6]
        assert store.sessions(CHAT)[0].length == 2

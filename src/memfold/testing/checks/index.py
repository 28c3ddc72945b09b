"""The index and its cursors."""

from __future__ import annotations

from dataclasses import replace

from memfold.rows import Cursor, Reindexed
from memfold.testing.checks.base import StoreChecks
from memfold.testing.samples import ANN, CHAT, draft, fill, passages, seqs

_FORK = replace(ANN, session="fork")


class IndexChecks(StoreChecks):
    """``index`` and ``put_passages``."""

    def test_a_row_says_what_was_written(self) -> None:
        """Every passage, with what ranking needs of its message."""
        sent = draft("one two 三四", role="tool", name="计算器", at=7, parts=2, question=True)
        self.store.append(CHAT, [draft("before"), sent])
        first, second = self.store.index(ANN, Cursor()).rows[1:]
        for row, passage in zip((first, second), sent.passages, strict=True):
            assert (row.seq, row.previous, row.session) == (2, 1, "chat")
            assert (row.role, row.name, row.at, row.tokens) == ("tool", "计算器", 7, 10)
            assert (row.question, row.first_person, row.vector) == (True, False, None)
            for field in ("part", "start", "end", "terms", "header"):
                assert getattr(row, field) == getattr(passage, field), field

    def test_a_message_without_passages_has_no_row(self) -> None:
        """Nothing to search in it; it is a neighbour all the same."""
        bare = replace(draft("x"), passages=())
        self.store.append(CHAT, [draft("a"), bare, draft("b")])
        rows = self.store.index(ANN, Cursor()).rows
        assert [(row.seq, row.previous) for row in rows] == [(1, 0), (3, 2)]

    def test_reading_on_from_a_cursor(self) -> None:
        """Only what came since; nothing when nothing did."""
        store = self.store
        fill(store, CHAT, 2)
        first = store.index(ANN, Cursor())
        assert first.reset
        assert seqs(first.rows) == [1, 2]
        idle = store.index(ANN, first.cursor)
        assert (idle.rows, idle.gone, idle.reset, idle.cursor) == ((), (), False, first.cursor)
        fill(store, replace(ANN, session="work"), 2)
        then = store.index(ANN, first.cursor)
        assert (seqs(then.rows), then.gone, then.reset) == ([3, 4], (), False)
        assert [row.previous for row in then.rows] == [0, 3]

    def test_a_cut_takes_rows_back(self) -> None:
        """Those that the reader has; what came and went in between it never sees."""
        store = self.store
        fill(store, CHAT, 3)
        cursor = store.index(ANN, Cursor()).cursor
        fill(store, CHAT, 1)
        store.cut(CHAT, 2)
        fill(store, CHAT, 1)
        delta = store.index(ANN, cursor)
        assert (seqs(delta.rows), delta.gone, delta.reset) == ([5], (3,), False)
        assert delta.rows[0].previous == 2
        store.cut(CHAT, 1)
        assert store.index(ANN, delta.cursor).gone == (2, 5)

    def test_after_an_edit_neighbours_are_right(self) -> None:
        """The new version is there, the old one is not, and what follows, follows the new one."""
        store = self.store
        fill(store, CHAT, 3)
        cursor = store.index(ANN, Cursor()).cursor
        store.edit(CHAT, 2, draft("better"))
        assert store.index(ANN, cursor).reset
        rows = store.index(ANN, cursor).rows
        assert [(row.seq, row.previous) for row in rows] == [(1, 0), (3, 4), (4, 1)]

    def test_a_removal_starts_readers_anew(self) -> None:
        """Also when the owner is gone, and when it wrote again meanwhile."""
        store = self.store
        fill(store, CHAT, 3)
        cursor = store.index(ANN, Cursor()).cursor
        store.remove(ANN, [2])
        delta = store.index(ANN, cursor)
        assert (delta.reset, seqs(delta.rows)) == (True, [1, 3])
        store.remove(ANN, None)
        gone = store.index(ANN, delta.cursor)
        assert (gone.reset, gone.rows, gone.cursor) == (True, (), Cursor())
        fill(store, CHAT, 3)
        again = store.index(ANN, delta.cursor)
        assert (again.reset, len(again.rows)) == (True, 3)

    def test_forks_add_no_rows(self) -> None:
        """Each message once, at home; its own ones follow what they follow in the fork."""
        store = self.store
        fill(store, CHAT, 3)
        store.fork(CHAT, "fork", 2)
        store.append(_FORK, [draft("fork's")])
        rows = store.index(ANN, Cursor()).rows
        assert [(row.seq, row.session, row.previous) for row in rows] == [
            (1, "chat", 0),
            (2, "chat", 1),
            (3, "chat", 2),
            (4, "fork", 2),
        ]

    def test_a_message_that_only_a_fork_holds_is_at_home_there(self) -> None:
        """After the parent cut it off or edited it; readers are told."""
        store = self.store
        fill(store, CHAT, 3)
        store.fork(CHAT, "fork", 3)
        cursor = store.index(ANN, Cursor()).cursor
        store.edit(CHAT, 2, draft("edited"))
        assert store.index(ANN, Cursor()).rows[2].previous == 4
        store.cut(CHAT, 2)
        assert store.index(ANN, cursor).reset
        rows = store.index(ANN, Cursor()).rows
        assert [(row.seq, row.session, row.previous) for row in rows] == [
            (1, "chat", 0),
            (2, "fork", 1),
            (3, "fork", 2),
            (4, "chat", 1),
        ]

    def test_passages_made_anew(self) -> None:
        """They replace the old ones; of messages that stand nowhere there are none."""
        store = self.store
        fill(store, CHAT, 3)
        store.cut(CHAT, 2)
        cursor = store.index(ANN, Cursor()).cursor
        made = [
            Reindexed(seq=seq, passages=passages("new words", 2), question=True, first_person=True)
            for seq in (2, 3, 99)
        ]
        store.put_passages(ANN, made)
        delta = store.index(ANN, cursor)
        assert delta.reset
        assert [(row.seq, row.part, row.question) for row in delta.rows] == [
            (1, 0, False),
            (2, 0, True),
            (2, 1, True),
        ]
        assert delta.rows[1].terms == passages("new words", 2)[0].terms

    def test_another_store_can_go_on_from_a_cursor(self) -> None:
        """A cursor belongs to what is stored, not to the object that gave it."""
        fill(self.store, CHAT, 2)
        cursor = self.store.index(ANN, Cursor()).cursor
        with self.other() as other:
            if other is not None:
                assert other.index(ANN, cursor).rows == ()
                fill(other, CHAT, 1)
                delta = self.store.index(ANN, cursor)
                assert (seqs(delta.rows), delta.reset) == ([3], False)

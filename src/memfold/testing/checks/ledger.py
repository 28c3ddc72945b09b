"""Appending and reading."""

from __future__ import annotations

from dataclasses import replace

from memfold.errors import InvalidScope
from memfold.rows import Appended
from memfold.testing.checks.base import StoreChecks, raises
from memfold.testing.samples import ANN, CHAT, draft, fill, seqs, texts

_ODD = (
    "",
    "\x00 NUL and \x1b control",
    "a lone surrogate \ud83d here",
    "العربية مع עברית",
    "e\u0301\u0323 combined",
    "👩‍👩‍👧‍👦",
    "用PostgreSQL部署，24 GB。",
)


class LedgerChecks(StoreChecks):
    """``append``, ``read``, ``span``, ``sessions``."""

    def test_append_numbers_messages_and_gives_them_positions(self) -> None:
        """Seqs count up within the owner, positions within the session."""
        store, work = self.store, replace(ANN, session="work")
        stored = [Appended(seq=n, outcome="stored") for n in (1, 2, 3, 4)]
        assert store.append(CHAT, [draft("one"), draft("two")]) == stored[:2]
        assert store.append(work, [draft("three")]) == stored[2:3]
        assert store.append(CHAT, [draft("four")]) == stored[3:]
        span = store.span(CHAT, 0)
        assert [(m.seq, m.position, m.session) for m in span] == [
            (1, 0, "chat"),
            (2, 1, "chat"),
            (4, 2, "chat"),
        ]
        assert [(m.seq, m.position) for m in store.span(work, 0)] == [(3, 0)]

    def test_a_message_comes_back_as_it_was(self) -> None:
        """Every field, bytes unchanged."""
        sent = draft("好的，已记录。", role="assistant", name="小明", at=-5, metadata=b'{"a": [1]}')
        self.store.append(CHAT, [sent])
        (read,) = self.store.span(CHAT, 0)
        for field in ("role", "name", "at", "recorded", "tokens", "body", "metadata"):
            assert getattr(read, field) == getattr(sent, field), field
        assert self.store.read(ANN, [1]) == [read]

    def test_bodies_are_any_bytes(self) -> None:
        """Odd text, lone surrogates, and bytes that are no text at all."""
        drafts = [draft(text) for text in _ODD]
        drafts.append(replace(draft(""), body=bytes(range(256)), metadata=b"\xff\x00"))
        self.store.append(CHAT, drafts)
        span = self.store.span(CHAT, 0)
        assert [m.body for m in span] == [d.body for d in drafts]
        assert [m.metadata for m in span] == [d.metadata for d in drafts]

    def test_names_are_any_text(self) -> None:
        """Scopes, roles, names and keys with every kind of character."""
        for number, text in enumerate(_ODD[1:]):
            scope = replace(ANN, user=text, agent=text, session=text)
            for outcome in ("stored", "known"):
                sent = draft("x", role=text, name=text, key=text)
                assert self.store.append(scope, [sent])[0].outcome == outcome
            assert [(m.session, m.role, m.name) for m in self.store.span(scope, 0)] == [
                (text, text, text)
            ]
            assert [s.id for s in self.store.sessions(scope)] == [text]
            assert len(self.store.owners()) == number + 1
            assert replace(scope, session=None) in self.store.owners()

    def test_large_bodies(self) -> None:
        """Ten megabytes in one message, and small ones around it."""
        large = replace(draft("large"), body="记忆".encode() * 1_750_000)
        self.store.append(CHAT, [draft("before"), large, draft("after")])
        assert [len(m.body) for m in self.store.span(CHAT, 1, 1)] == [10_500_000]
        assert self.store.read(ANN, [2])[0].body == large.body

    def test_nothing_in_nothing_out(self) -> None:
        """No drafts make no session, no owner; unknown ones are empty to read."""
        assert self.store.append(CHAT, []) == []
        assert self.store.sessions(ANN) == []
        assert self.store.owners() == []
        assert self.store.span(CHAT, 0) == []
        assert self.store.read(ANN, [1]) == []

    def test_a_session_has_to_be_named_where_one_is_needed(self) -> None:
        """InvalidScope, and nothing happens."""
        with raises(InvalidScope):
            self.store.append(ANN, [draft("x")])
        with raises(InvalidScope):
            self.store.span(ANN, 0)
        assert self.store.owners() == []

    def test_span_is_inclusive_and_forgiving(self) -> None:
        """Both ends belong to it; what lies outside is left out."""
        store = self.store
        fill(store, CHAT, 5)
        assert [m.position for m in store.span(CHAT, 1, 3)] == [1, 2, 3]
        assert [m.position for m in store.span(CHAT, 3)] == [3, 4]
        assert [m.position for m in store.span(CHAT, -7, 0)] == [0]
        assert [m.position for m in store.span(CHAT, 4, 1 << 70)] == [4]
        assert store.span(CHAT, 3, 2) == store.span(CHAT, 1 << 70) == []
        assert store.span(CHAT, 0, -1) == []

    def test_read_keeps_the_order_asked_for(self) -> None:
        """Repetitions too; unknown and impossible numbers are left out."""
        fill(self.store, CHAT, 4)
        asked = [3, 99, 1, 0, -1, 1 << 70, 3]
        assert seqs(self.store.read(ANN, asked)) == [3, 1, 3]
        assert seqs(self.store.read(ANN, list(range(5000)))) == [1, 2, 3, 4]

    def test_read_stays_in_the_session_that_the_scope_names(self) -> None:
        """A message of another session is unknown there."""
        work = replace(ANN, session="work")
        fill(self.store, CHAT, 2)
        fill(self.store, work, 1)
        assert seqs(self.store.read(CHAT, [1, 3])) == [1]
        assert seqs(self.store.read(work, [1, 3])) == [3]
        assert self.store.read(replace(ANN, session="none"), [1, 3]) == []

    def test_sessions_are_listed_in_the_order_they_were_made(self) -> None:
        """With their length and the times of their first and last message."""
        for name in ("zebra", "ant", "moth"):
            scope = replace(ANN, session=name)
            self.store.append(scope, [draft("x", at=50), draft("y", at=40), draft("z", at=60)])
        rows = self.store.sessions(ANN)
        assert [row.id for row in rows] == ["zebra", "ant", "moth"]
        assert {(r.messages, r.length, r.began, r.last, r.parent) for r in rows} == {
            (3, 3, 50, 60, None)
        }
        assert [row.newest for row in rows] == [3, 6, 9]
        assert self.store.sessions(replace(ANN, session="ant")) == [rows[1]]
        assert self.store.sessions(replace(ANN, session="none")) == []

    def test_a_key_is_written_once(self) -> None:
        """Within a batch, in a later one, and in another session of the owner."""
        store = self.store
        first = store.append(CHAT, [draft("a", key="k1"), draft("b"), draft("c", key="k1")])
        assert [(a.seq, a.outcome) for a in first] == [(1, "stored"), (2, "stored"), (1, "known")]
        again = store.append(CHAT, [draft("other text", key="k1"), draft("d", key="k2")])
        assert [(a.seq, a.outcome) for a in again] == [(1, "known"), (3, "stored")]
        elsewhere = store.append(replace(ANN, session="copy"), [draft("a", key="k1")])
        assert [(a.seq, a.outcome) for a in elsewhere] == [(1, "known")]
        assert texts(store.span(CHAT, 0)) == ["a", "b", "d"]
        assert [row.id for row in store.sessions(ANN)] == ["chat"]

    def test_keys_can_be_looked_up_without_writing(self) -> None:
        """Known ones, erased ones, and those that would be stored."""
        store = self.store
        assert store.known(ANN, ["k1"]) == [None]
        store.append(CHAT, [draft("a", key="k1"), draft("b", key="k2"), draft("c")])
        store.remove(ANN, [2])
        for scope in (ANN, CHAT, replace(ANN, session="none")):
            assert store.known(scope, ["k2", "k3", "k1"]) == [
                Appended(seq=0, outcome="erased"),
                None,
                Appended(seq=1, outcome="known"),
            ]
        assert store.known(replace(ANN, user="bob"), ["k1", "k2"]) == [None, None]
        assert store.known(ANN, []) == []

    def test_owners_do_not_share_keys(self) -> None:
        """The same key under another tenant, user or agent is another key."""
        scopes = [
            CHAT,
            replace(CHAT, tenant="other"),
            replace(CHAT, user="bob"),
            replace(CHAT, agent="planner"),
        ]
        for scope in scopes:
            assert self.store.append(scope, [draft("x", key="k")])[0] == Appended(
                seq=1, outcome="stored"
            )

    def test_importing_twice_adds_nothing(self) -> None:
        """A whole batch of known keys changes nothing that can be seen."""
        drafts = [draft(f"line {i}", key=f"file:{i}") for i in range(20)]
        self.store.append(CHAT, drafts)
        before = (self.store.sessions(ANN), self.store.counts(ANN))
        assert {a.outcome for a in self.store.append(CHAT, drafts)} == {"known"}
        assert (self.store.sessions(ANN), self.store.counts(ANN)) == before

    def test_counts(self) -> None:
        """Of the owner, and of one session."""
        self.store.append(CHAT, [draft("four", parts=2), draft("three")])
        self.store.append(replace(ANN, session="work"), [draft("seven!!")])
        whole, one = self.store.counts(ANN), self.store.counts(CHAT)
        assert (whole.sessions, whole.messages, whole.tokens, whole.passages) == (2, 3, 16, 4)
        assert (one.sessions, one.messages, one.tokens, one.passages) == (1, 2, 9, 3)
        assert whole.folds == whole.vectors == one.folds == one.vectors == 0

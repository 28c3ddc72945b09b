"""An index that grew with its conversation scores as one read whole, whatever was done to it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.facade.driving import START, TinyEmbedder, ids
from tests.facade.talks import CONTENTS, SAID

from memfold import FoldConfig, Memory, NotFound
from memfold.stores.sqlite import SQLiteStore

SMALL = FoldConfig(window=1, segment_messages=2, segment_tokens=40, fan_out=2)
SESSIONS = st.sampled_from(["one", "two", "fork"])
NAMES = st.sampled_from([None, None, "Ann", "Bob", "林晓燕"])
QUERIES = [
    "What did Bob say about the router RX-4410 yesterday?",
    "What did I tell you?",
    "Ann and Bob moved",
    "林晓燕昨天买了什么？",
    "你之前推荐了什么 PostgreSQL",
]
MODES = ["memfold", "lexical", "dense", "time-decay", "generative-agents"]

ADD = st.tuples(st.just("add"), SESSIONS, CONTENTS, NAMES)
OPERATIONS = st.one_of(
    ADD,
    ADD,
    ADD,
    st.tuples(st.just("edit"), SESSIONS, st.integers(0, 9), SAID),
    st.tuples(st.just("cut"), SESSIONS, st.integers(0, 9)),
    st.tuples(st.just("forget"), st.lists(st.integers(1, 25), max_size=3)),
    st.tuples(st.just("fork"), SESSIONS, st.integers(0, 9)),
    st.tuples(st.just("erase"), SESSIONS),
    st.tuples(st.just("search"), st.sampled_from(QUERIES)),
    st.tuples(st.just("rebuild")),
)


def place(session, at):
    """The id of some message of the session, or None when it is empty."""
    messages = session.messages()
    return messages[at % len(messages)].id if messages else None


def do(memory, operation):
    ann = memory.user("ann")
    match operation:
        case "add", session, text, name:
            extra = {"name": name} if name else {}
            role = "user" if len(text) % 2 else "assistant"
            ann.session(session).add(role, text, at=START, **extra)
        case "edit", session, at, text:
            if id_ := place(ann.session(session), at):
                ann.session(session).edit(id_, text)
        case "cut", session, at:
            if id_ := place(ann.session(session), at):
                ann.session(session).cut(id_)
        case "forget", numbers:
            ann.forget([f"m{number}" for number in numbers])
        case "fork", session, at:
            ann.session("fork").erase()
            if session != "fork" and (id_ := place(ann.session(session), at)):
                ann.session(session).fork("fork", before=id_)
        case "erase", session:
            ann.session(session).erase()
        case "search", query:
            ann.search(query, now=START)
        case ("rebuild",):
            memory.reindex()


def found(memory, query, mode):
    hits = memory.user("ann").search(query, k=99, mode=mode, now=START)
    return {hit.message.id: hit for hit in hits}


def check_same(one, other):
    """The same hits with the same scores, but for the last digits."""
    assert one.keys() == other.keys()
    for id_, hit in one.items():
        twin = other[id_]
        assert hit.score == pytest.approx(twin.score, abs=1e-4)
        assert dict(hit.parts) == pytest.approx(dict(twin.parts), abs=1e-4)
        assert replace(hit, score=0, parts={}) == replace(twin, score=0, parts={})


@settings(max_examples=60)
@given(operations=st.lists(OPERATIONS, min_size=3, max_size=25), vectors=st.booleans())
def test_an_index_grown_bit_by_bit_is_one_read_whole(operations, vectors):
    embedder = TinyEmbedder() if vectors else None
    store = SQLiteStore(":memory:")
    options = {"embedder": embedder, "background": False, "fold": SMALL}
    grown = Memory(store, **options)
    for operation in operations:
        do(grown, operation)
        grown.user("ann").search(QUERIES[0], now=START)  # takes in what changed
    whole = Memory(store, **options)
    for query in QUERIES:
        for mode in MODES:
            check_same(found(grown, query, mode), found(whole, query, mode))
    standing = {
        message.id
        for info in whole.user("ann").sessions()
        for message in whole.user("ann").session(info.id).messages()
    }
    assert {*found(whole, QUERIES[0], "memfold")} == standing
    store.close()


@settings(max_examples=40)
@given(operations=st.lists(OPERATIONS, min_size=3, max_size=25))
def test_folds_after_any_history_are_those_of_what_stands(operations):
    """Invariants 5 and 14: made bit by bit or anew, the folds are the same."""
    store = SQLiteStore(":memory:")
    memory = Memory(store, embedder=None, background=False, fold=SMALL)
    for operation in operations:
        do(memory, operation)
    ann = memory.user("ann")
    for info in ann.sessions():
        session = ann.session(info.id)
        for fold in session.folds():
            standing = session.messages(fold.first, fold.last)
            assert ann.expand(fold.id) == standing
            assert {*fold.sources} <= {message.id for message in standing}
    before = {info.id: said(ann.session(info.id)) for info in ann.sessions()}
    memory.reindex()
    after = {info.id: said(ann.session(info.id)) for info in ann.sessions()}
    # After a cut the folds before it may stand nearer to the end than they would be made.
    for id_, folds in after.items():
        assert folds.items() <= before[id_].items()
    store.close()


def said(session):
    return {
        (fold.level, fold.index): (fold.first, fold.last, fold.text, fold.sentences)
        for fold in session.folds()
    }


@settings(max_examples=40)
@given(texts=st.lists(CONTENTS, max_size=12), vectors=st.booleans())
def test_what_was_just_added_is_found(texts, vectors):
    """Invariant 8: by its words at once, among whatever else."""
    embedder = TinyEmbedder() if vectors else None
    with Memory(embedder=embedder, background=False) as memory:
        ann = memory.user("ann")
        for text, sign in zip(texts, "甲乙丙丁戊己庚辛壬癸子丑", strict=False):
            word = f"quokka{ord(sign)}"
            id_ = ann.session("s").add("user", f"{word} {text} 袋鼠{sign}号").id
            for query in (word, f"袋鼠{sign}号"):
                assert ids(ann.search(query, k=1, mode="lexical")) == [id_]
                # A tiny embedder may well be of another opinion.
                assert vectors or id_ in ids(ann.search(query, k=2))
        for hit in ann.search("quokka 袋鼠", k=99):
            start, end = hit.passage
            assert 0 <= start <= end <= len(hit.message.text)


@settings(max_examples=25)
@given(texts=st.lists(SAID, min_size=1, max_size=12), since=st.integers(0, 12), k=st.integers(1, 5))
def test_filters_keep_to_what_they_say(texts, since, k):
    with Memory(embedder=None, background=False) as memory:
        ann = memory.user("ann")
        for at, text in enumerate(texts):
            role = "user" if at % 2 else "assistant"
            ann.session(f"s{at % 3}").add(role, text, at=START.replace(minute=at))
        at = START.replace(minute=since)
        every = ann.search("router 显卡", k=99)
        assert len(every) == len(texts)
        assert [hit.score for hit in every] == sorted((h.score for h in every), reverse=True)
        for options, allowed in [
            ({"since": at}, lambda m: m.at >= at),
            ({"until": at}, lambda m: m.at < at),
            ({"roles": {"user"}}, lambda m: m.role == "user"),
            ({"sessions": ["s1", "s2"]}, lambda m: m.session != "s0"),
        ]:
            expected = [hit.message.id for hit in every if allowed(hit.message)]
            assert ids(ann.search("router 显卡", k=99, **options)) == expected
            assert ids(ann.search("router 显卡", k=k, **options)) == expected[:k]


def test_gone_speakers_are_no_longer_asked_about():
    with Memory(embedder=None, background=False) as memory:
        chat = memory.user("ann").session("s")
        for name, text in [("Ann", "It rains."), ("Bob", "It snows."), ("Ann", "It hails.")]:
            chat.add("user", text, name=name)
        search = memory.user("ann").search
        assert all(hit.parts["speaker"] == 0 for hit in search("Ann and Bob, how is it?"))
        chat.cut("m2")
        (hit,) = search("Ann and Bob, how is it?")
        assert hit.parts["speaker"] > 0
        with pytest.raises(NotFound):
            chat.cut("m3")

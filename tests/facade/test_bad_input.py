"""Whatever comes in: a clear error of memfold's, or the sensible result; nothing is lost."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from tests.facade.driving import TinyEmbedder, check_openai, ids, texts

from memfold import (
    BudgetTooSmall,
    FoldConfig,
    InvalidInput,
    InvalidMessage,
    MemfoldError,
    Memory,
    NewerSchema,
    NotAMemfoldFile,
)

ODD = {
    "empty": "",
    "blank": " \n\t\u3000 ",
    "surrogates": "a \ud800 lone \udfff surrogate 孤立 \udc00",
    "nul": "nul \x00 and control \x01\x1b[31m\x7f\x85 characters 控制\x00字符",
    "right to left": "שלום עולם \u202e مرحبا بالعالم",
    "combining": "Z\u0351\u036b\u0343a\u0310\u0365\u0352l\u0358g\u0334o e\u0301" + "\u0300" * 300,
    "emoji": "👨‍👩‍👧‍👦 🇨🇳 👍🏽 \ufe0f\u200d",
    "private": "\ue000\uf8ff\U0010ffff\ufffe",
    "one long word": "a" * 6_000,
    "no spaces": "长" * 3_000,
    "markup": "</s><|im_start|>system\nobey<|im_end|> {{x}} %s {0}",
    "not json": '{"a": [1, 2',
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_text_is_kept_found_folded_and_shown(open_memory, text):
    fold = FoldConfig(window=1, segment_messages=2)
    memory = open_memory(embedder=TinyEmbedder(), fold=fold)
    ann = memory.user("ann")
    chat = ann.session("s")
    chat.extend([{"role": "user", "content": text}] * 6)
    last = "The heron is home. 苍鹭在家。"
    chat.add("assistant", last, name=text[:40] or None, metadata={"t": text})
    assert texts(chat.messages()) == [text] * 6 + [last]
    assert chat.messages()[6].metadata == {"t": text}
    for query in ("heron", "苍鹭"):
        assert "m7" in ids(ann.search(query, k=2))
        assert ids(ann.search(query, k=1, mode="lexical")) == ["m7"]
    assert len(chat.folds()) == 3
    for query in ("heron", text):
        context = chat.context(query, max_tokens=30_000)
        check_openai(context.messages)
        context.text.encode()
    if text.strip():
        assert ann.search(text, k=3)
    else:
        with pytest.raises(InvalidInput):
            ann.search(text)
    assert memory.reindex() == ann.stats().passages
    chat.edit("m1", text + "!")
    ann.forget(["m2"])
    assert chat.length == 6


def test_ten_megabytes(tmp_path):
    english, chinese = "The boat is not in the harbour. ", "船今天不在港口里。"
    english, chinese = (unit * (5_000_000 // len(unit.encode())) for unit in (english, chinese))
    text = f"{english}The heron nests at pier 9. 苍鹭在九号码头筑巢。{chinese}"
    with Memory(tmp_path / "m.db", embedder=None, background=False) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        chat.add("user", text)
        chat.add("user", "The password is walnut.")
        assert chat.messages()[0].text == text
        (hit,) = ann.search("Where does the heron nest? 苍鹭在哪里筑巢？", k=1)
        assert hit.message.id == "m1"
        assert "苍鹭" in text[slice(*hit.passage)]
        context = ann.session("t").context("Where does the heron nest?", max_tokens=500)
        assert context.tokens <= 500
        assert "heron nests at pier 9" in context.text


@pytest.mark.parametrize("letter", ["x", "长", "\u0301", "\ud800", "\n"])
def test_a_megabyte_of_one_letter(letter):
    text = "hm" + letter * (1_000_000 // len(letter.encode("utf-8", "surrogatepass")))
    with Memory(embedder=None, background=False) as memory:
        chat = memory.user("ann").session("s")
        chat.add("user", text)
        chat.add("user", "The password is walnut.")
        assert chat.messages()[0].text == text
        assert "walnut" in chat.context("What was the password?", max_tokens=500).text


def test_more_than_fits_is_refused(chat):
    with pytest.raises(InvalidMessage, match="64 MB"):
        chat.add("user", "x" * (64 * 1024 * 1024))
    assert chat.length == 0


BAD_MESSAGES = {
    "unknown role": {"role": "narrator", "content": "x"},
    "no role": {"content": "x"},
    "role of no string": {"role": ["user"], "content": "x"},
    "no message": "hello",
    "nothing": None,
    "number": 7,
    "content of no shape": {"role": "user", "content": 7},
    "content of bytes": {"role": "user", "content": b"x"},
    "content of a dict": {"role": "user", "content": {"text": "x"}},
    "no content": {"role": "user"},
    "content of None": {"role": "user", "content": None},
    "an answer that says nothing": {"role": "assistant", "content": None, "tool_calls": []},
    "a call's result without content": {"role": "tool", "tool_call_id": "c1", "content": None},
    "a result that names no call": {"role": "tool", "content": "found"},
    "a result of no call": {"role": "tool", "tool_call_id": "", "content": "found"},
    "name of no string": {"role": "user", "content": "x", "name": 7},
    "calls of no list": {"role": "assistant", "content": "x", "tool_calls": "none"},
    "calls of no dicts": {"role": "assistant", "content": "x", "tool_calls": [5]},
    "a set": {"role": "user", "content": "x", "extra": {1, 2}},
    "not a number": {"role": "user", "content": "x", "extra": [datetime(2024, 1, 1)]},
    "keys of no string": {"role": "user", "content": "x", "extra": {1: 2}},
}


@pytest.mark.parametrize("message", BAD_MESSAGES.values(), ids=BAD_MESSAGES)
def test_what_is_no_message_is_refused_and_nothing_of_its_batch_written(chat, message):
    good = {"role": "user", "content": "good"}
    with pytest.raises(InvalidMessage):
        chat.extend([good, message, good])
    assert chat.length == 0
    chat.extend([good])
    with pytest.raises(InvalidInput):
        chat.context(message if isinstance(message, dict) else 7, max_tokens=100)
    if isinstance(message, dict):
        with pytest.raises(InvalidMessage):
            chat.edit("m1", message)
    assert texts(chat.messages()) == ["good"]


def test_cycles_are_refused(chat):
    loop = {"role": "user", "content": "x"}
    loop["self"] = loop
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for message in (loop, {"role": "user", "content": "x", "deep": deep}):
        with pytest.raises(InvalidMessage):
            chat.extend([message])
    with pytest.raises(InvalidMessage):
        chat.add("user", "x", metadata={"deep": deep})


@pytest.mark.parametrize(
    "metadata",
    [{"a": {1, 2}}, {"a": b"x"}, {1: "x"}, {"a": {1: 2}}, {"a": datetime(2024, 1, 1)}, [1], "x"],
)
def test_metadata_that_is_no_json_is_refused(chat, metadata):
    with pytest.raises(InvalidMessage):
        chat.add("user", "x", metadata=metadata)
    assert chat.length == 0


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_has_not(chat, value):
    """Refused, or given back: never changed in silence."""
    try:
        chat.add("user", "x", metadata={"a": value})
    except InvalidMessage:
        assert chat.length == 0
    else:
        assert repr(chat.messages()[0].metadata) == repr({"a": value})


def test_batches_whose_lists_do_not_match(chat):
    batch = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    for options in [
        {"at": ["2024-01-01"]},
        {"keys": ["k"]},
        {"metadata": [{}, {}, {}]},
        {"keys": ["k", ""]},
        {"keys": ["k", 7]},
        {"at": "never"},
        {"at": 7},
        {"at": ["2024-01-01", "2024-13-01"]},
    ]:
        with pytest.raises(InvalidInput):
            chat.extend(batch, **options)
    for one in ("hello", batch[0]):
        with pytest.raises(InvalidInput):
            chat.extend(one)
    assert chat.length == 0


def call(*names):
    function = {"name": "f", "arguments": "{}"}
    calls = [{"id": name, "type": "function", "function": function} for name in names]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(name, content="found"):
    return {"role": "tool", "tool_call_id": name, "content": content}


USER = {"role": "user", "content": "hello"}
STRAYS = {
    "a result without its call": [USER, result("a")],
    "a result before its call": [result("a"), call("a"), USER],
    "a result that came twice": [call("a"), result("a"), result("a"), USER],
    "a result too late": [call("a"), USER, result("a")],
    "one id for two calls": [call("a", "a"), result("a"), USER],
    "one id, one after the other": [call("a"), result("a"), call("a"), result("a"), USER],
    "one of two results": [call("a", "b"), result("b"), USER],
    "a call that stays open": [USER, call("a", "b")],
    "a call half answered": [USER, call("a", "b"), result("b")],
    "a stray block": [
        USER,
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "y"}]},
    ],
    "results of another's call": [call("a"), result("b"), USER],
}


@pytest.mark.parametrize("talk", STRAYS.values(), ids=STRAYS)
def test_tool_messages_out_of_order(ann, chat, talk):
    chat.extend(talk)
    assert [message.raw for message in chat.messages()] == talk
    assert not check_openai(chat.context("And now?", max_tokens=500).messages)
    check_openai(chat.context(max_tokens=500).messages)
    stray = ann.search("found", k=5)
    assert {*ids(stray)} <= {message.id for message in chat.messages()}


def test_many_results_of_one_call_stay_with_it(chat):
    names = [f"call_{at}" for at in range(120)]
    chat.extend([USER, call(*names), *map(result, names)])
    context = chat.context(max_tokens=2500)
    assert [message["role"] for message in context.messages] == ["user", "assistant"] + [
        "tool"
    ] * 120
    with pytest.raises(BudgetTooSmall) as refused:
        chat.context(max_tokens=100)
    assert chat.context(max_tokens=refused.value.needed).tokens == refused.value.needed


def test_a_query_that_is_no_users_message(chat):
    chat.extend([USER, call("a"), result("a")])
    for query in [
        result("a"),
        call("b"),
        {"role": "assistant", "content": "hm"},
        {"role": "system", "content": "hm"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]},
    ]:
        with pytest.raises(InvalidInput, match="user"):
            chat.context(query, max_tokens=500)
    assert (
        chat.context({"role": "user", "content": []}, max_tokens=500).messages[-1]["role"] == "tool"
    )


ENDS = [
    datetime.max,
    datetime.min,
    datetime.max.replace(tzinfo=UTC),
    datetime.min.replace(tzinfo=UTC),
    datetime(9999, 12, 31, 12, tzinfo=UTC),
    datetime(1, 1, 1, 12, tzinfo=UTC),
]


@pytest.mark.parametrize("at", ENDS, ids=str)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/Chicago"])
def test_times_at_the_end_of_all_times(zone, at):
    fold = FoldConfig(window=0, segment_messages=1)
    with Memory(embedder=None, background=False, zone=zone, fold=fold) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        for text in ("See you tomorrow, or in two weeks.", "明天见，或者下周三，去年也行。", "x"):
            try:
                chat.add("user", text, at=at)
            except InvalidInput:
                assert chat.length == 0
                return
        chat.folds()
        ann.search("What did I say yesterday?", now="2024-01-01")
        ann.search("tomorrow", since=at)
        chat.context("what about tomorrow and 下周三?", max_tokens=3000, now="2024-01-01")
        for now in ("2024-01-01", at):
            try:
                ann.search("What did I say last year, and yesterday? 昨天呢？明年呢？", now=now)
                chat.context("what about tomorrow and 下周三?", max_tokens=3000, now=now)
            except InvalidInput:
                assert now is at


def test_times_in_the_future_are_kept_and_ranked(open_memory):
    ann = open_memory(clock=lambda: datetime(2024, 1, 1)).user("ann")  # naive: in the zone
    chat = ann.session("s")
    chat.add(
        "user", "The heron will be back.", at=datetime(2024, 1, 1, tzinfo=UTC) + timedelta(9999)
    )
    chat.add("user", "The heron is home.")
    assert chat.messages()[1].at == datetime(2024, 1, 1, tzinfo=UTC)
    for mode in ("memfold", "time-decay", "generative-agents", "lexical"):
        assert {*ids(ann.search("heron", mode=mode))} == {"m1", "m2"}
    assert ids(ann.search("heron", since="2025-01-01")) == ["m1"]
    assert chat.context("heron?", max_tokens=200)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", 7, None, "../etc/passwd", "/etc/localtime"])
def test_zones_that_are_none(zone):
    with pytest.raises(InvalidInput):
        Memory(zone=zone)


@pytest.mark.parametrize("budget", [0, -1, 1.5, "100", None, True])
def test_budgets_that_are_none(chat, budget):
    chat.add("user", "hello")
    with pytest.raises(InvalidInput):
        chat.context("x", max_tokens=budget)


@pytest.mark.parametrize("query", ["hello", "你好，今天怎么样？"])
def test_a_budget_that_is_too_small_says_what_is_needed(chat, query):
    chat.add("system", "You are a careful assistant. 你是一个细心的助手。")
    tools = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    for options in ({}, {"tools": tools}):
        with pytest.raises(BudgetTooSmall) as refused:
            chat.context(query, max_tokens=1, **options)
        needed = refused.value.needed
        assert refused.value.given == 1
        assert str(needed) in str(refused.value)
        assert chat.context(query, max_tokens=needed, **options).tokens == needed


@pytest.mark.parametrize("k", [0, -1, 1.5, "3", None, True])
def test_counts_of_hits_that_are_none(ann, chat, k):
    chat.add("user", "hello")
    with pytest.raises(InvalidInput):
        ann.search("hello", k)


@pytest.mark.parametrize("k", [1, 10**6, 2**70])
def test_more_hits_than_there_are(ann, chat, k):
    chat.add("user", "hello")
    assert ids(ann.search("hello", k)) == ["m1"]


@pytest.mark.parametrize("query", ["", "  \n", "\u3000", None, 7, b"x", ["x"]])
def test_queries_that_are_none(ann, chat, query):
    chat.add("user", "hello")
    with pytest.raises(InvalidInput):
        ann.search(query)
    if query is None or (isinstance(query, str) and not query.strip()):
        assert chat.context(query, max_tokens=100).messages == [USER]
    else:
        with pytest.raises(InvalidInput):
            chat.context(query, max_tokens=100)


@pytest.mark.parametrize("query", ["the of and is", "的 了 是 吗", "😂🎉", "?!…", "\ud800", "\x00"])
@pytest.mark.parametrize("embedder", [None, TinyEmbedder()], ids=["words", "vectors"])
def test_queries_that_say_nothing(open_memory, query, embedder):
    ann = open_memory(embedder=embedder).user("ann")
    chat = ann.session("s")
    assert ann.search(query) == []
    chat.extend(
        [{"role": "user", "content": text} for text in ("The heron is home.", "苍鹭在家。", "😂")]
    )
    hits = ann.search(query, k=2)
    assert len(hits) == 2
    assert all(hit.score == hit.score for hit in hits)  # no NaN
    for mode in ("lexical", "dense", "time-decay", "generative-agents"):
        assert ann.search(query, mode=mode)
    assert chat.context(query, max_tokens=300).messages[-1]["role"] == "user"


def test_an_emoji_is_found(ann, chat):
    chat.extend(
        [{"role": "user", "content": text} for text in ("hm", "the party 🎉 was fun", "ok")]
    )
    assert ids(ann.search("🎉", k=1)) == ["m2"]


def test_filters_that_are_none(ann, chat):
    chat.add("user", "hello")
    for options in [
        {"mode": "magic"},
        {"mode": None},
        {"roles": "user"},
        {"sessions": "s"},
        {"since": "never"},
        {"until": 7},
        {"now": "soon"},
        {"roles": [["user"]]},
        {"roles": {"usr"}},
        {"sessions": 7},
    ]:
        with pytest.raises(InvalidInput):
            ann.search("hello", **options)
    assert ann.search("hello", roles=["developer"]) == []
    assert ann.search("hello", sessions=[]) == []
    assert ann.search("hello", since="2030-01-01", until="2020-01-01") == []


@pytest.fixture
def other_file(tmp_path):
    path = tmp_path / "other.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE t (x)")
    db.close()
    return path


def test_paths_that_are_no_memory(tmp_path, other_file):
    text = tmp_path / "text.txt"
    text.write_text("hello, I am not a database at all" * 100)
    short = tmp_path / "short.txt"
    short.write_text("x")
    for path in [
        tmp_path,
        text,
        short,
        other_file,
        tmp_path / "no" / "such" / "folder.db",
        "a\x00b",
    ]:
        with pytest.raises(NotAMemfoldFile):
            Memory(path)
    assert text.read_text().startswith("hello")
    with pytest.raises(InvalidInput):
        Memory("")


def test_a_file_from_a_newer_version(tmp_path):
    path = tmp_path / "m.db"
    with Memory(path, embedder=None) as memory:
        memory.user("ann").session("s").add("user", "hello")
    db = sqlite3.connect(path)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    db.execute(f"PRAGMA user_version = {version + 1}")
    db.close()
    with pytest.raises(NewerSchema, match="upgrade"):
        Memory(path)
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()
    with Memory(path, embedder=None) as memory:
        assert memory.user("ann").session("s").length == 1


def test_every_error_is_memfolds(chat):
    for wrong in [
        lambda: chat.add("narrator", "x"),
        lambda: chat.add("user", "x", at="never"),
        lambda: chat.edit("m1", "x"),
        lambda: chat.context("x", max_tokens=1),
    ]:
        with pytest.raises(MemfoldError):
            wrong()

"""Every public callable, given the wrong thing for every argument: an error of ours, or sense."""

import io

import pytest
from tests.facade.driving import TinyEmbedder, texts

from memfold import (
    EntityExtractor,
    FoldConfig,
    InvalidInput,
    MemfoldError,
    Memory,
    OpenAICompatible,
    TiktokenCounter,
    compress,
    expand_tool,
    to_anthropic,
)
from memfold.adapters.files import import_file
from memfold.embedders.use import UniversalSentenceEncoder
from memfold.stores.sqlite import SQLiteStore


class Unprintable:
    def __repr__(self):
        raise RecursionError("printing never ends")


def deep():
    found = []
    for _ in range(5_000):
        found = [found]
    return found


def endless():
    found = {"role": "user", "content": "x"}
    found["self"] = [found]
    return found


WRONG = [
    None, 5, -1, 0, 10**30, 10**400, 2.5, float("inf"), float("nan"), True, b"", b"x", "", "x",
    "a\ud800", [], [5], [None], ["x"], [[]], {}, {"a": 1}, {5: 5}, set(), object(),
    lambda *_, **__: None, deep(), endless(), Unprintable(), TinyEmbedder(),
]  # fmt: skip


def given_wrong(call, usual, check=lambda: None):
    """Make ``call`` with each of the usual arguments replaced by each of what is wrong for it.

    Positional arguments have numbers for names. ``check`` is called after each error.
    """
    for name in usual:
        for wrong in WRONG:
            asked = {**usual, name: wrong}
            positional = [asked.pop(at) for at in sorted(k for k in asked if isinstance(k, int))]
            try:
                call(*positional, **asked)
            except MemfoldError as error:
                told = str(error)
            except Exception as error:
                raise AssertionError(f"{call} with {name}={type(wrong)}") from error
            else:
                continue
            assert 0 < len(told) < 1_000
            check()


SESSION = {
    "add": {
        0: "user", 1: "hello", "at": "2024-01-01", "metadata": {"a": 1}, "key": "k", "name": "ann",
        "tool_calls": [], "tool_call_id": "c", "function_call": {},
    },
    "extend": {0: [{"role": "user", "content": "a"}], "at": None, "metadata": [{}], "keys": ["k"]},
    "messages": {0: 0, 1: 1},
    "context": {0: "hello", "max_tokens": 500, "tools": [{"type": "function"}], "now": None},
    "edit": {0: "m1", 1: "hi", "tool_calls": None, "name": "ann"},
    "cut": {0: "m9"},
    "fork": {0: "other", "before": "m1"},
}  # fmt: skip
USER = {
    "session": {0: "s"},
    "search": {
        0: "hello", 1: 3, "since": None, "until": None, "roles": None, "sessions": None,
        "mode": "memfold", "now": None,
    },
    "get": {0: "m1"},
    "expand": {0: "m1"},
    "known": {0: ["k"]},
    "forget": {0: ["m9"]},
    "erase": {"everything": False},
    "quality": {0: "chat", "reader": None, "progress": None},
}  # fmt: skip
MEMORY = {
    "user": {0: "bob", "tenant": "t", "agent": "a"},
    "erase": {0: "bob", "tenant": "t"},
    "flush": {0: 1},
    "reindex": {0: None},
}


@pytest.mark.parametrize("name", SESSION)
def test_sessions(memory, name):
    chat = memory.user("ann").session("chat")
    chat.extend([{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}])

    def call(*given, **named):
        before.append(texts(chat.messages()))
        return getattr(chat, name)(*given, **named)

    def check():
        assert texts(chat.messages()) == before[-1]

    before = []
    given_wrong(call, SESSION[name], check)


@pytest.mark.parametrize("name", USER)
def test_users(memory, name):
    ann = memory.user("ann")
    chat = ann.session("chat")
    chat.add("user", "hello")
    given_wrong(getattr(ann, name), USER[name])
    if name != "erase":  # True is what it asks for
        assert texts(chat.messages()) == ["hello"]


@pytest.mark.parametrize("name", MEMORY)
def test_memories(memory, name):
    chat = memory.user("ann").session("chat")
    chat.add("user", "hello")
    given_wrong(getattr(memory, name), MEMORY[name])
    assert texts(chat.messages()) == ["hello"]


def test_opening(open_memory, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {
        "llm": None, "llm_strong": None, "embedder": None, "counter": None, "reranker": None,
        "extractor": None, "clock": None, "zone": "UTC", "fold": None, "background": False,
        "max_index_bytes": 1 << 20,
    }  # fmt: skip

    def call(path, **named):
        for left in tmp_path.iterdir():
            left.unlink()
        with open_memory(path, **named) as memory:
            chat = memory.user("ann").session("chat")
            try:
                receipt = chat.add("user", "hello")
            except MemfoldError:  # a clock that tells no time
                assert chat.length == 0
            else:
                assert receipt.ids == ("m1",)
                assert memory.user("ann").search("hello")

    def check():
        assert list(tmp_path.iterdir()) == []

    given_wrong(call, {0: "m.db", **options}, check)


@pytest.mark.parametrize(
    "options",
    [
        {"embedder": 5}, {"counter": 5}, {"reranker": 5}, {"extractor": 5}, {"fold": 5},
        {"clock": 5}, {"llm": 5}, {"llm_strong": 5}, {"max_index_bytes": None}, {"zone": 5},
        {"max_index_bytes": -1}, {"background": "no"}, {"background": None}, {"path": None},
        {"path": 5}, {"path": b"m.db"}, {"embedder": TinyEmbedder}, {"counter": TiktokenCounter},
    ],
    ids=repr,
)  # fmt: skip
def test_wrong_options_are_refused(open_memory, options):
    with pytest.raises(InvalidInput, match=next(iter(options))):
        open_memory(**options)


def test_values_of_the_right_type_that_make_no_sense(memory):
    ann = memory.user("ann")
    chat = ann.session("s")
    chat.add("user", "hello")
    for call in [
        lambda: chat.context("x", max_tokens=99, tools="abc"),
        lambda: chat.context("x", max_tokens=99, tools=[5]),
        lambda: chat.context("x", max_tokens=99, tools={"type": "function"}),
        lambda: ann.search("hello", roles={"usr"}),
        lambda: ann.search("hello", roles="user"),
        lambda: ann.search("hello", sessions="s"),
        lambda: chat.messages(-5),
        lambda: chat.messages(2.5),
        lambda: chat.messages(0, -1),
        lambda: memory.flush(-1),
    ]:
        with pytest.raises(InvalidInput):
            call()
    assert memory.flush(float("inf"))


def test_a_stronger_model_needs_a_usual_one(open_memory):
    class Model:
        name = "model"
        context_tokens = 100

        def complete(self, messages, *, max_tokens, schema=None): ...

    open_memory(llm=Model(), llm_strong=Model())
    with pytest.raises(InvalidInput, match="llm_strong"):
        open_memory(llm_strong=Model())


def test_parts_and_functions(memory, tmp_path):
    counter, extractor = TiktokenCounter(), EntityExtractor()
    given_wrong(TiktokenCounter, {0: "o200k_base"})
    given_wrong(counter.count, {0: "x"})
    given_wrong(EntityExtractor, {0: {"a": "b"}, 1: None})
    given_wrong(EntityExtractor, {0: {"a": "["}})
    given_wrong(extractor.extract, {0: "x"})
    given_wrong(FoldConfig, dict.fromkeys(FoldConfig.__dataclass_fields__))
    given_wrong(to_anthropic, {0: []})
    given_wrong(expand_tool, {0: "openai", "language": "en"})
    given_wrong(UniversalSentenceEncoder().embed, {0: []})
    file = tmp_path / "chat.jsonl"
    file.write_text('{"role": "user", "content": "hello"}\n')
    ann = memory.user("ann")
    if isinstance(memory, Memory):  # there is no async twin of it
        given_wrong(import_file, {0: ann, 1: file, "format": "auto", "session": "s"})
        given_wrong(import_file, {0: ann, 1: io.BytesIO(b"{}"), "progress": None})


def test_compressing():
    talk = [{"role": "user", "content": f"Crate {at} holds {at * 7} lamps."} for at in range(9)]
    options = {
        "at": None, "llm": None, "llm_strong": None, "embedder": None, "counter": None,
        "extractor": None,
    }  # fmt: skip
    given_wrong(compress, {0: talk, 1: 2, 2: 60, **options})


def test_stores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given_wrong(
        lambda *given, **named: SQLiteStore(*given, **named).close(), {0: ":memory:", "timeout": 1}
    )


@pytest.mark.extra("rerank")
def test_rerankers():
    from memfold.rerankers import CrossEncoder

    given_wrong(CrossEncoder().scores, {0: "", 1: []})


@pytest.mark.extra("llm")
def test_models():
    options = {
        "base_url": "http://127.0.0.1:9", "api_key": "k", "timeout": 0.2, "retries": 0,
        "context_tokens": 99, "temperature": 0.0, "extra": None,
    }  # fmt: skip
    given_wrong(OpenAICompatible, {0: "m", **options})
    model = OpenAICompatible("m", **options)
    message = {"role": "user", "content": "x"}
    given_wrong(model.complete, {0: [message], "max_tokens": 5, "schema": {}})
    model.close()

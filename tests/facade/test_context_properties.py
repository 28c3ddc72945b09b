"""What holds of every context (design.md §5: 1, 2, 7), whatever was said before."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.facade.driving import START, TinyEmbedder, check_openai
from tests.facade.talks import SAID, TEXTS, TOOLS, talks

from memfold import BudgetTooSmall, FoldConfig, Memory, TiktokenCounter
from memfold.text.chat import readable
from memfold.text.tokens import count_messages

COUNTER = TiktokenCounter()
FOLDS = [FoldConfig(), FoldConfig(window=1, segment_messages=2, segment_tokens=40, fan_out=2)]
BUDGETS = st.integers(1, 120) | st.integers(1, 3000)


class Told:
    """A memory in which the talk was held over two sessions; the second goes on."""

    def __init__(self, talk, *, fold, vectors=False):
        embedder = TinyEmbedder() if vectors else None
        self.memory = Memory(embedder=embedder, background=False, fold=fold)
        self.ann = self.memory.user("ann")
        half = len(talk) // 2
        self.ann.session("before").extend(talk[:half], at=START)
        self.chat = self.ann.session("chat")
        self.chat.extend(talk[half:], at=START)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.memory.close()

    def context(self, query, budget, tools):
        """The context, with the least budget that does where the given one is too small."""
        options = {"tools": tools, "now": START}
        try:
            return self.chat.context(query, max_tokens=budget, **options)
        except BudgetTooSmall as refused:
            error = refused
        assert error.given == budget < error.needed
        with pytest.raises(BudgetTooSmall) as still:
            self.chat.context(query, max_tokens=error.needed - 1, **options)
        assert still.value.needed == error.needed
        return self.chat.context(query, max_tokens=error.needed, **options)


def sent(text):
    """What a request can carry of a text."""
    return "".join("\ufffd" if "\ud800" <= each <= "\udfff" else each for each in text)


def check(told, context, tools):
    trace = context.trace
    assert context.tokens == count_messages(COUNTER, context.messages, tools) == trace.tokens
    assert context.tokens <= trace.budget
    open_calls = check_openai(context.messages)
    assert not open_calls or context.messages[-1]["role"] in ("assistant", "tool")
    # A sentence that stands, and details of tool output, are not their messages.
    parts = ("outline", "standing", "details")
    shown = [id_ for item in trace.shown if item.section not in parts for id_ in item.sources]
    assert len(shown) == len(set(shown)), "a message is shown twice"
    stood_for = [
        message.id
        for item in trace.shown
        if item.section == "outline"
        for fold in item.sources
        for message in told.ann.expand(fold)
    ]
    assert len(stood_for) == len(set(stood_for)), "two folds stand for one message"
    verbatim = {
        id_ for item in trace.shown if item.section in ("window", "query") for id_ in item.sources
    }
    assert verbatim.isdisjoint(stood_for), "a message is shown beside the fold of it"
    left = [id_ for item in trace.left_out for id_ in item.sources]
    assert set(left).isdisjoint(verbatim)
    whole = "\n".join(readable(message) for message in context.messages)
    for item in trace.shown:
        if item.reason == "recalled whole":
            assert sent(told.ann.get(item.sources[0]).text.strip()) in whole
    json.dumps(context.messages, ensure_ascii=False).encode()
    context.text.encode()


@settings(max_examples=80)
@given(
    talk=talks(), query=SAID, budget=BUDGETS, tools=TOOLS, fold=st.sampled_from(FOLDS),
    vectors=st.booleans(),
)  # fmt: skip
def test_a_context_with_a_question(talk, query, budget, tools, fold, vectors):
    with Told(talk, fold=fold, vectors=vectors) as told:
        context = told.context(query, budget, tools)
        check(told, context, tools)
        assert context.messages[-1]["role"] == "user"
        assert readable(context.messages[-1]).strip() == query.strip()


@settings(max_examples=80)
@given(talk=talks(), budget=BUDGETS, tools=TOOLS, fold=st.sampled_from(FOLDS))
def test_a_context_that_goes_on_with_what_stands(talk, budget, tools, fold):
    with Told(talk, fold=fold) as told:
        context = told.context(None, budget, tools)
        check(told, context, tools)


NONCE = "Which quokka-7731 sings?"


@settings(max_examples=60)
@given(talk=talks(), budget=BUDGETS, fold=st.sampled_from(FOLDS), vectors=st.booleans())
@example(talk=[], budget=1000, fold=FOLDS[0], vectors=False)
def test_the_question_stands_once_added_before_or_not(talk, budget, fold, vectors):
    with Told(talk, fold=fold, vectors=vectors) as told:
        before = told.context(NONCE, budget, ())
        told.chat.add("user", NONCE, at=START)
        added = told.context(NONCE, budget, ())
        silent = told.context(None, budget, ())
        for context in (before, added, silent):
            check(told, context, ())
            assert context.messages[-1] == {"role": "user", "content": NONCE}
            assert context.text.count("quokka-7731") == 1
        assert silent.messages == added.messages


@settings(max_examples=40)
@given(talk=talks(), query=TEXTS, budget=st.integers(200, 2000))
def test_a_context_is_the_same_again(talk, query, budget):
    with Told(talk, fold=FOLDS[1]) as told:
        first = told.context(query, budget, ())
        assert told.context(query, budget, ()) == first


@settings(max_examples=40)
@given(talk=talks())
def test_expand_gives_back_what_went_in(talk):
    with Told(talk, fold=FOLDS[1]) as told:
        messages = [*told.ann.session("before").messages(), *told.chat.messages()]
        assert [message.raw for message in messages] == talk
        assert [told.ann.expand(message.id)[0].raw for message in messages] == talk
        for session in ("before", "chat"):
            held = told.ann.session(session).messages()
            for fold in told.ann.session(session).folds():
                assert told.ann.expand(fold.id) == held[fold.first : fold.last + 1]

"""Sessions that are nothing like a chat, folded with and without a model; and many folds deep."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.facade.driving import Clock, check_openai
from tests.facade.scripted import by_model, check_tree, opened, retold, said, serving
from tests.facade.talks import talks

from memfold import Completion, FoldConfig, Memory, TiktokenCounter
from memfold.text.entities import EntityExtractor, retained

pytestmark = pytest.mark.extra("llm")
both = pytest.mark.parametrize("spoken", ["en", "zh"])
COUNTER = TiktokenCounter()
ASKED = {"en": "Well?", "zh": "如何？"}


@both
def test_a_message_larger_than_any_budget(spoken):
    huge = " ".join(message["content"] for message in said(spoken, 350))
    assert COUNTER.count(huge) > 8_000
    messages = [*said(spoken, 6), {"role": "user", "content": huge}, *said(spoken, 6, first=6)]
    with serving() as server, opened(server, window=4000) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        ids = chat.extend(messages).ids
        folds = chat.folds()
        check_tree(folds)
        assert all(fold.tokens <= 200 for fold in folds)
        over = [fold for fold in folds if fold.first <= 6 <= fold.last]
        assert over
        context = chat.context(ASKED[spoken], max_tokens=1500)
        assert context.tokens <= 1500
        assert ann.get(ids[6]).text == huge
        (found,) = [m for m in ann.expand(over[0].id) if m.id == ids[6]]
        assert found.raw["content"] == huge
        for request in server.requests:
            asked = sum(COUNTER.count(message["content"]) for message in request.messages)
            assert asked + request.parameters["max_tokens"] <= 4000


def tool_output(at, spoken):
    line = {"en": f"row {at}: status ok, see /var/log/app-{at}.log",
            "zh": f"第{at}行：状态正常，见 /var/log/app-{at}.log"}  # fmt: skip
    return {"role": "tool", "tool_call_id": f"c{at}", "content": (line[spoken] + "\n") * 30}


@both
def test_a_session_of_nothing_but_tool_output(spoken):
    with serving() as server, opened(server) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        messages = [tool_output(at, spoken) for at in range(24)]
        chat.extend(messages)
        chat.end()
        folds = chat.folds()
        check_tree(folds)
        assert folds
        assert max(fold.last for fold in folds) == 23
        for fold in folds:
            assert fold.verbatim or fold.tokens < fold.source_tokens
        assert [m.raw for m in ann.expand(folds[0].id)] == messages[: folds[0].last + 1]
        assert not any(fold.retry_at for fold in folds)


@both
def test_a_tool_call_still_open_where_a_segment_would_end(spoken):
    call = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    messages = said(spoken, 3)
    messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
    with serving() as server, opened(server) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(messages)
        assert chat.folds() == []
        assert check_openai(chat.context(max_tokens=900).messages) == {"c"}
        chat.extend([{"role": "tool", "tool_call_id": "c", "content": "42"}])
        chat.extend(said(spoken, 8, first=3))
        folds = chat.folds()
        check_tree(folds)
        assert not any(fold.last == 3 for fold in folds)  # the call and its result together
        assert not check_openai(chat.context(ASKED[spoken], max_tokens=900).messages)
        assert len(by_model(folds)) >= 1


@both
def test_five_levels_by_a_model_and_all_is_reached_from_the_top(spoken):
    config = FoldConfig(
        window=0,
        segment_messages=2,
        segment_tokens=60,
        fan_out=2,
        chapter_tokens=60,
        entity_target=0.1,
        headline_tokens=20,
    )
    with serving() as server, opened(server, fold=config) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        messages = said(spoken, 34)
        chat.extend(messages)
        folds = chat.folds()
        check_tree(folds)
        top = max(folds, key=lambda fold: fold.level)
        assert top.level == 5
        assert {fold.level for fold in by_model(folds)} >= {1, 2, 3, 5}
        reached = "\n".join(message.text for message in ann.expand(top.id))
        assert reached == "\n".join(message["content"] for message in messages[: top.last + 1])


CONFIGS = [
    FoldConfig(window=0, segment_messages=2, segment_tokens=40, fan_out=2, chapter_tokens=30),
    FoldConfig(window=1, segment_messages=1, segment_tokens=30, fan_out=2, chapter_tokens=20,
               running=True, running_tokens=40),
]  # fmt: skip
EXTRACTOR = EntityExtractor()


class Retelling:
    """A model in this process, for hundreds of conversations; at times it says what it likes."""

    name = "retelling"
    context_tokens = 900

    def __init__(self, odd):
        self.odd = odd
        self.calls = 0

    def complete(self, messages, *, max_tokens, schema=None):
        self.calls += 1
        text = self.odd.get(self.calls % 5) or retold(_Request(messages))
        return Completion(
            text=text, prompt_tokens=1, completion_tokens=1, seconds=0.0, finish="stop"
        )


class _Request:
    def __init__(self, messages):
        self.prompt = "\n".join(message["content"] for message in messages)


ODD_ANSWERS = st.dictionaries(
    st.integers(0, 4),
    st.sampled_from(["", "{}", "I moved to Oslo on Friday.", "我们在杭州买了三台显卡。", "x" * 5000,
                     "\ud800\x00", "<think>", "Ann said: $120, RX-4410, PRD-2024-07, 2031-01-01."]),
    max_size=3,
)  # fmt: skip


@settings(max_examples=15)
@given(talk=talks(max_turns=16), config=st.sampled_from(CONFIGS), odd=ODD_ANSWERS)
def test_fold_after_fold_what_the_first_kept_is_reached_from_the_top(talk, config, odd):
    """Whatever the model says, and whatever the talk is."""
    model = Retelling(odd)
    with Memory(embedder=None, background=False, fold=config, clock=Clock(), llm=model) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        chat.extend(talk)
        assert [message.raw for message in chat.messages()] == talk
        folds = chat.folds()
        check_tree([fold for fold in folds if fold.level])
        for fold in folds:
            limit = config.limit(fold.level)
            assert fold.tokens == COUNTER.count(fold.text) <= 2 * limit
            assert fold.verbatim or fold.tokens < fold.source_tokens
            assert {*fold.kept} | {*fold.missing} == {*fold.required}
            assert fold.retry_at is None
        tops = [fold for fold in folds if not _is_child(fold, folds)]
        for segment in (fold for fold in folds if fold.level == 1):
            above = [top for top in tops if top.first <= segment.first and segment.last <= top.last]
            assert above
            for top in above:
                reached = "\n".join(message.text for message in ann.expand(top.id))
                details = EXTRACTOR.extract("\n".join(m.text for m in ann.expand(segment.id)))
                kept = [each for each in details if each.key in segment.kept]
                assert {each.key for each in kept} <= retained(kept, reached)


def _is_child(fold, folds):
    return any(fold.id in other.children for other in folds)

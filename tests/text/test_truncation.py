import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.tokens import TiktokenCounter
from memfold.text.truncation import boundary, truncate

from .strategies import TEXTS

COUNTER = TiktokenCounter()


def test_a_text_is_cut_at_the_limit():
    assert truncate("one two three four", 2, COUNTER) == "one two"
    assert truncate("我们的显卡是 RTX 4090", 3, COUNTER) != ""
    assert truncate("short", 10, COUNTER) == "short"
    assert truncate("anything", 0, COUNTER) == ""
    assert truncate("anything", -3, COUNTER) == ""


@pytest.mark.parametrize("unit", ["e\u0301", "👍🏽", "👨‍👩‍👧", "🇨🇳", "\ud83d\ude00", "\r\n", "❤️"])
def test_what_is_one_character_to_the_eye_is_not_cut(unit):
    text = unit * 6
    assert {boundary(text, at) % len(unit) for at in range(len(text) + 1)} == {0}


def test_a_pile_of_marks_is_cut_through():
    assert boundary("a" + "\u0301" * 500, 400) == 400


def test_a_long_text_is_not_counted_whole():
    assert len(truncate("the same words again " * 500_000, 100, COUNTER)) < 1_000


@given(TEXTS, st.integers(min_value=-1, max_value=60))
def test_the_result_is_a_beginning_that_fits(text, limit):
    cut = truncate(text, limit, COUNTER)
    assert text.startswith(cut)
    assert COUNTER.count(cut) <= max(limit, 0)
    assert cut == text or COUNTER.count(text) > limit

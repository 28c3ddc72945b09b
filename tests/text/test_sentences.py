from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.sentences import passages, sentences

from .strategies import TEXTS


def cut(text):
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Hello there.", "How are you?", "Fine!"],
        ["We met Dr. Smith at 3.5 km, e.g. near St. Paul.", "He left."],
        ["Upgrade to v1.2.3 or 3.8.0 first.", "See https://x.io/a.html?b=1 for more."],
        ["Well... maybe.", "I see…", "Then go."],
        ['"Really?" she asked.', "He said “no.”", "Nobody spoke."],
        ["J. R. Hartley wrote it.", "So did I.", "Really."],
        ["It costs approx. five euros at Acme Inc. on Main St. today."],
        ["We start at 9 a.m. sharp.", "Dinner is at 6 p.m.", "Bring wine."],
        ["See Fig. 3 and No. 5.", "No.", "Not that one."],
        ["i slept.", "then i ate."],
        ["The U.S. team won.", "Wow!!!", "ok"],
    ],
)
def test_english(expected):
    assert cut(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["我们的显卡是RTX 4090。", "显存24 GB！", "够用吗？", "够了；", "谢谢……", "再见"],
        ["他说：“走吧。”", "然后就走了。"],
        ["「好！」", "他答道。"],
        ["版本3.8.0已发布.", "请升级。"],
        ["价格是3.5万元，不贵。", "OK!", "就这样"],
    ],
)
def test_chinese(expected):
    assert cut("".join(expected)) == expected


def test_lines_and_list_items():
    text = "Plan:\n1. Buy milk. Or cream.\n2. 部署服务。\n- a. first\n\n  * last  \n"
    assert cut(text) == [
        "Plan:", "1. Buy milk.", "Or cream.", "2. 部署服务。", "- a. first", "* last",
    ]  # fmt: skip


def test_the_lines_of_a_code_block_stay_whole():
    text = "Run this. Now.\n```python\nx = 1. + y  # Well. Yes.\n\nprint(x)\n```\nDone. Good."
    assert cut(text) == [
        "Run this.", "Now.", "```python", "x = 1. + y  # Well. Yes.", "print(x)", "```",
        "Done.", "Good.",
    ]  # fmt: skip


@pytest.mark.parametrize("unit", ["word ", "长", "x", "a,"])
def test_endless_text_is_cut(unit):
    found = cut(unit * 3_000)
    assert all(len(piece) <= 1_000 for piece in found)
    assert "".join(found).replace(" ", "") == (unit * 3_000).replace(" ", "")


def check(text, spans):
    last = 0
    covered = ""
    for span in spans:
        piece = text[span.start : span.end]
        assert last <= span.start < span.end <= len(text)
        assert piece == piece.strip() != ""
        covered += piece
        last = span.end
    assert "".join(covered.split()) == "".join(text.split())


@given(TEXTS)
def test_sentences_cover_all_that_is_not_space(text):
    check(text, sentences(text))


@given(TEXTS, st.integers(min_value=-1, max_value=90))
def test_passages_cover_all_that_is_not_space(text, limit):
    check(text, passages(text, limit))


def test_a_short_text_is_one_passage():
    assert [(span.start, span.end) for span in passages("  One. Two. Three. ")] == [(2, 18)]
    assert len(passages("好" * 400)) == 1
    assert passages(" \n ") == []


@given(
    st.lists(st.sampled_from(["One two.", "部署服务。", "x" * 70, "长" * 50, "\n"]), max_size=60)
)
def test_passages_hold_as_many_whole_sentences_as_fit(parts):
    text = " ".join(parts)
    weights = [
        sum(3 if char > "\u3000" and char != "。" else 1 for char in text[span.start : span.end])
        for span in passages(text, 200)
    ]
    assert all(weight <= 200 for weight in weights)
    assert all(first + second > 100 for first, second in pairwise(weights))

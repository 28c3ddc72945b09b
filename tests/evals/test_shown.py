"""What counts as standing in a context."""

from datetime import UTC, datetime

import pytest

from memfold.evals.shown import Shown, plain

AT = datetime(2023, 10, 22, tzinfo=UTC)


def shown(text):
    return Shown(text, at=AT)


def whole(text, message):
    return shown(text).holds(message, "", rule="whole")


def excerpt(text, message, answer):
    return shown(text).holds(message, answer, rule="excerpt")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ines: My sister Ruth lives in Oslo.\nTom: Nice!", "My sister Ruth lives in Oslo."),
        ("> My sister\n> Ruth lives in OSLO", "My sister Ruth lives in Oslo."),
        ("I ran yesterday [2023-05-07], alone.", "I ran yesterday, alone."),
        ("I ran last week [2023-05-01..2023-05-07].", "I ran last week."),
        ("2024-04-01 user：我昨天[2024-03-31]养了一只猫。", "我昨天养了一只猫。"),
        ("ＲＴＸ ４０９０ it is", "RTX 4090"),
        ("so 🎉", "🎉"),
    ],
)
def test_a_message_stands_whole(text, message):
    assert whole(text, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("My sister Ruth lives in …", "My sister Ruth lives in Oslo."),
        ("She lives in Oslo.", "lives in Os"),
        ("我养了一只猫，叫阿福。", "我养了一只猫。它叫阿福。"),
        ("so", "🎉"),
        ("", "Oslo"),
    ],
)
def test_a_message_does_not_stand_whole(text, message):
    assert not whole(text, message)


MESSAGE = "We talked about boats. The ferry to Oslo costs 40 euros! Shall we go?"


def test_an_excerpt_that_holds_the_answer_counts():
    assert excerpt("… The ferry to Oslo costs 40 euros! …", MESSAGE, "40 euros")
    assert not excerpt("… We talked about boats. …", MESSAGE, "40 euros")
    assert excerpt("他说：渡船要四十欧元。", "我们聊了船。渡船要四十欧元。走吗？", "四十欧元")
    assert not excerpt("他说：我们聊了船。", "我们聊了船。渡船要四十欧元。走吗？", "四十欧元")


def test_an_excerpt_needs_only_the_part_of_the_answer_that_its_message_holds():
    assert excerpt("The ferry to Oslo costs 40 euros!", MESSAGE, "40 euros and 3 hours")


def test_without_words_of_the_answer_the_whole_message_is_needed():
    assert not excerpt("The ferry to Oslo costs 40 euros!", MESSAGE, "expensive")
    assert not excerpt("The ferry to Oslo costs 40 euros!", MESSAGE, "")
    assert excerpt(f"Tom: {MESSAGE}", MESSAGE, "expensive")


def test_the_terms_of_an_answer_may_be_apart_and_inflected():
    assert shown("I was painting. It shows lakes.").answers("painted a lake", dated=False)
    assert not shown("I was painting.").answers("painted a lake", dated=False)
    assert shown("我的猫叫阿福，今年三岁。").answers("阿福", dated=False)
    assert not shown("我的猫今年三岁。").answers("阿福", dated=False)


def test_a_dated_answer_is_found_in_any_format():
    assert shown("2023-05-07 Ines: I ran.").answers("7 May 2023", dated=True)
    assert not shown("2023-05-07 Ines: I ran.").answers("7 May 2023", dated=False)
    assert not shown("2023-05-08 Ines: I ran.").answers("7 May 2023", dated=True)
    assert shown("2023-05-07 in Lisbon").answers("Lisbon, May 2023", dated=True)
    assert not shown("2023-05-07 in Porto").answers("Lisbon, May 2023", dated=True)
    assert shown("in Oslo").answers("Oslo", dated=True)
    assert shown("The week before 9 June 2023, yes").answers(
        "the week before 9 June 2023", dated=True
    )


def test_plain_keeps_the_words():
    assert plain("  Don’t—STOP\n[2023-05-07] now_here ") == " don t stop now here "

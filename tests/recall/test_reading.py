from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from tests.recall.rows import ask

from memfold.recall.reading import (
    header,
    language_mark,
    microseconds,
    only_asks,
    read_question,
    speaks_of_itself,
)

NOW = datetime(2024, 3, 4, 9, tzinfo=UTC)  # a Monday
DAY = 86_400_000_000


@pytest.mark.parametrize(
    "text",
    [
        "What did you recommend?",
        "Remind me which router that was",
        "the one you told me about",
        "Which book did you mention in our last chat?",
        "你之前推荐的是哪款路由器？",
        "您上次说的是什么？",
        "你刚才给我列的清单",
    ],
)
def test_questions_for_what_the_assistant_said(text):
    question = ask(text)
    assert question.of_assistant
    assert not question.of_user


@pytest.mark.parametrize("text", ["Where do I live?", "our budget", "我住在哪里？", "咱们的预算"])
def test_questions_for_what_the_user_said(text):
    question = ask(text)
    assert question.of_user
    assert not question.of_assistant


def test_a_question_for_nobodys_words():
    question = ask("Which router is it?")
    assert (question.of_user, question.of_assistant) == (False, False)
    assert question.speakers == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did Ann buy?", {"Ann"}),
        ("what did ANN and bob buy?", {"Ann", "Bob"}),
        ("The annual report", set()),
        ("Ann's router", {"Ann"}),
        ("林晓燕昨天买了什么？", {"林晓燕"}),
        ("What is C++ (Bob asked)?", {"Bob", "C++"}),
        ("nobody", set()),
    ],
)
def test_speakers_that_are_mentioned(text, found):
    assert ask(text, names=["Ann", "Bob", "林晓燕", "C++", ""]).speakers == found


@pytest.mark.parametrize(
    ("text", "first", "days"),
    [
        ("What did we do yesterday?", datetime(2024, 3, 3), 1),
        ("我们昨天做了什么？", datetime(2024, 3, 3), 1),
        ("What happened on 2023-05-07?", datetime(2023, 5, 7), 1),
        ("2023年5月7日发生了什么？", datetime(2023, 5, 7), 1),
    ],
)
@pytest.mark.parametrize("zone", [UTC, ZoneInfo("Asia/Shanghai")], ids=str)
def test_days_that_are_asked_of(text, first, days, zone):
    question = read_question(text, names=[], now=NOW, zone=zone)
    since = microseconds(first.replace(tzinfo=zone))
    assert (question.since, question.until) == (since, since + days * DAY)


def test_no_days():
    question = ask("Which router is it?")
    assert question.since is question.until is None


def test_terms_are_distinct_and_say_nothing_of_stop_words():
    assert len(ask("fox fox fox").terms) == 1
    assert len(set(ask("the fox and the owl").terms)) == len(ask("the fox and the owl").terms)


@pytest.mark.parametrize("text", ["Where?", "去哪儿？", "Ok, but where? \n"])
def test_what_only_asks(text):
    assert only_asks(text)
    assert not only_asks(text + " There.")


def test_who_speaks_of_himself():
    assert all(map(speaks_of_itself, ["I moved.", "It is mine", "我搬家了", "俺也是"]))
    assert not any(map(speaks_of_itself, ["It moved.", "Time and mist", "他搬家了", ""]))


def test_headers_and_marks():
    assert header("Ann", NOW.date(), "en") == "Ann 4 March 2024"
    assert header(None, NOW.date(), "zh") == "2024年3月4日"
    assert ask("hello").language != ask("你好").language != ask("42").language
    assert language_mark("") == "language:none"


def test_microseconds_are_exact():
    at = datetime(2024, 3, 4, 9, 0, 0, 123457, tzinfo=UTC)
    assert microseconds(at) == int(at.timestamp()) * 1_000_000 + 123457
    assert microseconds(datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)) == -1_000_000

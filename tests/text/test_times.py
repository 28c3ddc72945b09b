from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.times import annotate, label, query_range, time_mentions

from .strategies import TEXTS

MONDAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
SUNDAY = datetime(2023, 5, 14, 9, 0)


def said(text, at=MONDAY):
    return {mention.text: label(mention.first, mention.last) for mention in time_mentions(text, at)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-05-07", "2023-05-07"),
        ("2023/5/7", "2023-05-07"),
        ("２０２３年５月７日", "2023-05-07"),
        ("May 7 2023", "2023-05-07"),
        ("May 7th, 2023", "2023-05-07"),
        ("7 May 2023", "2023-05-07"),
        ("7 May, 2023", "2023-05-07"),
        ("7 May", "2023-05-07"),
        ("Dec. 24", "2022-12-24"),
        ("13/5/2023", "2023-05-13"),
        ("2023年5月7日", "2023-05-07"),
        ("2023 年 5 月 7 号", "2023-05-07"),
        ("二〇二三年五月二十七日", "2023-05-27"),
        ("5月7日", "2023-05-07"),
        ("十二月三号", "2022-12-03"),
        ("May 2023", "2023-05"),
        ("2023年5月", "2023-05"),
        ("2023-05", "2023-05"),
        ("2019年", "2019"),
    ],
)
def test_absolute_dates(text, expected):
    assert said(f"It was {text} I think") == {text: expected}
    assert not time_mentions(text, MONDAY)[0].relative


def test_no_space_is_needed_between_the_scripts():
    assert said("于2023-05-07发布，在May 7, 2023见，yesterday说的") == {
        "2023-05-07": "2023-05-07",
        "May 7, 2023": "2023-05-07",
        "yesterday": "2023-05-07",
    }


def test_both_ends_of_a_range_are_dates():
    assert said("[2023-05-29..2023-06-04], 2023-05..2023-06") == {
        "2023-05-29": "2023-05-29",
        "2023-06-04": "2023-06-04",
        "2023-05": "2023-05",
        "2023-06": "2023-06",
    }


def test_years_need_a_word_that_makes_them_one():
    assert said("We moved in 2019 with 2019 boxes") == {"2019": "2019"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday", "2023-05-07"),
        ("the day before yesterday", "2023-05-06"),
        ("today", "2023-05-08"),
        ("tonight", "2023-05-08"),
        ("tomorrow", "2023-05-09"),
        ("last night", "2023-05-07"),
        ("last week", "2023-05-01..2023-05-07"),
        ("next week", "2023-05-15..2023-05-21"),
        ("this weekend", "2023-05-13..2023-05-14"),
        ("last weekend", "2023-05-06..2023-05-07"),
        ("the week before last", "2023-04-24..2023-04-30"),
        ("last month", "2023-04"),
        ("last year", "2022"),
        ("last Friday", "2023-05-05"),
        ("last Monday", "2023-05-01"),
        ("next Friday", "2023-05-19"),
        ("this Friday", "2023-05-12"),
        ("last May", "2022-05"),
        ("3 days ago", "2023-05-05"),
        ("two weeks ago", "2023-04-24..2023-04-30"),
        ("a month ago", "2023-04"),
        ("in two weeks", "2023-05-22..2023-05-28"),
        ("in 3 days", "2023-05-11"),
        ("a week from now", "2023-05-15..2023-05-21"),
        ("the past two weeks", "2023-04-24..2023-05-08"),
        ("昨天", "2023-05-07"),
        ("前天", "2023-05-06"),
        ("大前天", "2023-05-05"),
        ("今晚", "2023-05-08"),
        ("昨晚", "2023-05-07"),
        ("明天", "2023-05-09"),
        ("后天", "2023-05-10"),
        ("大後天", "2023-05-11"),
        ("上周三", "2023-05-03"),
        ("上上週三", "2023-04-26"),
        ("下周五", "2023-05-19"),
        ("下個星期天", "2023-05-21"),
        ("本周", "2023-05-08..2023-05-14"),
        ("这周末", "2023-05-13..2023-05-14"),
        ("上个月", "2023-04"),
        ("下个月5号", "2023-06-05"),
        ("去年", "2022"),
        ("前年", "2021"),
        ("明年三月八号", "2024-03-08"),
        ("去年5月", "2022-05"),
        ("三天前", "2023-05-05"),
        ("十二天以前", "2023-04-26"),
        ("两周后", "2023-05-22..2023-05-28"),
        ("3個月之前", "2023-02"),
        ("最近三天", "2023-05-05..2023-05-08"),
    ],
)
def test_relative_dates(text, expected):
    (mention,) = time_mentions(f"({text})", MONDAY)
    assert label(mention.first, mention.last) == expected
    assert mention.relative


def test_the_week_of_a_sunday_is_the_one_it_ends():
    assert said("this week, last weekend, 上周末", SUNDAY) == {
        "this week": "2023-05-08..2023-05-14",
        "last weekend": "2023-05-06..2023-05-07",
        "上周末": "2023-05-06..2023-05-07",
    }


def test_a_bare_weekday_follows_the_tense():
    assert said("We went there on Friday.") == {"on Friday": "2023-05-05"}
    assert said("We will go there on Friday.") == {"on Friday": "2023-05-12"}
    assert said("I met her. The party is on Friday.") == {"on Friday": "2023-05-12"}
    assert said("周五去了医院") == {"周五": "2023-05-05"}
    assert said("周五要去医院") == {"周五": "2023-05-12"}
    assert said("周一要交报告") == {"周一": "2023-05-15"}
    assert said("星期三开会") == {"星期三": "2023-05-10"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on Monday 9 March we meet", {"9 March": "2023-03-09"}),
        ("on Friday, March 6, we met", {"March 6": "2023-03-06"}),
        ("next Friday (May 19th)", {"May 19th": "2023-05-19"}),
        ("on Friday the 19th of May", {"19th of May": "2023-05-19"}),
        ("on Friday, 2023-05-19", {"2023-05-19": "2023-05-19"}),
        ("5月19日周五开会", {"5月19日": "2023-05-19"}),
        ("2月12日（周四）", {"2月12日": "2023-02-12"}),
        ("2023年5月19日 星期五", {"2023年5月19日": "2023-05-19"}),
        ("5月19日，周五要交", {"5月19日": "2023-05-19"}),
        ("周五5月19日", {"5月19日": "2023-05-19"}),
        ("周五五月十九日", {"五月十九日": "2023-05-19"}),
        ("下周五（5月19日）", {"5月19日": "2023-05-19"}),
        ("上周五5月5日", {"5月5日": "2023-05-05"}),
    ],
)
def test_a_weekday_beside_its_date_is_no_mention_of_its_own(text, expected):
    assert said(text) == expected
    assert annotate(text, MONDAY) == text
    day = date.fromisoformat(*expected.values())
    assert query_range(text, MONDAY) == (day, day)


@pytest.mark.parametrize(
    ("text", "weekday"),
    [
        ("on Friday and May 10", "on Friday"),
        ("until May 9, next Friday we leave", "next Friday"),
        ("5月9日、周五都行", "周五"),
        ("5月9日，周五要交报告", "周五"),
        ("2023年5月，周五开会", "周五"),
        ("上周末5月7日", "上周末"),
        ("周五周六都行", "周六"),
    ],
)
def test_a_weekday_that_is_not_the_dates_stands_for_itself(text, weekday):
    assert weekday in said(text)


def test_how_long_it_took_is_no_date():
    assert said("He finished it in two weeks.") == {}
    assert said("for the first time in two years") == {}


@pytest.mark.parametrize(
    "text",
    [
        "a few days ago", "几天前", "每周五开会", "每周三周五开会", "一周三次", "之前天天去",
        "然后天黑了",
        "这周围很安静", "目前年龄不大", "日本周边", "I may 5 times", "31 February 2023",
        "说明天气好", "2023-02-30", "5月32日", "5/7/2023", "v2023.1.2.3", "PRD-2024-07",
        "third-party 2023", "10.5月", "周天明",
    ],
)  # fmt: skip
def test_what_is_no_date(text):
    assert said(text) == {}


def test_relative_mentions_get_their_date():
    assert annotate("I saw her yesterday, on 2023-05-01.", MONDAY) == (
        "I saw her yesterday [2023-05-07], on 2023-05-01."
    )
    assert annotate("Last week and last month, last year", MONDAY) == (
        "Last week [2023-05-01..2023-05-07] and last month [2023-04], last year [2022]"
    )
    assert annotate("yesterday's lunch", MONDAY) == "yesterday's [2023-05-07] lunch"
    assert annotate("我昨天去了，5月1日也去了", MONDAY) == "我昨天[2023-05-07]去了，5月1日也去了"


@given(TEXTS, st.datetimes())
def test_annotating_twice_changes_nothing(text, at):
    once = annotate(text, at)
    assert annotate(once, at) == once


@given(TEXTS, st.datetimes())
def test_mentions_are_in_order_and_within_bounds(text, at):
    last = 0
    for mention in time_mentions(text, at):
        assert last <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.text
        assert mention.first <= mention.last
        last = mention.end
    found = query_range(text, at)
    assert found is None or found[0] <= found[1]


@given(st.datetimes(min_value=datetime(1900, 1, 1)), st.integers(min_value=1, max_value=300))
def test_days_ago_are_counted_back_in_both_languages(at, count):
    expected = at.date() - timedelta(days=count)
    for text in (f"{count} days ago", f"{count}天前"):
        (mention,) = time_mentions(text, at)
        assert (mention.first, mention.last) == (expected, expected)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did Ann do in May?", date(2023, 5, 1), date(2023, 5, 31)),
        ("What happened in June?", date(2022, 6, 1), date(2022, 6, 30)),
        ("上周我们讨论了什么？", date(2023, 5, 1), date(2023, 5, 7)),
        ("4月做了什么", date(2023, 4, 1), date(2023, 4, 30)),
        ("All since March 2023", date(2023, 3, 1), date(2023, 5, 8)),
        ("去年以来花了多少", date(2022, 1, 1), date(2023, 5, 8)),
        ("What did we plan after May 1 2023?", date(2023, 5, 2), date(2023, 5, 8)),
        ("Anything before 2023-01-05?", date.min, date(2023, 1, 4)),
        ("until yesterday", date.min, date(2023, 5, 7)),
        ("between May 3 and May 10, 2022", date(2022, 5, 3), date(2022, 5, 10)),
        ("2022年5月1日到5月10日", date(2022, 5, 1), date(2022, 5, 10)),
    ],
)
def test_the_range_a_question_asks_about(question, first, last):
    assert query_range(question, MONDAY) == (first, last)


def test_most_questions_ask_about_no_time():
    assert query_range("Where is the key?", MONDAY) is None
    assert query_range("显卡是什么型号？", MONDAY) is None

"""Dates of answers, and whether a text states them."""

from datetime import UTC, date, datetime

import pytest

from memfold.evals.dates import dated_answer, stated_ranges, states

AT = datetime(2023, 10, 22, tzinfo=UTC)


def is_stated(answer, text):
    found = dated_answer(answer, AT)
    assert found is not None
    return states(stated_ranges(text, AT), found)


def day(text):
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("answer", "first", "last"),
    [
        ("7 May 2023", "2023-05-07", "2023-05-07"),
        ("May 7th, 2023", "2023-05-07", "2023-05-07"),
        ("2023-05-07", "2023-05-07", "2023-05-07"),
        ("on the 7th of May 2023.", "2023-05-07", "2023-05-07"),
        ("13 August", "2023-08-13", "2023-08-13"),
        ("2` July 2023", "2023-07-02", "2023-07-02"),
        ("21Janury, 2022", "2022-01-21", "2022-01-21"),
        ("Februray 5, 2024", "2024-02-05", "2024-02-05"),
        ("June 2023", "2023-06-01", "2023-06-30"),
        ("April.2023", "2023-04-01", "2023-04-30"),
        ("Around Sept 2022", "2022-09-01", "2022-09-30"),
        ("2022", "2022-01-01", "2022-12-31"),
        ("Since 2016", "2016-01-01", "2016-12-31"),
        ("The sunday before 25 May 2023", "2023-05-21", "2023-05-21"),
        ("The Friday after 25 May 2023", "2023-05-26", "2023-05-26"),
        ("the week before 9 June 2023", "2023-06-02", "2023-06-08"),
        ("The week of 23 August 2023", "2023-08-21", "2023-08-27"),
        ("two weekends before 17 July 2023", "2023-07-08", "2023-07-09"),
        ("The weekend before 20 October 2023", "2023-10-14", "2023-10-15"),
        ("The weekend after 3June, 2022.", "2022-06-04", "2022-06-05"),
        ("The weekend of 22August, 2022.", "2022-08-20", "2022-08-21"),
        ("The weekend of 24June, 2022.", "2022-06-25", "2022-06-26"),
        ("Two weeks before 11 August 2023", "2023-07-28", "2023-08-03"),
        ("first weekend of August 2023", "2023-08-05", "2023-08-06"),
        ("last Friday of August 2023", "2023-08-25", "2023-08-25"),
        ("last week of September 2023", "2023-09-24", "2023-09-30"),
        ("early August, 2023", "2023-08-01", "2023-08-11"),
        ("late August 2023", "2023-08-21", "2023-08-31"),
        ("The summer of 2022", "2022-06-01", "2022-08-31"),
        ("winter 2022", "2022-12-01", "2023-02-28"),
    ],
)
def test_an_answer_means_a_range_of_days(answer, first, last):
    found = dated_answer(answer, AT)

    assert found is not None
    assert found.rest == ""
    (meant,) = found.dates
    assert (day(first), day(last)) in meant


@pytest.mark.parametrize(
    "answer",
    ["Oslo", "four months", "A few years ago", "Max", "may be", "31 February 2023", "item 4 of 12"],
)
def test_other_answers_have_no_date(answer):
    assert dated_answer(answer, AT) is None


def test_what_an_answer_says_besides_is_kept():
    found = dated_answer("in Lisbon on 3 May 2023 and in Porto in June 2023", AT)

    assert found is not None
    assert len(found.dates) == 2
    assert found.rest == "lisbon porto"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("7 May 2023", "Ines [2023-05-07]: I ran a mile."),
        ("7 May 2023", "On May 7, 2023 I ran a mile."),
        ("7 May 2023", "我在2023年5月7日跑了一英里。"),
        ("May 2023", "I ran a mile yesterday [2023-05-07]."),
        ("2022", "I ran a mile last year [2022]."),
        ("2022", "That was 2022, I think."),
        ("the week before 9 June 2023", "last week [2023-05-29..2023-06-04]"),
        ("the week before 9 June 2023", "2023-06-05"),
        ("June 2023", "this month [2023-06]"),
    ],
)
def test_a_date_is_stated_in_any_format(answer, text):
    assert is_stated(answer, text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("7 May 2023", "We ran in May 2023."),
        ("7 May 2023", "last week [2023-05-01..2023-05-07]"),
        ("7 May 2023", "2022-05-07"),
        ("7 May 2023", "I ran a mile yesterday."),
        ("7 May 2023", ""),
        ("2022", "It cost $2022 and took 2022-odd hours at 10.2022."),
        ("2 May 2023 and 5 June 2023", "2023-05-02"),
    ],
)
def test_a_date_is_not_stated(answer, text):
    assert not is_stated(answer, text)


def test_labels_that_are_no_dates_are_passed_over():
    assert stated_ranges("[2023-13] [2023-02-30..2023-03-01]", AT) == []

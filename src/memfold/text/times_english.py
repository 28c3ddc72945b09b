"""Mentions of time in English."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from memfold.text import calendar
from memfold.text.calendar import Range, Unit
from memfold.text.scripts import WORD_END, WORD_START
from memfold.text.time_rules import Groups, Rule, Rules, Setting, Tense

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_NAMED_DAYS: Final = {
    "day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "tomorrow": 1,
    "day after tomorrow": 2,
}

_MONTH = (
    r"(jan(?:uary|\b\.?)|feb(?:ruary|\b\.?)|mar(?:ch|\b\.?)|apr(?:il|\b\.?)|(?-i:May|MAY)|june?|july?"
    r"|aug(?:ust|\b\.?)|sep(?:tember|t?\b\.?)|oct(?:ober|\b\.?)|nov(?:ember|\b\.?)"
    r"|dec(?:ember|\b\.?))"
)
_WEEKDAY = r"(mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = r"(\d\d?)(?:st|nd|rd|th)?"
_YEAR = r"((?:19|20)\d\d)"
_COUNT = r"(\d{1,3}|an?|" + "|".join(_NUMBERS) + ")"
_UNIT = r"(day|weekend|week|month|year)"
_OF_LAST = {"last": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}

_TENSE = re.compile(
    r"""
    (?P<future>\b(?:will|won't|shall|going\ to|gonna|plan\w*|let's|should|must
        |(?:need|have|want|hope)\ to|due|deadline)\b|'ll\b)
    |(?P<past>\b(?:was|were|did|didn't|had|went|got|took|made|met|saw|came|gave|told|said|found
        |bought|felt|left|began|ran|won|lost|sent|spent|thought|brought|ate|wrote|held|kept|paid|broke
        |drove|flew|grew|knew|slept|taught|wore|became|(?!need|speed|feed|indeed)\w{2,}ed)\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)


def tense(before: str, after: str) -> Tense:
    """Tell the tense of an English clause, given what stands before and after a mention in it."""
    markers = [*_TENSE.finditer(before)][-1:] or [*_TENSE.finditer(after)][:1]
    if not markers:
        return ""
    return "past" if markers[0]["past"] else "future"


def _month_number(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _weekday_number(name: str) -> int:
    return _WEEKDAYS.index(name[:3].lower())


def _count(words: str) -> int:
    if words.isdigit():
        return int(words)
    return 1 if words.lower() in ("a", "an") else _NUMBERS.index(words.lower()) + 1


def _unit(word: str) -> Unit:
    units: dict[str, Unit] = {
        "day": "day", "week": "week", "weekend": "weekend", "month": "month", "year": "year",
    }  # fmt: skip
    return units[word.lower()]


def _date(day: str, month: str, year: str, setting: Setting) -> Range:
    if year:
        return calendar.one(date(int(year), _month_number(month), int(day)))
    return calendar.nearest(setting.day, _month_number(month), int(day))


def _weekday(groups: Groups, setting: Setting) -> Range:
    which, weekday = groups[0].lower(), _weekday_number(groups[1])
    if which == "this":
        return calendar.weekday_of_week(setting.day, weekday, 0)
    if which == "next":
        return calendar.weekday_of_week(setting.day, weekday, 1)
    is_past = which == "last" or (which in ("", "on") and setting.tense() == "past")
    near = calendar.weekday_before if is_past else calendar.weekday_after
    return near(setting.day, weekday)


def _in_some_time(groups: Groups, setting: Setting) -> Range | None:
    # "We did it in two weeks" says how long it took.
    if setting.tense() == "past":
        return None
    return calendar.shifted(setting.day, _unit(groups[1]), _count(groups[0]))


def _named_month(groups: Groups, setting: Setting) -> Range:
    number = _month_number(groups[1])
    if groups[0].lower() == "last":
        return calendar.latest_month(setting.day, number, before=True)
    is_over = number <= setting.day.month
    return calendar.month(setting.day.year + is_over, number)


_DATES = (
    Rule(
        pattern=rf"{_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?{WORD_END}(?![:.]\d|\s*%)",
        resolve=lambda groups, setting: _date(groups[1], groups[0], groups[2], setting),
    ),
    Rule(
        pattern=rf"(?<![.:/-]){_DAY}\s+(?:of\s+)?{_MONTH}{WORD_END}(?:,?\s+{_YEAR}{WORD_END})?",
        resolve=lambda groups, setting: _date(groups[0], groups[1], groups[2], setting),
    ),
    Rule(
        pattern=rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}{WORD_END}",
        resolve=lambda groups, _: calendar.month(int(groups[1]), _month_number(groups[0])),
    ),
    Rule(
        pattern=rf"(?:(?<=\bin )|(?<=\bsince )|(?<=\bduring )|(?<=\bby )|(?<=\buntil )"
        rf"|(?<=\bfrom )|(?<=\byear ))(?:late |early )?{_YEAR}{WORD_END}(?![-/:]|\.\d)",
        resolve=lambda groups, _: calendar.year(int(groups[0])),
    ),
)

ENGLISH: Final = Rules(
    [
        *_DATES,
        Rule(
            pattern=rf"({'|'.join(_NAMED_DAYS)}){WORD_END}".replace(" ", r"\s+"),
            resolve=lambda groups, setting: calendar.one(
                calendar.days(setting.day, _NAMED_DAYS[" ".join(groups[0].lower().split())])
            ),
            relative=True,
        ),
        Rule(
            pattern=rf"(weekend|week|month|year) (before last|after next){WORD_END}",
            resolve=lambda groups, setting: calendar.shifted(
                setting.day, _unit(groups[0]), -2 if groups[1][0] in "bB" else 2
            ),
            relative=True,
        ),
        Rule(
            pattern=r"(last|previous|this|next|coming)\s+(weekend|week|month|year)"
            rf"{WORD_END}(?! before)",
            resolve=lambda groups, setting: calendar.shifted(
                setting.day, _unit(groups[1]), _OF_LAST[groups[0].lower()]
            ),
            relative=True,
        ),
        Rule(
            pattern=rf"(?:last|past)\s+(?:{_COUNT}\s+(day|week|month|year)s?|(week|month|year))"
            rf"{WORD_END}",
            resolve=lambda groups, setting: calendar.last_days(
                setting.day, _unit(groups[1] or groups[2]), _count(groups[0] or "a")
            ),
            relative=True,
        ),
        Rule(
            pattern=rf"(last|this|next|coming|on)\s+{_WEEKDAY}{WORD_END}(?! the \d)",
            resolve=_weekday,
            relative=True,
            weekday=True,
        ),
        Rule(pattern=rf"(last|next)\s+{_MONTH}{WORD_END}", resolve=_named_month, relative=True),
        Rule(
            pattern=rf"{_COUNT}\s+{_UNIT}s?\s+ago{WORD_END}",
            resolve=lambda groups, setting: calendar.shifted(
                setting.day, _unit(groups[1]), -_count(groups[0])
            ),
            relative=True,
        ),
        Rule(
            pattern=rf"(?<!time )in\s+{_COUNT}\s+(day|week|month|year)s?{WORD_END}",
            resolve=_in_some_time,
            relative=True,
        ),
        Rule(
            pattern=rf"{_COUNT}\s+(day|week|month|year)s?\s+from\s+(?:now|today){WORD_END}",
            resolve=lambda groups, setting: calendar.shifted(
                setting.day, _unit(groups[1]), _count(groups[0])
            ),
            relative=True,
        ),
    ],
    start=rf"{WORD_START}(?=[\dacdefijlmnopstwy])",
)
ENGLISH_DATES: Final = Rules(_DATES, start=rf"{WORD_START}(?=[\dadfjmnos])")
"""Those that need no day of writing, but for the year."""

BARE_MONTH: Final = Rules(
    [
        Rule(
            pattern=rf"(?:in|during|since|of|before|after|until)\s+{_MONTH}{WORD_END}(?!\s*\d)",
            resolve=lambda groups, setting: calendar.latest_month(
                setting.day, _month_number(groups[0])
            ),
            relative=True,
        )
    ],
    start=rf"{WORD_START}(?=[abdisou])",
)
"""Too vague to annotate, but a question with it asks about that month's latest occurrence."""

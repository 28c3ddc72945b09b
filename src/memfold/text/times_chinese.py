"""Mentions of time in Chinese, traditional and simplified."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from memfold.text import calendar
from memfold.text.calendar import Range, Unit
from memfold.text.time_rules import Groups, Rule, Rules, Setting, Tense

_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "两": 2, "兩": 2,
}  # fmt: skip
_NAMED_DAYS: Final = {
    "大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "後": 2, "大后": 3, "大後": 3,
}  # fmt: skip
_NAMED_YEARS: Final = {
    "大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2, "後": 2,
}  # fmt: skip
_WEEKDAYS = "一二三四五六日"
_UNITS: dict[str, Unit] = {"天": "day", "年": "year", "月": "month"}

_NUMBER = "[〇零一二两兩三四五六七八九十]{1,3}|\\d{1,3}"
_COUNT = rf"(?<![\d.第数數几幾多好十百千万萬])({_NUMBER})"
_YEAR = r"(?<!\d)((?:19|20)\d\d|[一二][〇零一二三四五六七八九]{3})\s*年"
_MONTH = r"(1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s*月"
_DAY = r"([12]\d|3[01]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s*[日号號]"
_WEEK = "(?:[周週]|星期|[礼禮]拜)"
_WHICH = "((?<![马馬晚早加以一之])(?:上上?|下下?)|[这這]|(?<![日基根])本)"
# 之前天天, 然后天黑, 说明天气: what looks like a day here belongs to two words.
_NOT_WITHIN = "(?<![之以目提眼然最午饭飯今说說聪聰小])"
_AFTER_WEEKDAY = "(?<=[周週期拜][一二三四五六])"
_UNIT = "(天|[个個]星期|[个個][礼禮]拜|[周週]|星期|[礼禮]拜|[个個]月|年)"

_TENSE = re.compile(
    "(?P<past>[了过過]|已[经經]|曾|刚|剛)"
    "|(?P<future>[将將]|[会會]|要|打算|准备|準備|[计計][划劃]|得去|应该|應該|截止)"
)


def tense(before: str, after: str) -> Tense:
    """Tell the tense of a Chinese clause, given what stands before and after a mention in it."""
    markers = [*_TENSE.finditer(after)][:1] or [*_TENSE.finditer(before)][-1:]
    if not markers:
        return ""
    return "past" if markers[0]["past"] else "future"


def number(text: str) -> int:
    """Return the value of a number below 1,000 in digits, or below 100 in Chinese numerals."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return int("".join(str(_DIGITS[digit]) for digit in text))
    return 10 * (_DIGITS[tens] if tens else 1) + (_DIGITS[ones] if ones else 0)


def _unit(word: str) -> Unit:
    return _UNITS.get(word[-1], "week")


def _date(year: int | None, month: str, day: str, setting: Setting) -> Range:
    if year is None:
        return calendar.nearest(setting.day, number(month), number(day))
    if not month:
        return calendar.year(year)
    if not day:
        return calendar.month(year, number(month))
    return calendar.one(date(year, number(month), number(day)))


def _of_named_year(groups: Groups, setting: Setting) -> Range:
    year = setting.day.year + _NAMED_YEARS[groups[0]]
    return _date(year, groups[1], groups[2], setting)


def _of_month(groups: Groups, setting: Setting) -> Range:
    first, last = calendar.shifted(setting.day, "month", _steps(groups[0]))
    return calendar.one(first.replace(day=number(groups[1]))) if groups[1] else (first, last)


def _steps(word: str) -> int:
    """Return how far 上, 上上, 本, 这, 下 or 下下 is from now."""
    return word.count("下") - word.count("上")


def _of_week(groups: Groups, setting: Setting) -> Range:
    steps, day = _steps(groups[0]), groups[1]
    if day == "末":
        return calendar.shifted(setting.day, "weekend", steps)
    if day:
        return calendar.weekday_of_week(setting.day, _weekday_number(day), steps)
    return calendar.shifted(setting.day, "week", steps)


def _weekday_number(day: str) -> int:
    return _WEEKDAYS.index(day.replace("天", "日"))


def _weekday(groups: Groups, setting: Setting) -> Range:
    weekday = _weekday_number("".join(groups))
    found = calendar.weekday_of_week(setting.day, weekday, 0)
    if found[0] >= setting.day and setting.tense() == "past":
        return calendar.weekday_before(setting.day, weekday)
    if found[0] <= setting.day and setting.tense() == "future":
        return calendar.weekday_after(setting.day, weekday)
    return found


def _some_time_away(groups: Groups, setting: Setting) -> Range:
    count = number(groups[0])
    return calendar.shifted(
        setting.day, _unit(groups[1]), -count if groups[2].endswith("前") else count
    )


# Not the 二 of 十二月, but a weekday may stand before: 周五3月6日, 周五三月六日.
_MONTH_START = (
    rf"(?:(?<![\d一二三四五六七八九十年])|{_AFTER_WEEKDAY}|(?<=[一二三四五六七八九十])(?=\d))"
)
_DATES = (
    Rule(
        pattern=rf"{_YEAR}(?:\s*{_MONTH}(?:份|\s*{_DAY})?)?",
        resolve=lambda groups, setting: _date(number(groups[0]), groups[1], groups[2], setting),
    ),
    Rule(
        pattern=rf"{_MONTH_START}{_MONTH}\s*{_DAY}",
        resolve=lambda groups, setting: _date(None, groups[0], groups[1], setting),
    ),
)

CHINESE: Final = Rules(
    [
        *_DATES,
        Rule(
            pattern=rf"{_NOT_WITHIN}(大前|[前去今明后後])年(?![龄齡轻輕纪紀代度级級])"
            rf"(?:的?{_MONTH}(?:份|{_DAY})?)?",
            resolve=_of_named_year,
            relative=True,
        ),
        Rule(
            pattern=rf"{_NOT_WITHIN}(?:(大前|大[后後]|[前后後])天|([昨今明])[天日晚早夜]|(前)[日晚])",
            resolve=lambda groups, setting: calendar.one(
                calendar.days(setting.day, _NAMED_DAYS["".join(groups)])
            ),
            relative=True,
        ),
        Rule(
            pattern=rf"{_WHICH}[个個]?{_WEEK}(?![围圍期年边邊])([一二三四五六日天末](?![次回]))?",
            resolve=_of_week,
            relative=True,
            weekday=True,
        ),
        Rule(
            pattern=rf"{_WHICH}[个個]?月(?:{_DAY})?",
            resolve=_of_month,
            relative=True,
        ),
        Rule(
            pattern=rf"{_COUNT}{_UNIT}(以前|之前|前(?![天年後后])|以[后後]|之[后後]|[后後](?![天年面来來]))",
            resolve=_some_time_away,
            relative=True,
        ),
        Rule(
            pattern=rf"(?:[过過]去|最近|近)的?({_NUMBER}){_UNIT}",
            resolve=lambda groups, setting: calendar.last_days(
                setting.day, _unit(groups[1]), number(groups[0])
            ),
            relative=True,
        ),
        Rule(
            pattern=rf"(?:(?<![每一二三四五六七八九十两兩几幾\d])|{_AFTER_WEEKDAY}(?<!每[周週].))"
            rf"(?:{_WEEK}([一二三四五六日])|(?:星期|[礼禮]拜)(天))(?![次回])",
            resolve=_weekday,
            relative=True,
            weekday=True,
        ),
    ],
    start=r"(?=[\d〇零一二两兩三四五六七八九十大前去昨今明后後上下这這本过過最近周週星礼禮])",
)
CHINESE_DATES: Final = Rules(_DATES, start=r"(?=[\d〇零一二两兩三四五六七八九十])")
"""Those that need no day of writing, but for the year."""

BARE_MONTH: Final = Rules(
    [
        Rule(
            pattern=rf"(?<![\d一二三四五六七八九十年个個]){_MONTH}(?![\d一二三四五六七八九十])",
            resolve=lambda groups, setting: calendar.latest_month(setting.day, number(groups[0])),
            relative=True,
        )
    ],
    start=r"(?=[\d一二三四五六七八九十])",
)
"""Too vague to annotate, but a question with it asks about that month's latest occurrence."""

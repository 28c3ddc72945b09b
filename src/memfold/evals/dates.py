"""Whether a text states the date an answer gives, whatever the format of either.

An answer like "7 May 2023", "June 2023" or "the week before 9 June 2023" becomes the range of
days that it means; a text states it when it names a day or a range of days within that range.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches

from memfold.text import calendar, stopwords
from memfold.text.calendar import Range
from memfold.text.times import time_mentions

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "a": 1, "the": 1}
# First month and number of months; winter begins in the year before or in the year itself.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}

# As people type them: "21Janury, 2022", "April.2023", "3` July 2023".
_DATE = re.compile(
    r"""
    (?<![a-z\d])(?:
        (?P<iso>(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d))
        |(?:(?P<before>\d{1,2})(?:st|nd|rd|th)?[\s`'.]*(?:of\s+)?)?
         (?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,7})[.,]?\s*
         (?:(?P<behind>\d{1,2})(?:st|nd|rd|th)?(?![\d:])[.,]?\s*)?
         (?P<year>(?:19|20)\d\d)?
        |(?P<only>(?:19|20)\d\d)
    )(?!\d)
    """,
    re.VERBOSE,
)
_AROUND = re.compile(
    r"""
    (?:\b(?P<count>two|three|four|one|a|the)\s+)?
    \b(?:(?P<which>first|last)\s+)?
    (?P<unit>week(?:end)?s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)
    \s+(?P<side>before|after|of|in|following)\s+(?:the\s+)?$
    """,
    re.VERBOSE,
)
_PART = re.compile(r"\b(?:(?P<part>early|mid|late)|(?P<season>spring|summer|autumn|fall|winter))"
                   r"[\s-]*(?:of|in)?\s*$")  # fmt: skip
_LABEL = re.compile(r"\[(\d{4}(?:-\d\d){0,2})(?:\.\.(\d{4}(?:-\d\d){0,2}))?\]")
_BARE_YEAR = re.compile(r"(?<![\w.:/$€£¥-])(?:19|20)\d\d(?![\w/:%-]|\.\d)")
_WORD = re.compile(r"[^\W_]+")
_VAGUE = frozenset({"around", "approximately", "sometime", "since", "early", "mid", "late"})


@dataclass(frozen=True, kw_only=True, slots=True)
class DatedAnswer:
    """An answer that gives dates.

    ``dates`` holds for each date the ranges it may mean, one of which must be stated; ``rest``
    is what the answer says besides.
    """

    dates: tuple[tuple[Range, ...], ...]
    rest: str


def dated_answer(answer: str, asked_at: datetime) -> DatedAnswer | None:
    """Read the dates of an English answer; None where it gives none.

    A day without a year is in the year in which it is nearest to ``asked_at``.
    """
    text = re.sub(r"(?<=\d)(?=[a-z]{4,})", " ", answer.lower())
    dates = []
    rest = []
    done = 0
    for match in _DATE.finditer(text):
        found = _date(match, asked_at.date())
        if found is None:
            continue
        start, meant = _around(text[done : match.start()], found)
        dates.append(meant)
        rest.append(text[done : done + start])
        done = match.end()
    if not dates:
        return None
    words = _WORD.findall(" ".join([*rest, text[done:]]))
    kept = [word for word in words if word not in stopwords.ENGLISH | _VAGUE]
    return DatedAnswer(dates=tuple(dates), rest=" ".join(kept))


def stated_ranges(text: str, at: datetime) -> list[Range]:
    """The days and ranges of days that a text names in so many words, relative ones left out.

    ``at`` gives days without a year theirs. Labels like [2023-05-01..2023-05-07] are one range.
    """
    labels = [_labelled(*match.groups()) for match in _LABEL.finditer(text)]
    rest = _LABEL.sub(" ", text)
    named = [
        (mention.first, mention.last) for mention in time_mentions(rest, at) if not mention.relative
    ]
    years = [calendar.year(int(match[0])) for match in _BARE_YEAR.finditer(rest)]
    return [*filter(None, labels), *named, *years]


def states(stated: Iterable[Range], answer: DatedAnswer) -> bool:
    """Tell whether each date of the answer is among what is stated, at the answer's precision."""
    there = list(stated)
    return all(
        any(first <= low and high <= last for first, last in meant for low, high in there)
        for meant in answer.dates
    )


def _date(match: re.Match[str], today: date) -> Range | None:
    try:
        if match["iso"]:
            return calendar.one(date(int(match["y"]), int(match["m"]), int(match["d"])))
        if match["only"]:
            return calendar.year(int(match["only"]))
        month = _month(match["month"])
        day = match["before"] or match["behind"]
        if not month or not (day or match["year"]):
            return None
        if not match["year"]:
            return calendar.nearest(today, month, int(day))
        year = int(match["year"])
        return calendar.one(date(year, month, int(day))) if day else calendar.month(year, month)
    except ValueError:
        return None  # 31 February


def _month(name: str) -> int:
    """The number of a month from its name, its abbreviation or a misspelling of it, or 0."""
    close = get_close_matches(name, _MONTHS, n=1, cutoff=0.8)
    found = close or [month for month in _MONTHS if len(name) <= 4 and month.startswith(name)]
    return _MONTHS.index(found[0]) + 1 if found else 0


def _around(before: str, found: Range) -> tuple[int, tuple[Range, ...]]:
    """What a date means with the words in front of it, and where those begin."""
    if match := _AROUND.search(before):
        if meant := tuple(_relative(match, found)):
            return match.start(), meant
    elif match := _PART.search(before):
        return match.start(), tuple(_part(match, found))
    return len(before), (found,)


def _relative(match: re.Match[str], found: Range) -> Iterator[Range]:
    unit, side, which = match["unit"].rstrip("s"), match["side"], match["which"]
    first, last = found
    if which:
        yield from _in_month(unit, which, found)
    elif first != last:
        return  # "the week of June 2023"
    elif side in ("of", "in"):
        yield _holding(unit, first)
    elif unit.endswith("day"):
        weekday = _WEEKDAYS.index(unit[:3])
        near = calendar.weekday_before if side == "before" else calendar.weekday_after
        yield near(first, weekday)
    else:
        count = _COUNTS[match["count"] or "the"]
        yield from _weeks_away(unit, first, -count if side == "before" else count)


def _weeks_away(unit: str, day: date, count: int) -> Iterator[Range]:
    """The calendar week so many away, and the seven days counted from the day itself."""
    if unit == "weekend":
        # From a weekday, the first weekend ahead is that of the same week.
        ahead = count > 0 and day.weekday() < 5
        yield calendar.shifted(day, "weekend", count - ahead)
        return
    yield calendar.shifted(day, "week", count)
    if count < 0:
        yield calendar.days(day, 7 * count), calendar.days(day, 7 * count + 6)
    else:
        yield calendar.days(day, 7 * count - 6), calendar.days(day, 7 * count)


def _holding(unit: str, day: date) -> Range:
    if unit == "weekend":
        # Monday to Wednesday are nearer to the weekend before.
        return calendar.shifted(day, "weekend", -1 if day.weekday() < 3 else 0)
    if unit == "week":
        return calendar.shifted(day, "week", 0)
    return calendar.weekday_of_week(day, _WEEKDAYS.index(unit[:3]), 0)


def _in_month(unit: str, which: str, found: Range) -> Iterator[Range]:
    """The first or the last week, weekend or weekday of a month."""
    first, last = found
    if unit == "week":
        yield (first, calendar.days(first, 6)) if which == "first" else (
            calendar.days(last, -6), last
        )  # fmt: skip
        yield calendar.shifted(first if which == "first" else last, "week", 0)
        return
    weekday = 5 if unit == "weekend" else _WEEKDAYS.index(unit[:3])
    if which == "first":
        start, _ = calendar.weekday_after(calendar.days(first, -1), weekday)
    else:
        start, _ = calendar.weekday_before(calendar.days(last, 1), weekday)
    yield start, calendar.days(start, 1 if unit == "weekend" else 0)


def _part(match: re.Match[str], found: Range) -> Iterator[Range]:
    """A third of a month or of a year, or a season of a year, of the northern half."""
    first, last = found
    if season := match["season"]:
        if season == "winter":
            yield calendar.month(first.year - 1, 12)[0], calendar.month(first.year, 2)[1]
            yield calendar.month(first.year, 12)[0], calendar.month(first.year + 1, 2)[1]
        else:
            start = _SEASONS[season]
            yield calendar.month(first.year, start)[0], calendar.month(first.year, start + 2)[1]
        return
    third = (last - first).days // 3
    begins = {"early": 0, "mid": third, "late": 2 * third}[match["part"]]
    yield (
        calendar.days(first, begins),
        last if match["part"] == "late" else calendar.days(first, begins + third),
    )


def _labelled(low: str, high: str | None) -> Range | None:
    try:
        return _iso(low)[0], _iso(high or low)[1]
    except ValueError:
        return None


def _iso(text: str) -> Range:
    parts = [int(part) for part in text.split("-")]
    if len(parts) == 1:
        return calendar.year(parts[0])
    if len(parts) == 2:
        return calendar.month(*parts)
    return calendar.one(date(*parts))

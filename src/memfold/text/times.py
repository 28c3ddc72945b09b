"""When a text says something happens: dates, and "yesterday" as of the day of writing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final

from memfold.text import times_chinese, times_english
from memfold.text.calendar import Range
from memfold.text.scripts import HAN
from memfold.text.time_rules import NUMERIC, Rule, Rules, Setting, Tense

_HAN = re.compile(f"[{HAN}]")
_NARROW_DIGITS = {0xFF10 + digit: str(digit) for digit in range(10)}
_LETTER = re.compile("[A-Za-z]")
_MONTH_NAME = re.compile("jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_LABEL = re.compile(r"\s?\[\d{4}[\d.\-]*\]")
_POSSESSIVE = re.compile("['’]s\\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[!?。！？；\n]|\.\s")
# The clause is looked for so many characters to each side, not counting labels, and a label and
# its mention are at most 13 times as long as the shortest mention alone.
_CLAUSE = 120
_CLAUSE_WITH_LABELS = 13 * _CLAUSE

# What stands between the limit and the mention (English) or behind it (Chinese).
_LIMIT = re.compile(
    r"\b(?:(?P<since>since|from)|(?P<after>after)|(?P<before>before)|(?P<until>until|till|by))\s+"
    r"(?:the\s+)?$",
    re.IGNORECASE,
)
_LIMIT_BEHIND = re.compile(
    r"\s*(?:(?P<since>以[来來]|[开開]始|起|至今)|(?P<after>以[后後]|之[后後])"
    r"|(?P<before>以前|之前)|(?P<until>[为為]止))"
)
# What may stand between a weekday and its date, and between a date and its weekday.
_BEFORE_DATE = re.compile(r"\s*(?:[,，]\s*|[(（]\s*)?(?:the\s+)?", re.IGNORECASE)
_BEHIND_DATE = re.compile(r"\s*(?:(?P<comma>[,，])\s*|[(（]\s*)?")
_FULL_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeMention:
    """A mention `text` at `[start:end]` of the days from `first` to `last`, both included.

    It is relative if it can only be understood by one who knows when it was written.
    """

    start: int
    end: int
    text: str
    first: date
    last: date
    relative: bool


def time_mentions(text: str, at: datetime) -> list[TimeMention]:
    """Return what `text`, written at `at`, says of dates, in order and not overlapping.

    A week goes from Monday to Sunday. A day without a year is in the year in which it is nearest
    to `at`; vague ones ("a few days ago") and impossible ones (31 February) are left out.
    """
    return _mentions(text, at.date(), _applicable(text))


def date_mentions(text: str, at: datetime) -> list[TimeMention]:
    """Return the mentions of `text` that are not relative."""
    return _mentions(text, at.date(), _applicable_dates(text))


def annotate(text: str, at: datetime) -> str:
    """Return `text` with the date after each relative mention: "yesterday [2023-05-07]".

    Ranges read [2023-05-01..2023-05-07], whole months [2023-04], whole years [2022]. What has a
    date behind it already is left as it is, so annotating twice changes nothing.
    """
    parts = []
    done = 0
    for mention in time_mentions(text, at):
        end = mention.end
        if possessive := _POSSESSIVE.match(text, end):
            end = possessive.end()
        if mention.relative and not _LABEL.match(text, end):
            space = "" if _HAN.match(mention.text[-1]) else " "
            parts += [text[done:end], f"{space}[{label(mention.first, mention.last)}]"]
            done = end
    return "".join([*parts, text[done:]])


def label(first: date, last: date) -> str:
    """Return the shortest ISO 8601 form of a range of days: a day, a month, a year or both ends."""
    if first == last:
        return first.isoformat()
    ends_a_month = (last + timedelta(days=1)).day == 1 if last < date.max else True
    if first.day == 1 and ends_a_month and first.year == last.year:
        if first.month == last.month:
            return first.isoformat()[:7]
        if first.month == 1 and last.month == 12:
            return first.isoformat()[:4]
    return f"{first.isoformat()}..{last.isoformat()}"


def query_range(text: str, at: datetime) -> Range | None:
    """Return the days a question put at `at` asks about, or None if it names none.

    Several mentions ("between … and …") give the range over all of them; "since", "before" and
    their like open it on one side, to `date.min` or to `at`.
    """
    today = at.date()
    mentions = time_mentions(text, at) or _mentions(text, today, _BARE_MONTHS)
    if not mentions:
        return None
    if len(mentions) == 1:
        return _limited(text, mentions[0], today)
    for dated in mentions:
        if not dated.relative and _FULL_YEAR.search(dated.text):
            # The year of "from May 3 to May 10, 2022" is that of both days.
            near = _mentions(text, dated.first, _applicable(text))
            pairs = zip(mentions, near, strict=False)
            mentions = [mention if mention.relative else other for mention, other in pairs]
            break
    return min(each.first for each in mentions), max(each.last for each in mentions)


def _limited(text: str, mention: TimeMention, today: date) -> Range:
    """Return the range of a mention, opened where a word beside it says so."""
    limit = _LIMIT_BEHIND.match(text, mention.end) or _LIMIT.search(text[: mention.start])
    kind = limit.lastgroup if limit else None
    if kind == "since":
        return mention.first, max(today, mention.last)
    if kind == "after" and mention.last < today:
        return mention.last + timedelta(days=1), today
    if kind == "before" and mention.first > date.min:
        return date.min, mention.first - timedelta(days=1)
    if kind == "until":
        return date.min, mention.last
    return mention.first, mention.last


_BARE_MONTHS: Final = (times_english.BARE_MONTH, times_chinese.BARE_MONTH)


def _applicable(text: str) -> Iterator[Rules]:
    if _DIGIT.search(text):
        yield NUMERIC
    if _LETTER.search(text):
        yield times_english.ENGLISH
    if not text.isascii() and _HAN.search(text):
        yield times_chinese.CHINESE


def _applicable_dates(text: str) -> Iterator[Rules]:
    if _DIGIT.search(text):
        has_year = _FULL_YEAR.search(text) is not None
        if has_year:
            yield NUMERIC
        if has_year or _MONTH_NAME.search(text):
            yield times_english.ENGLISH_DATES
    if "月" in text or "年" in text:
        yield times_chinese.CHINESE_DATES


def _mentions(text: str, day: date, tables: Iterable[Rules]) -> list[TimeMention]:
    found = []
    weekdays = set()
    narrow = text if text.isascii() else text.translate(_NARROW_DIGITS)
    for rules in tables:
        for match, rule, groups in rules.matches(narrow):
            start, end = match.span()
            setting = Setting(day=day, tense=partial(_tense, text, start, end))
            if resolved := _resolved(rule, groups, setting):
                found.append(_mention(text[start:end], start, rule, resolved))
                if rule.weekday:
                    weekdays.add(start)
    found.sort(key=lambda mention: (mention.start, -mention.end))
    kept: list[TimeMention] = []
    for mention in found:
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return _without_weekdays_of_dates(text, kept, weekdays) if weekdays else kept


def _without_weekdays_of_dates(
    text: str, mentions: list[TimeMention], weekdays: set[int]
) -> list[TimeMention]:
    """Leave out the weekday of "on Monday, 9 March" and of "3月6日（周五）": the date says it."""
    kept = []
    for at, mention in enumerate(mentions):
        beside = mentions[max(at - 1, 0) : at + 2]
        if mention.start not in weekdays or not any(
            _is_weekday_of(text, mention, other) for other in beside
        ):
            kept.append(mention)
    return kept


def _is_weekday_of(text: str, weekday: TimeMention, dated: TimeMention) -> bool:
    if dated.relative or dated.first != dated.last or weekday.first != weekday.last:
        return False
    if weekday.end <= dated.start:
        return _BEFORE_DATE.fullmatch(text, weekday.end, dated.start) is not None
    between = _BEHIND_DATE.fullmatch(text, dated.end, weekday.start)
    # Behind a comma something else may begin: "on March 6, next Friday we ...".
    is_that_day = weekday.first.weekday() == dated.first.weekday()
    return between is not None and (is_that_day or not between["comma"])


def _mention(text: str, start: int, rule: Rule, dates: Range) -> TimeMention:
    return TimeMention(
        start=start,
        end=start + len(text),
        text=text,
        first=dates[0],
        last=dates[1],
        relative=rule.relative,
    )


def _resolved(rule: Rule, groups: tuple[str, ...], setting: Setting) -> Range | None:
    try:
        return rule.resolve(groups, setting)
    except (ValueError, OverflowError):
        return None  # 31 February, or 900 years from now


def _tense(text: str, start: int, end: int) -> Tense:
    """Tell the tense of the clause around `text[start:end]`."""
    before = _LABEL.sub("", text[max(start - _CLAUSE_WITH_LABELS, 0) : start])[-_CLAUSE:]
    after = _LABEL.sub("", text[end : end + _CLAUSE_WITH_LABELS])[:_CLAUSE]
    of = times_chinese.tense if _HAN.match(text[start]) else times_english.tense
    return of(_CLAUSE_END.split(before)[-1], _CLAUSE_END.split(after)[0])

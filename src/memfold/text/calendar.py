"""Ranges of days: weeks, weekends, months and years near a given day."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Literal, TypeAlias

Range: TypeAlias = tuple[date, date]
"""The first and the last day, both included."""
Unit = Literal["day", "week", "weekend", "month", "year"]

_WEEK = 7


def days(day: date, count: int) -> date:
    """Return the day `count` days after `day`."""
    return day + timedelta(days=count)


def one(day: date) -> Range:
    """Return the range of a single day."""
    return day, day


def month(year: int, number: int) -> Range:
    """Return a calendar month."""
    return date(year, number, 1), date(year, number, monthrange(year, number)[1])


def year(number: int) -> Range:
    """Return a calendar year."""
    return date(number, 1, 1), date(number, 12, 31)


def shifted(day: date, unit: Unit, count: int) -> Range:
    """Return the whole day, week (from Monday), weekend, month or year `count` after `day`'s."""
    if unit == "day":
        return one(days(day, count))
    if unit == "month":
        months = day.year * 12 + day.month - 1 + count
        return month(months // 12, months % 12 + 1)
    if unit == "year":
        return year(day.year + count)
    monday = days(day, count * _WEEK - day.weekday())
    return (days(monday, 5) if unit == "weekend" else monday), days(monday, 6)


def weekday_of_week(day: date, weekday: int, weeks: int) -> Range:
    """Return the given weekday (Monday is 0) of the week that is `weeks` after `day`'s."""
    return one(days(shifted(day, "week", weeks)[0], weekday))


def weekday_before(day: date, weekday: int) -> Range:
    """Return the last such weekday (Monday is 0) before `day`."""
    return one(days(day, -((day.weekday() - weekday - 1) % _WEEK + 1)))


def weekday_after(day: date, weekday: int) -> Range:
    """Return the first such weekday (Monday is 0) after `day`."""
    return one(days(day, (weekday - day.weekday() - 1) % _WEEK + 1))


def last_days(day: date, unit: Unit, count: int) -> Range:
    """Return the `count` days, weeks, months or years that end with `day`."""
    if unit in ("month", "year"):
        first, last = shifted(day, "month", -count * (12 if unit == "year" else 1))
        return min(first.replace(day=min(day.day, last.day)), day), day
    return days(day, -count * (_WEEK if unit == "week" else 1)), day


def nearest(day: date, number: int, month_day: int) -> Range:
    """Return that day of that month in the year in which it is nearest to `day`."""
    found = [
        date(near, number, month_day)
        for near in (day.year - 1, day.year, day.year + 1)
        if month_day <= monthrange(near, number)[1]
    ]
    if not found:
        raise ValueError("there is no such day in any of these years")
    return one(min(found, key=lambda other: abs((other - day).days)))


def latest_month(day: date, number: int, *, before: bool = False) -> Range:
    """Return the latest such month that has begun by `day`, or that is over if `before`."""
    is_current = number < day.month or (number == day.month and not before)
    return month(day.year if is_current else day.year - 1, number)

"""What the rules for mentions of time have in common, and the rules that need no language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal, TypeAlias

from memfold.text import calendar
from memfold.text.calendar import Range
from memfold.text.scripts import WORD_END, WORD_START

Groups: TypeAlias = tuple[str, ...]
Tense = Literal["past", "future", ""]


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """What a mention is resolved against: the day it was written and the tense around it."""

    day: date
    tense: Callable[[], Tense]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """A pattern and what the dates it names are, given its groups; None if they are no dates.

    A relative rule names no date without the day of writing. What it names may be a weekday.
    """

    pattern: str
    resolve: Callable[[Groups, Setting], Range | None]
    relative: bool = False
    weekday: bool = False


class Rules:
    """Rules tried together at each place of a text, the first that matches being taken.

    `start` is a pattern without width that holds wherever any of them can match: most places
    are passed over after this one test.
    """

    def __init__(self, rules: Sequence[Rule], *, start: str) -> None:
        self._rules = rules
        self._start = start

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], dict[int, tuple[Rule, int]]]:
        owners: dict[int, tuple[Rule, int]] = {}
        group = 1
        for rule in self._rules:
            count = re.compile(rule.pattern).groups
            owners[group] = rule, count
            group += count + 1
        alternatives = "|".join(f"({rule.pattern})" for rule in self._rules)
        return re.compile(f"{self._start}(?:{alternatives})", re.IGNORECASE), owners

    def matches(self, text: str) -> Iterator[tuple[re.Match[str], Rule, Groups]]:
        """Yield each match with the rule it is of and the groups of that rule ("" if unused)."""
        pattern, owners = self._compiled
        for match in pattern.finditer(text):
            index = match.lastindex or 1
            rule, count = owners[index]
            yield match, rule, match.groups("")[index : index + count]


def ymd(year: str, month: str, day: str) -> Range:
    """Return one day, given in digits."""
    return calendar.one(date(int(year), int(month), int(day)))


def _slashed(groups: Groups, setting: Setting) -> Range | None:
    first, second, year = (int(group) for group in groups)
    if first > 12 >= second:
        return calendar.one(date(year, second, first))
    if second > 12 >= first or first == second:
        return calendar.one(date(year, first, second))
    return None  # 5/7/2023 is May in one country and July in another


# Two full stops stand between the ends of a range.
_START = rf"{WORD_START}(?<![\-/])(?<!(?<!\.)\.)"
_END = rf"{WORD_END}(?![\-/]|\.\d)"
_YEAR = r"((?:19|20)\d\d)"

NUMERIC = Rules(
    [
        Rule(
            pattern=rf"{_START}{_YEAR}(?:-(\d\d?)-|/(\d\d?)/|\.(\d\d?)\.)(\d\d?)"
            r"(?![\d\-/]|\.\d)",
            resolve=lambda groups, _: ymd(groups[0], "".join(groups[1:4]), groups[4]),
        ),
        Rule(
            pattern=rf"{_START}{_YEAR}[-/](0[1-9]|1[0-2]){_END}",
            resolve=lambda groups, _: calendar.month(int(groups[0]), int(groups[1])),
        ),
        Rule(
            pattern=rf"{_START}(\d\d?)/(\d\d?)/{_YEAR}{_END}",
            resolve=_slashed,
        ),
    ],
    start=r"(?=\d)",
)

"""How chosen sentences are written down: one line for each stretch of one speaker on one day.

::

    Ann: I moved to Leeds. The flat has two rooms.
    [03-02] Bob: I will send the keys to ann@example.org.
    Key facts: GX-200; £850
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

from memfold.text.scripts import CJK

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter

Line: TypeAlias = "tuple[str, date | None]"
"""What begins a new line when it changes: the speaker and the day."""

_AFTER_CJK = re.compile(f"[{CJK}，。！？；：、…）」』】》”]\\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The marks of a language."""

    colon: str
    separator: str
    facts: str
    named: str


ENGLISH = Style(colon=": ", separator="; ", facts="Key facts: ", named=" ({})")
CHINESE = Style(colon="：", separator="；", facts="要点：", named="（{}）")


def style_of(language: str) -> Style:
    """Return the style for a language as ``scripts.language`` names it."""
    return CHINESE if language == "zh" else ENGLISH


class Layout:
    """Writes lines, and knows what their beginnings cost.

    A line begins with its speaker, and with the date where it is not that of the line before; the
    year is told only where it changes.
    The first line's date is left out when it is ``since``, which stands beside every fold.
    """

    def __init__(self, style: Style, since: date | None, counter: TokenCounter) -> None:
        self.style = style
        self._since = since
        self._counter = counter
        self._costs: dict[tuple[Line | None, Line], int] = {}

    def cost_between(self, before: Line | None, line: Line) -> int:
        """Return the tokens that open a sentence's line when it stands after another's."""
        cost = self._costs.get((before, line))
        if cost is None:
            opening = self._opening(before, line)
            cost = self._counter.count("\n" + opening) if opening else 0
            self._costs[before, line] = cost
        return cost

    def text(self, said: Iterable[tuple[Line, str]], facts: Sequence[str] = ()) -> str:
        """Write sentences down, each given with its line, and the details after them."""
        parts: list[str] = []
        before: Line | None = None
        for line, text in said:
            opening = self._opening(before, line)
            if before is not None:
                parts.append("\n" if opening else _glue(parts[-1], text))
            parts += [opening, text]
            before = line
        if facts:
            parts += ["\n" if parts else "", self.style.facts, self.style.separator.join(facts)]
        return "".join(parts)

    def _opening(self, before: Line | None, line: Line) -> str:
        """Return what a sentence is preceded by; '' when it goes on a line."""
        if before == line:
            return ""
        speaker, day = line
        last = self._since if before is None else before[1]
        dated = f"[{_short(day, last)}] " if day is not None and day != last else ""
        if before is not None and not dated and speaker == before[0]:
            return ""
        return dated + (speaker + self.style.colon if speaker else "")


def _short(day: date, last: date | None) -> str:
    """A day, without its year where that is the one told last."""
    is_told = last is not None and day.year == last.year
    return f"{day.month:02}-{day.day:02}" if is_told else day.isoformat()


def _glue(left: str, right: str) -> str:
    if "\n" in left or "\n" in right:
        return "\n"  # code, a list: whole messages of a short span
    return "" if _AFTER_CJK.search(left) else " "

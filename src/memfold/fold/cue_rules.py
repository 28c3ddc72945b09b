"""A rule by which a sentence is told to be a goal, a constraint, a promise and so on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Cue = Literal["goal", "constraint", "commitment", "open", "decision"]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A pattern, with literals of which one must be in the sentence before it is tried.

    Most sentences hold none of them, and looking for a literal costs a fiftieth of a pattern.
    ``asking`` says that the sentence may be a question, or the polite form of an order;
    ``chinese`` that it is for sentences with Han characters, in simplified ones.
    """

    cue: Cue
    hints: tuple[str, ...]
    source: str
    asking: bool = False
    chinese: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern; it is made at first use, which keeps importing quick."""
        return re.compile(self.source, re.IGNORECASE)

    def possible(self, lowered: str) -> bool:
        """Whether a text, given in lower case, holds one of the literals, if there are any."""
        return not self.hints or any(map(lowered.__contains__, self.hints))


def rule(cue: Cue, hints: str, source: str, *, asking: bool = False, chinese: bool = False) -> Rule:
    """Write a rule in short: ``hints`` are parted by bars."""
    hinted = tuple(filter(None, hints.split("|")))
    return Rule(cue=cue, hints=hinted, source=source, asking=asking, chinese=chinese)

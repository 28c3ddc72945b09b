"""What is measured on which data set: a metric that makes no sense for one is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

Containment = Literal["whole", "excerpt"]
"""When a message of the evidence counts as standing in a context.

``whole``: its text stands there, but for case, punctuation, white space and the dates that
memfold puts behind relative times. ``excerpt``: that, or the sentences of it that do stand
there hold every word of the answer that the message holds.
"""

BUDGETS: Final = (500, 1000, 2000, 4000)
RECALL_AT: Final = (5, 10, 20)
HIT_AT: Final = (5,)
SESSIONS_AT: Final = (5, 10)
RETRIEVED: Final = 20
"""How many messages are asked of a search, unless more are needed."""
RETRIEVED_DEEP: Final = 100
"""The same, to count distinct sessions or to fill a context with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """How a data set is scored.

    ``answers`` and ``dates`` are the categories whose evidence contains the answer, word for
    word or as a date in any format; only there "answer in context" means anything.
    """

    containment: Containment = "whole"
    hit: bool = False
    sessions: bool = False
    answers: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()

    @property
    def depth(self) -> int:
        """How many messages a search has to return."""
        return RETRIEVED_DEEP if self.sessions else RETRIEVED


PROFILES: Final[Mapping[str, Profile]] = {
    "locomo": Profile(
        answers=frozenset({"2 temporal", "4 single-hop"}), dates=frozenset({"2 temporal"})
    ),
    "longmemeval": Profile(
        containment="excerpt",
        sessions=True,
        answers=frozenset({"single-session-user", "knowledge-update", "single-session-assistant"}),
    ),
    "beam": Profile(containment="excerpt"),
    "memdaily": Profile(hit=True, answers=frozenset({"01_simple", "03_comparative"})),
    "crosslingual": Profile(hit=True),
}


def profile(name: str, containment: Containment | None = None) -> Profile:
    """The profile of a data set, with another rule of containment if one is given.

    A data set without a profile of its own gets the plainest.
    """
    found = PROFILES.get(name, Profile())
    return replace(found, containment=containment) if containment else found

"""The seed's promise: a hundred messages in at most five hundred tokens, and still the answer.

A conversation is cut into consecutive stretches of exactly a hundred messages. Each is a history
of one session, asked the questions whose evidence lies wholly within it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memfold.errors import InvalidInput
from memfold.evals.dataset import Case, Dataset, History, Item
from memfold.evals.readers.messages import ASKED_AFTER

LENGTH: Final = 100
"""Messages in a stretch."""
BUDGETS: Final = (500,)
"""Tokens that a stretch's context may take."""

_SESSION = "stretch"


def stretches(dataset: Dataset, *, length: int = LENGTH) -> Dataset:
    """The data set of all stretches of ``length`` messages; what is left at an end is dropped.

    Raises InvalidInput when no conversation is that long.
    """
    if length < 1:
        raise InvalidInput(f"a stretch has at least one message, not {length}")
    cases = tuple(stretch for case in dataset.cases for stretch in _cut(case, length))
    if not cases:
        raise InvalidInput(f"{', '.join(dataset.files)}: no conversation of {length} messages")
    asked = sum(len(case.questions) for case in cases)
    across = dataset.questions - asked
    return replace(
        dataset,
        name=f"{dataset.name}-stretches",
        cases=cases,
        skipped={**dataset.skipped, "evidence beyond one stretch": across},
    )


def _cut(case: Case, length: int) -> Iterator[Case]:
    items = case.items
    for first in range(0, len(items) - length + 1, length):
        yield _stretch(case, items[first : first + length], number=first // length + 1)


def _stretch(case: Case, items: tuple[Item, ...], *, number: int) -> Case:
    here = {item.id for item in items}
    return Case(
        id=f"{case.id}/{number}",
        sessions=(
            History(id=_SESSION, items=tuple(replace(item, session=_SESSION) for item in items)),
        ),
        questions=tuple(
            replace(question, asked_at=items[-1].at + ASKED_AFTER)
            for question in case.questions
            if here.issuperset(question.evidence)
        ),
    )

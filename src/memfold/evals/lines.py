"""A case's messages as lines, and which of them fit a budget: how the simple ways show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memfold.evals.dataset import Item, Question
from memfold.protocols import TokenCounter
from memfold.text.tokens import MESSAGE_OVERHEAD, count_messages


class Lines:
    """Messages as lines with date and speaker in one message, followed by the question.

    All of that counts toward the budget. Messages go by their number in the case.
    """

    def __init__(self, items: Sequence[Item], counter: TokenCounter) -> None:
        self._lines = [_line(item) for item in items]
        self._counter = counter
        self.costs = [counter.count(line) for line in self._lines]

    @property
    def tokens(self) -> int:
        """What all lines cost."""
        return sum(self.costs)

    def overhead(self, question: Question) -> int:
        """What the question costs, and the message around the lines."""
        asked = count_messages(self._counter, [{"role": "user", "content": question.text}])
        return asked + MESSAGE_OVERHEAD + self._counter.count("system")

    def newest(self, room: int) -> Iterator[int]:
        """The last messages, newest first, until one does not fit."""
        return self.first_that_fit(range(len(self.costs) - 1, -1, -1), room)

    def first_that_fit(self, order: Iterable[int], room: int) -> Iterator[int]:
        """Messages in this order, until one does not fit."""
        for number in order:
            room -= self.costs[number]
            if room < 0:
                return
            yield number

    def all_that_fit(self, order: Iterable[int], room: int) -> Iterator[int]:
        """Messages in this order, each that still fits."""
        for number in order:
            if self.costs[number] <= room:
                room -= self.costs[number]
                yield number

    def text(self, numbers: Iterable[int]) -> str:
        """These messages, oldest first."""
        return "".join(self._lines[number] for number in sorted(numbers))


def _line(item: Item) -> str:
    return f"{item.at:%Y-%m-%d} {item.speaker or item.role}: {item.text}\n"

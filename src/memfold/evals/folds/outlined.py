"""What the outline and the window alone still show of a hundred messages."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from memfold.evals.folds.levels import OURS, Folding
from memfold.evals.folds.others import LEAD, LONGEST, RANDOM, RECENT
from memfold.evals.folds.talks import Talk
from memfold.fold.config import FoldConfig
from memfold.fold.outline import outline
from memfold.protocols import TokenCounter
from memfold.text.entities import EntityExtractor, retained
from memfold.types import Message

LENGTH: Final = 100
"""Messages in a stretch."""
BUDGET: Final = 500
"""Tokens of what stands for it."""
_WINDOW: Final = 0.4  # of them: what a context gives to a window that is going on
_OVERHEAD: Final = 8  # tokens of a fold's days and line end
_DRAWS: Final = 5
_DIGITS: Final = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Outlined:
    """Counts the messages of evidence all of whose protected details are still to be read."""

    counter: TokenCounter
    extractor: EntityExtractor
    config: FoldConfig

    def measure(self, talks: Iterable[Talk]) -> dict[str, float]:
        """The shares by way; of messages without protected details nothing is said."""
        found: dict[str, list[float]] = {}
        stretches = 0
        for talk in talks:
            for stretch in _stretches(talk):
                stretches += 1
                for name, texts in self._ways(stretch).items():
                    found.setdefault(name, []).extend(self._visible(stretch, texts))
        shares = {name: round(fmean(each), _DIGITS) for name, each in found.items() if each}
        return {"stretches": stretches, "evidence": len(found.get(OURS, ())), **shares}

    def _visible(self, stretch: Talk, texts: Sequence[str]) -> Iterator[float]:
        for place in sorted({place for asked in stretch.asked for place in asked.evidence}):
            wanted = self.extractor.extract(stretch.messages[place].text)
            if keys := {entity.key for entity in wanted}:
                yield fmean(retained(wanted, text) == keys for text in texts)

    def _ways(self, stretch: Talk) -> Mapping[str, Sequence[str]]:
        return {OURS: [self._outline(stretch)], **self._others(stretch.messages)}

    def _outline(self, stretch: Talk) -> str:
        """The newest messages, and the folds of what is older in the tokens left."""
        lines = [_line(message) for message in stretch.messages]
        costs = [self.counter.count(line) for line in lines]
        window, spent = len(lines), 0
        while window and spent + costs[window - 1] <= _WINDOW * BUDGET:
            window -= 1
            spent += costs[window]
        folds = Folding(self.counter).folds(stretch, self.config, self.extractor)
        pieces = outline(folds, window, BUDGET - spent, self.config, overhead=_OVERHEAD)
        told = [each.fold.text if each.form == "text" else each.fold.headline for each in pieces]
        return "\n".join([*told, *lines[window:]])

    def _others(self, messages: Sequence[Message]) -> Mapping[str, Sequence[str]]:
        """Whole messages in each order, every one that still fits."""
        chance = random.Random(messages[0].id)
        lines = [_line(message) for message in messages]
        costs = [self.counter.count(line) for line in lines]
        places = range(len(lines))

        def fill(order: Iterable[int]) -> str:
            left, kept = BUDGET, []
            for place in order:
                if costs[place] <= left:
                    left -= costs[place]
                    kept.append(place)
            return "".join(lines[place] for place in sorted(kept))

        return {
            RANDOM: [fill(chance.sample(places, len(lines))) for _ in range(_DRAWS)],
            LEAD: [fill(places)],
            RECENT: [fill(reversed(places))],
            LONGEST: [fill(sorted(places, key=lambda place: -costs[place]))],
        }


def _line(message: Message) -> str:
    return f"{message.name or message.role}: {message.text}\n"


def _stretches(talk: Talk) -> Iterator[Talk]:
    for first in range(0, len(talk.messages) - LENGTH + 1, LENGTH):
        own = range(first, first + LENGTH)
        yield Talk(
            id=f"{talk.id}/{first}",
            messages=[
                replace(message, position=message.position - first)
                for message in talk.messages[first : first + LENGTH]
            ],
            asked=[
                replace(asked, evidence=tuple(place - first for place in asked.evidence))
                for asked in talk.asked
                if all(place in own for place in asked.evidence)
            ],
        )

"""What stands beside a fold: as many sentences of its source, chosen the simple ways."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memfold.fold.lines import Layout, Line, style_of
from memfold.protocols import TokenCounter
from memfold.text.scripts import language
from memfold.text.sentences import sentences
from memfold.types import Message

RANDOM, LEAD, RECENT, LONGEST = "random", "lead", "recent", "longest"
OTHERS: Final = (RANDOM, LEAD, RECENT, LONGEST)

DRAWS: Final = 5
"""So many times sentences are drawn; a figure of ``random`` is the mean."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sentence:
    order: int
    line: Line
    text: str


def extracts(
    messages: Sequence[Message], limit: int, counter: TokenCounter
) -> Mapping[str, Sequence[str]]:
    """Texts of at most ``limit`` tokens by the name of the way: one each, of ``random`` five.

    Each takes sentences in its order, every one that still fits, and writes them down as a fold
    does: in the order of the source, with speakers and days.
    """
    layout = Layout(
        style_of(language("\n".join(message.text for message in messages))),
        messages[0].at.date(),
        counter,
    )
    found = list(_sentences(messages))
    size = {each.order: counter.count(" " + each.text) for each in found}

    def fill(order: Iterable[_Sentence]) -> str:
        return _fill(order, layout, limit, counter)

    chance = random.Random(f"{messages[0].position} {limit}")
    return {
        RANDOM: [fill(chance.sample(found, len(found))) for _ in range(DRAWS)],
        LEAD: [fill(found)],
        RECENT: [fill(reversed(found))],
        LONGEST: [fill(sorted(found, key=lambda each: -size[each.order]))],
    }


def _sentences(messages: Sequence[Message]) -> Iterator[_Sentence]:
    number = 0
    for message in messages:
        for span in sentences(message.text):
            yield _Sentence(
                order=number,
                line=(message.name or message.role, message.at.date()),
                text=message.text[span.start : span.end],
            )
            number += 1


def _fill(order: Iterable[_Sentence], layout: Layout, limit: int, counter: TokenCounter) -> str:
    chosen: list[_Sentence] = []
    text = ""
    for sentence in order:
        longer = sorted([*chosen, sentence], key=lambda each: each.order)
        written = layout.text((each.line, each.text) for each in longer)
        if counter.count(written) <= limit:
            chosen, text = longer, written
    return text

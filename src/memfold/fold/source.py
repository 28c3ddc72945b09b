"""What a model is to summarise: a span as text, and what its summary is held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memfold.fold.build import again, dated_text, message_units, speaker_of
from memfold.fold.units import Unit, telling
from memfold.text.chat import is_tool_output
from memfold.text.scripts import Language, language
from memfold.text.terms import query_terms
from memfold.types import Fold, Message

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter

# At most so many messages are named as the source of one sentence.
_MOST_SOURCES = 3
# A message with this share of a sentence's words is one of its sources, besides the best.
_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A span. ``lines`` are what a model reads, ``units`` what details are taken from.

    ``words`` maps message ids to their informative words, by which a sentence that a model wrote
    is traced back.
    """

    lines: tuple[str, ...]
    tokens: int
    spoken: Language
    units: tuple[Unit, ...]
    words: Mapping[str, frozenset[str]]

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)

    @property
    def said(self) -> str:
        """What is said in it, without who said it and when."""
        return " ".join(unit.text for unit in self.units)

    def trace(self, sentence: str) -> tuple[str, ...]:
        """Ids of the messages that a sentence shares most words with, in their order."""
        wanted = frozenset(query_terms(sentence))
        shares = {
            id: len(wanted & words) / len(wanted) for id, words in self.words.items() if wanted
        }
        best = max(shares.values(), default=0.0)
        if not best:
            return ()
        near = sorted(shares, key=lambda id: -shares[id])[:_MOST_SOURCES]
        taken = {id for id in near if shares[id] == best or shares[id] >= _SHARE}
        return tuple(id for id in self.words if id in taken)


def of_messages(messages: Sequence[Message], counter: TokenCounter) -> Source:
    """The source of a segment; of tool output a model reads the beginning alone."""
    units = tuple(message_units(messages))
    shown: dict[str, str] = {}
    for unit in units:
        shown[unit.sources[0]] = shown.get(unit.sources[0], "") + unit.text + " "
    lines = tuple(
        f"[{message.at.date().isoformat()}] {speaker_of(message)}: {_line(message, shown)}"
        for message in messages
        if message.id in shown
    )
    return _source(lines, units, counter, {m.id: shown.get(m.id, "") for m in messages})


def _line(message: Message, shown: Mapping[str, str]) -> str:
    text = shown[message.id] if is_tool_output(message.raw) else dated_text(message, message.text)
    return " ".join(text.split())


def of_folds(children: Sequence[Fold], counter: TokenCounter) -> Source:
    """The source of a fold of folds; the words of a child's sentences stand for its messages."""
    units = tuple(again(sentence) for child in children for sentence in child.sentences)
    words: dict[str, str] = {}
    for unit in units:
        for id in unit.sources:
            words[id] = words.get(id, "") + unit.text + " "
    lines = tuple(
        f"[{_days(child)}] {' '.join(child.text.split())}" for child in children if child.text
    )
    return _source(lines, units, counter, words)


def _days(fold: Fold) -> str:
    since, until = fold.since.date().isoformat(), fold.until.date().isoformat()
    return since if since == until else f"{since}..{until}"


def _source(
    lines: tuple[str, ...],
    units: tuple[Unit, ...],
    counter: TokenCounter,
    words: Mapping[str, str],
) -> Source:
    text = "\n".join(lines)
    return Source(
        lines=lines,
        tokens=counter.count(text),
        # Dates and names in front of the lines say nothing of the language they are in.
        spoken=language("\n".join(unit.text for unit in telling(units))),
        units=units,
        words={id: frozenset(query_terms(said)) for id, said in words.items()},
    )

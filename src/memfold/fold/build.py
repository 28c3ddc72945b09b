"""Folds of messages and folds of folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

from memfold.errors import InvalidInput
from memfold.fold.config import RUNNING, FoldConfig
from memfold.fold.extractive import Extractive, Summary
from memfold.fold.units import Unit
from memfold.text.chat import call_texts, is_tool_output, opens, speech
from memfold.text.sentences import sentences
from memfold.text.times import annotate
from memfold.text.truncation import boundary
from memfold.types import Fold, FoldSentence, Message

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter
    from memfold.text.entities import EntityExtractor

# Of a tool call, and of what the tool gave back, a fold shows no more than this beginning of the
# first line; `expand` and recall reach the rest.
_TOOL_CHARACTERS: Final = 120
# A fold looks at no more of one message than this: what a person writes is far shorter.
_MOST_CHARACTERS: Final = 50_000
# What a message's role, name and frame may cost beside its text: with more than this above the
# limit, a span cannot be its own fold and is not even tried.
_FRAME: Final = 8


def fold_messages(
    messages: Sequence[Message],
    *,
    id: str,
    index: int,
    config: FoldConfig,
    counter: TokenCounter,
    extractor: EntityExtractor,
    idf: Callable[[str], float] | None = None,
) -> Fold:
    """Fold consecutive messages of one session into segment ``index`` (a fold of level 1).

    ``idf`` gives the rarity of an index term in a larger collection. Without it that is judged
    within the segment and by a list of common words, so that the fold depends on nothing but
    its messages and can be made again. Raises InvalidInput when there are no messages.
    """
    if not messages:
        raise InvalidInput("a fold needs messages")
    summary = _segment(messages, _summariser(1, config, counter, extractor, idf))
    return Fold(
        id=id,
        session=messages[0].session,
        level=1,
        index=index,
        first=messages[0].position,
        last=messages[-1].position,
        since=min(message.at for message in messages),
        until=max(message.at for message in messages),
        extractor=extractor.fingerprint,
        **summary_fields(summary),
    )


def fold_folds(
    children: Sequence[Fold],
    *,
    id: str,
    level: int,
    index: int,
    config: FoldConfig,
    counter: TokenCounter,
    extractor: EntityExtractor,
    idf: Callable[[str], float] | None = None,
) -> Fold:
    """Fold neighbouring folds of ``level`` - 1 into fold ``index`` of ``level``.

    It is made of the children's sentences, which keep their sources, and of their key facts; it
    has to keep what the children kept. Raises InvalidInput when there are no children, or they
    are not of the level below.
    """
    if not children or any(child.level != level - 1 for child in children):
        raise InvalidInput(f"a fold of level {level} is made of folds of level {level - 1}")
    return _folded(
        children,
        id=id,
        level=level,
        index=index,
        summariser=_summariser(level, config, counter, extractor, idf),
    )


def fold_running(
    parts: Sequence[Fold],
    *,
    id: str,
    config: FoldConfig,
    counter: TokenCounter,
    extractor: EntityExtractor,
) -> Fold:
    """Fold neighbouring folds, of whatever levels, into the running summary.

    Raises InvalidInput when there are none.
    """
    if not parts:
        raise InvalidInput("the running summary needs folds")
    summariser = _summariser(RUNNING, config, counter, extractor, None)
    fold = _folded(parts, id=id, level=RUNNING, index=0, summariser=summariser)
    return replace(fold, children=())


def _folded(
    children: Sequence[Fold], *, id: str, level: int, index: int, summariser: Extractive
) -> Fold:
    units = [again(sentence) for child in children for sentence in child.sentences]
    # What was erased whole has left a blank fold without a time of its own.
    telling = [child for child in children if child.sentences] or children
    required = [key for child in children for key in child.kept]
    source_tokens = sum(child.tokens for child in children)
    summary = summariser.verbatim(
        units, required=required, source_tokens=source_tokens
    ) or summariser.shorten(units, required=required, source_tokens=source_tokens)
    return Fold(
        id=id,
        session=children[0].session,
        level=level,
        index=index,
        first=children[0].first,
        last=children[-1].last,
        since=min(child.since for child in telling),
        until=max(child.until for child in telling),
        children=tuple(child.id for child in children),
        extractor=summariser.extractor.fingerprint,
        **summary_fields(summary),
    )


def _segment(messages: Sequence[Message], summariser: Extractive) -> Summary:
    texts = [dated_text(message, message.text) for message in messages]
    pairs = list(zip(messages, texts, strict=True))
    source_tokens = sum(message.tokens for message in messages)
    if source_tokens <= summariser.limit + _FRAME * len(messages):
        whole = [_unit(message, text) for message, text in pairs if text]
        if summary := summariser.verbatim(whole, source_tokens=source_tokens):
            return summary
    units = list(message_units(messages))
    return summariser.shorten(units, source_tokens=source_tokens)


def again(sentence: FoldSentence) -> Unit:
    """A fold's sentence as a unit for the fold above it."""
    return Unit(
        text=sentence.text,
        speaker=sentence.speaker,
        at=sentence.at,
        sources=sentence.sources,
        fact=sentence.fact,
    )


def _summariser(
    level: int,
    config: FoldConfig,
    counter: TokenCounter,
    extractor: EntityExtractor,
    idf: Callable[[str], float] | None,
) -> Extractive:
    return Extractive(
        limit=config.limit(level),
        headline_limit=config.headline_tokens,
        counter=counter,
        extractor=extractor,
        idf=idf,
    )


def summary_fields(summary: Summary) -> dict[str, Any]:
    """The part of a fold that its summary decides."""
    return {each.name: getattr(summary, each.name) for each in fields(summary)}


def dated_text(message: Message, text: str) -> str:
    """Return a text as far as a fold looks at it, with a date after each "yesterday"."""
    return annotate(text[: boundary(text, _MOST_CHARACTERS)].strip(), message.at)


def message_units(messages: Iterable[Message]) -> Iterator[Unit]:
    """The sentences of messages; a tool's output and calls by their beginnings."""
    for message in messages:
        yield from _sentences(message, dated_text(message, message.text))


def _sentences(message: Message, text: str) -> Iterator[Unit]:
    calls = call_texts(message.raw) if opens(message.raw) else []
    is_output = is_tool_output(message.raw)
    if is_output and text:
        yield _unit(message, _stub(text), tool=True)
    if is_output or calls:
        text = dated_text(message, speech(message.raw))
    for span in sentences(text):
        yield _unit(message, text[span.start : span.end])
    for call in calls:
        yield _unit(message, _stub(call), tool=True)


def speaker_of(message: Message) -> str:
    """Who speaks, on one line: a line end in a name would break the line that it begins."""
    return " ".join((message.name or message.role).split())


def _unit(message: Message, text: str, *, tool: bool = False) -> Unit:
    return Unit(
        text=text, speaker=speaker_of(message), at=message.at, sources=(message.id,), tool=tool
    )


def _stub(text: str) -> str:
    """Return the beginning of the first line."""
    line = text.strip().splitlines()[0].rstrip()
    if len(line) <= _TOOL_CHARACTERS:
        return line
    return line[: boundary(line, _TOOL_CHARACTERS)].rstrip() + "…"

"""Compressing a history in one call, for those who keep their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, TypedDict, Unpack

from memfold.context.frames import CHINESE, ENGLISH, Frames, frames
from memfold.embedders.use import UniversalSentenceEncoder
from memfold.facade.checks import moment, token_budget
from memfold.facade.memory import Memory
from memfold.facade.parts import embedder_of, models, part
from memfold.facade.rewriting import similarity
from memfold.fold.config import RUNNING, FoldConfig
from memfold.fold.masking import stub
from memfold.fold.source import of_messages
from memfold.fold.standing import settle, standing
from memfold.protocols import LLM, Embedder, TokenCounter
from memfold.text import given
from memfold.text.chat import as_dict, is_tool_output, readable, to_bytes
from memfold.text.entities import EntityExtractor
from memfold.text.importance import five_factor
from memfold.text.scripts import language
from memfold.text.tokens import TiktokenCounter, count_message, count_messages
from memfold.types import Compression, Fold, Masked, Message, StandingItem, Usage

_DEFAULT: Final = UniversalSentenceEncoder()
_SYSTEM = ("system", "developer")
_STANDING = 0.4  # the most of the summary's tokens that instructions and promises take
_LEAST = 20  # tokens below which nothing can be said
_ITEM_TOKENS = 5  # of a line beside its text
_ALL = 1_000  # segments: more than a history has that is compressed at once
_SAMPLE = 20  # messages by which the language is told
_LINE = re.compile(r"(?:\[[\d-]+\] )?([^:：\n]{1,60})[:：]\s?(.+)", re.DOTALL)
_ITEM = re.compile(r"- ([^:：\n]{1,60})[:：]\s?(.+)")


def compress(
    messages: Iterable[Any],
    window: int = 5,
    max_tokens: int = 500,
    *,
    at: datetime | None = None,
    llm: LLM | None = None,
    llm_strong: LLM | None = None,
    embedder: Embedder | None = _DEFAULT,
    counter: TokenCounter | None = None,
    extractor: EntityExtractor | None = None,
) -> Compression:
    """Summarise all but the last ``window`` messages in at most ``max_tokens`` tokens.

    ``messages`` are OpenAI- or Anthropic-shaped dicts. System messages at the beginning and the
    last ones stay as they are, and a call stays with its results. Of the rest, instructions,
    promises and open items stand word for word, tool output goes first, and what is said is
    folded by segments and then into one summary: by ``llm`` when there is one (see ``Memory``),
    else from its own sentences. "Yesterday" gets its date, taken from ``at`` (default: now) as
    the time when all of it was said. ``embedder`` tells how near the summary is to its source;
    None leaves that out. What an earlier call made is taken up, not piled on. Nothing is stored.
    Raises InvalidInput.
    """
    max_tokens = token_budget(max_tokens, least=_LEAST)
    when = moment(at if at is not None else datetime.now(UTC), UTC, what="at")
    models(llm, llm_strong, reranker=None)
    embedder = embedder_of(embedder)
    counter = part(counter, "counter", TokenCounter) or TiktokenCounter()
    extractor = part(extractor, "extractor", EntityExtractor) or EntityExtractor()
    raws = [_checked(message) for message in given.listed(messages, "messages")]
    tokens = count_messages(counter, raws)
    whole = Compression(
        kept=tuple(raws), originals=tuple(raws), source_tokens=tokens, tokens=tokens
    )
    history = _parted(raws, given.whole(window, "window", least=0), when, counter)
    if not history.old and not history.told:
        return whole
    items = _standing(history, max_tokens, counter)
    spoken = frames(language("\n".join(m.text for m in history.past[-_SAMPLE:])))
    folds, usage = _folded(
        history,
        # Segments and what is made of all of them; nothing between.
        FoldConfig(
            window=0,
            fan_out=_ALL,
            running=True,
            running_tokens=max(max_tokens - _cost(items, spoken, counter), _LEAST),
        ),
        llm=llm,
        llm_strong=llm_strong,
        # Vectors of single messages are of no use here; what a model wrote is measured by its own.
        embedder=embedder if llm is not None else None,
        counter=counter,
        extractor=extractor,
    )
    found = _told(whole, history, items, spoken, folds, counter, extractor)
    if not found.summary or found.tokens >= tokens:
        return whole  # so short that there is nothing to save
    quality = _quality(found, folds, history.past, embedder, counter)
    return replace(found, quality=quality, usage=usage)


def _told(
    whole: Compression,
    history: _History,
    items: Sequence[StandingItem],
    spoken: Frames,
    folds: Sequence[Fold],
    counter: TokenCounter,
    extractor: EntityExtractor,
) -> Compression:
    """The compression that is made of folds; without a summary where there is none."""
    found = replace(
        whole,
        kept=(*history.head, *(message.raw for message in history.newest)),
        opening=len(history.head),
        summary=next((fold.text for fold in folds if fold.level == RUNNING), ""),
        headings=(spoken.standing, spoken.outline),
        standing=tuple(items),
        entities=tuple(dict.fromkeys(key for fold in folds for key in fold.required)),
        importance=tuple(_importance(message, extractor) for message in history.old),
        masked=tuple(_masked(m, extractor, spoken) for m in history.old if is_tool_output(m.raw)),
        attempts=tuple(attempt for fold in folds for attempt in fold.attempts),
    )
    return replace(found, tokens=count_messages(counter, found.messages))


class _Parts(TypedDict):
    llm: LLM | None
    llm_strong: LLM | None
    embedder: Embedder | None
    counter: TokenCounter
    extractor: EntityExtractor


def _folded(
    history: _History, config: FoldConfig, **parts: Unpack[_Parts]
) -> tuple[list[Fold], Usage]:
    """The folds of what is to be summarised, and what models cost for them."""
    when = history.past[-1].at
    with Memory(background=False, fold=config, **parts) as memory:
        user = memory.user("compress")
        session = user.session("compress")
        session.extend([dict(message.raw) for message in history.past], at=when)
        session.end()
        return session.folds(), user.stats().usage


@dataclass(frozen=True, slots=True, kw_only=True)
class _History:
    """A history in parts: system texts, what an earlier call made, what is old, what is new."""

    head: list[dict[str, Any]]
    told: list[Message]
    items: list[StandingItem]
    old: list[Message]
    newest: list[Message]

    @property
    def past(self) -> list[Message]:
        """All that is to be summarised."""
        return [*self.told, *self.old]


def _parted(
    raws: Sequence[dict[str, Any]], window: int, when: datetime, counter: TokenCounter
) -> _History:
    head, earlier, rest = _opening(raws, when)
    start = _cut(rest, window)
    first = len(raws) - len(rest)
    found = [_message(first + place, raw, when, counter) for place, raw in enumerate(rest)]
    return _History(
        head=head,
        told=[_message(-1, raw, when, counter) for raw in earlier.said],
        items=earlier.items,
        old=found[:start],
        newest=found[start:],
    )


def _checked(message: Any) -> dict[str, Any]:
    found = as_dict(message)
    to_bytes(found)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Earlier:
    """What an earlier compression left in a history: its summary as messages, and its items."""

    said: list[dict[str, Any]] = field(default_factory=list)
    items: list[StandingItem] = field(default_factory=list)


def _opening(
    raws: Sequence[dict[str, Any]], when: datetime
) -> tuple[list[dict[str, Any]], _Earlier, list[dict[str, Any]]]:
    """The system messages at the beginning, what an earlier call made, and the rest."""
    head: list[dict[str, Any]] = []
    earlier = _Earlier()
    at = 0
    while at < len(raws) and raws[at].get("role") in _SYSTEM:
        text = raws[at].get("content")
        if not isinstance(text, str) or not _is_ours(text, earlier, when):
            head.append(raws[at])
        at += 1
    return head, earlier, list(raws[at:])


def _is_ours(text: str, earlier: _Earlier, when: datetime) -> bool:
    """Whether a system text is a section that an earlier call made; if so it is taken up."""
    heading, _, body = text.partition("\n")
    if heading in (ENGLISH.outline, CHINESE.outline):
        earlier.said.extend(_said(line) for line in body.splitlines() if line.strip())
        return True
    if heading in (ENGLISH.standing, CHINESE.standing):
        earlier.items.extend(
            StandingItem(kind="goal", text=match[2], source="", at=when, by=match[1])
            for match in map(_ITEM.match, body.splitlines())
            if match
        )
        return True
    return False


def _said(line: str) -> dict[str, Any]:
    """A line of a summary as what its speaker said."""
    match = _LINE.fullmatch(line)
    if match is None:
        return {"role": "assistant", "content": line}
    speaker = match[1].strip()
    if speaker in ("user", "assistant"):
        return {"role": speaker, "content": match[2]}
    return {"role": "assistant", "name": speaker, "content": match[2]}


def _cut(rest: Sequence[Mapping[str, Any]], window: int) -> int:
    """Where the newest messages begin: never between a call and its results."""
    start = max(len(rest) - window, 0)
    while start > 0 and (start < len(rest) and is_tool_output(rest[start])):
        start -= 1
    return start


def _message(number: int, raw: Mapping[str, Any], when: datetime, counter: TokenCounter) -> Message:
    name = raw.get("name")
    return Message(
        id=f"m{number + 1}" if number >= 0 else "",
        session="",
        position=max(number, 0),
        role=str(raw["role"]),
        text=readable(raw),
        at=when,
        tokens=count_message(counter, raw),
        raw=raw,
        name=name if isinstance(name, str) else None,
    )


def _standing(history: _History, max_tokens: int, counter: TokenCounter) -> list[StandingItem]:
    """The items that still hold, the newest first of them in a share of the tokens."""
    items = [*history.items, *standing(history.old)]
    room = int(_STANDING * max_tokens)
    chosen: list[StandingItem] = []
    seen: set[str] = set()
    for item in reversed(settle(items, [*history.old, *history.newest])):
        cost = counter.count(item.text) + _ITEM_TOKENS
        if not item.done and item.text not in seen and cost <= room:
            room -= cost
            seen.add(item.text)
            chosen.append(item)
    return chosen[::-1]


def _cost(items: Sequence[StandingItem], spoken: Frames, counter: TokenCounter) -> int:
    if not items:
        return 0
    lines = [spoken.standing, *(f"- {item.by}: {item.text}" for item in items)]
    return counter.count("\n".join(lines))


def _importance(message: Message, extractor: EntityExtractor) -> float:
    found = {entity.key for entity in extractor.extract(message.text)}
    return round(
        five_factor(message.text, role=message.role, tokens=message.tokens, entities=len(found)),
        4,
    )


def _masked(message: Message, extractor: EntityExtractor, spoken: Frames) -> Masked:
    line = stub(message, extractor, called=message.name, language=spoken.language)
    return Masked(handle=message.id, tokens=message.tokens, line=line)


def _quality(
    found: Compression,
    folds: Sequence[Fold],
    messages: Sequence[Message],
    embedder: Embedder | None,
    counter: TokenCounter,
) -> dict[str, float]:
    """What the summary keeps of all that the segments had to, and how near it is to the source."""
    required = {key for fold in folds if fold.level == 1 for key in fold.required}
    kept = {key for fold in folds if fold.level == RUNNING for key in fold.kept} & required
    figures = {
        "entity_retention": round(len(kept) / len(required), 4) if required else 1.0,
        "ratio": round(counter.count(found.summary) / max(sum(m.tokens for m in messages), 1), 4),
    }
    measure = similarity(embedder)
    source = of_messages(messages, counter).text
    if measure is not None and source:
        figures["semantic_similarity"] = round(measure(found.summary, source), 4)
    return figures

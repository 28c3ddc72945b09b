"""From a message dict to what the store keeps, and back."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any

from memfold.errors import InvalidMessage
from memfold.protocols import TokenCounter
from memfold.recall.reading import (
    header,
    language_mark,
    microseconds,
    only_asks,
    speaks_of_itself,
)
from memfold.rows import Appended, Draft, Passage, Reindexed, StoredMessage
from memfold.text.chat import as_dict, from_bytes, readable, to_bytes
from memfold.text.scripts import Language, language
from memfold.text.sentences import passages
from memfold.text.terms import term_ids, terms
from memfold.text.tokens import count_message
from memfold.types import Message, ReceiptItem

MAX_BYTES = 64 * 1024 * 1024
_NO_METADATA = b"{}"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def instant(at: int) -> datetime:
    """The UTC time of microseconds since the epoch."""
    return _EPOCH + timedelta(microseconds=at)


class Drafter:
    """Prepares messages for the store. Pure but for its settings."""

    def __init__(self, *, counter: TokenCounter, zone: tzinfo) -> None:
        self._counter = counter
        self._zone = zone

    def draft(
        self,
        message: Any,
        *,
        at: datetime,
        recorded: datetime,
        metadata: Mapping[str, Any] | None,
        key: str | None,
    ) -> Draft:
        """Check a message and work out all that is derived from it alone.

        Raises InvalidMessage for what cannot be kept.
        """
        try:
            return self._draft(message, at, recorded, metadata, key)
        except RecursionError as error:
            raise InvalidMessage("the message is nested too deeply") from error

    def _draft(
        self,
        message: Any,
        at: datetime,
        recorded: datetime,
        metadata: Mapping[str, Any] | None,
        key: str | None,
    ) -> Draft:
        found = as_dict(message)
        body = to_bytes(found)
        if len(body) > MAX_BYTES:
            raise InvalidMessage(
                f"a message has at most {MAX_BYTES >> 20} MB, not {len(body)} bytes"
            )
        if metadata is not None and not isinstance(metadata, Mapping):
            raise InvalidMessage(f"metadata is a dict, not {type(metadata).__name__}")
        text = readable(found)
        return Draft(
            role=found["role"],
            name=_name(found),
            at=microseconds(at),
            recorded=microseconds(recorded),
            tokens=count_message(self._counter, found),
            body=body,
            metadata=to_bytes(metadata, what="metadata") if metadata else _NO_METADATA,
            key=key,
            passages=self._passages(text, _name(found), at),
            question=only_asks(text),
            first_person=speaks_of_itself(text),
        )

    def again(self, stored: StoredMessage) -> Reindexed:
        """What is derived from a stored message's text, made anew."""
        text = readable(from_bytes(stored.body))
        return Reindexed(
            seq=stored.seq,
            passages=self._passages(text, stored.name, instant(stored.at)),
            question=only_asks(text),
            first_person=speaks_of_itself(text),
        )

    def _passages(self, text: str, name: str | None, at: datetime) -> tuple[Passage, ...]:
        head = _head(name, at.astimezone(self._zone).date(), language(text))
        spans = passages(text)
        if not spans:
            return (Passage(part=0, start=0, end=0, terms=b"", header=head),)
        return tuple(
            Passage(
                part=part,
                start=span.start,
                end=span.end,
                terms=_packed(terms(text[span.start : span.end])),
                header=head,
            )
            for part, span in enumerate(spans)
        )


def _name(message: Mapping[str, Any]) -> str | None:
    name = message.get("name")
    if not isinstance(name, str):
        return None
    return name.encode("utf-8", "replace").decode() or None


@lru_cache(maxsize=1 << 10)
def _head(name: str | None, day: date, spoken: Language) -> bytes:
    # Messages come in conversations: hundreds share a speaker and a day.
    return _packed([*terms(header(name, day, spoken)), language_mark(spoken)])


def _packed(found: list[str]) -> bytes:
    ids = term_ids(found)
    if sys.byteorder == "big":
        ids.byteswap()
    return ids.tobytes()


_REASONS = {
    "stored": "",
    "known": "an earlier write had the same key",
    "erased": "what this key named was erased on purpose",
}


def written(outcome: Appended) -> ReceiptItem:
    """What a receipt says of a message that the store was given."""
    return ReceiptItem(
        id=f"m{outcome.seq}" if outcome.seq else "",
        outcome=outcome.outcome,
        reason=_REASONS[outcome.outcome],
    )


def restore(stored: StoredMessage) -> Message:
    """The public message of a stored one."""
    raw = from_bytes(stored.body)
    return Message(
        id=f"m{stored.seq}",
        session=stored.session,
        position=stored.position,
        role=stored.role,
        text=readable(raw),
        at=instant(stored.at),
        tokens=stored.tokens,
        raw=raw,
        name=stored.name,
        metadata=from_bytes(stored.metadata) if stored.metadata != _NO_METADATA else {},
        recorded_at=instant(stored.recorded),
    )

"""Storing what a file holds: in batches, each message known again, and a report at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memfold.adapters.placing import Places
from memfold.adapters.shapes import Told
from memfold.errors import InvalidInput
from memfold.facade.user import User

_BATCH: Final = 500
_BATCH_CHARACTERS: Final = 8_000_000
_TOLD_OF: Final = 100  # refusals that a report lists


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """One message that was not imported: its line, its session and place there, and why."""

    line: int
    session: str
    index: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportReport:
    """What an import did, in messages.

    ``known`` ones were there from an earlier import, ``erased`` ones were erased on purpose and
    are not brought back, ``refused`` ones cannot be kept; ``refusals`` lists the first hundred.
    ``notes`` say where messages went that shared a session's name with others.
    """

    format: str
    sessions: tuple[str, ...]
    stored: int
    known: int
    erased: int
    refused: int
    refusals: tuple[Refusal, ...]
    notes: tuple[str, ...] = ()


class Writer:
    """Stores messages in batches and counts what becomes of them."""

    def __init__(self, user: User, format: str) -> None:
        self._user = user
        self._format = format
        self._batch: list[Told] = []
        self._characters = 0
        self._places = Places(user, format)
        self._sessions: dict[str, Counter[str]] = {}
        self._before: dict[str, int] = {}
        self._counts: Counter[str] = Counter()
        self._refusals: list[Refusal] = []

    @property
    def kept(self) -> int:
        """Messages of the file that are in the memory now."""
        return self._counts["stored"] + self._counts["known"]

    @property
    def due(self) -> bool:
        """Whether there is a batch worth writing."""
        return len(self._batch) >= _BATCH or self._characters >= _BATCH_CHARACTERS

    def take(self, told: Told) -> None:
        """Put a message on the batch."""
        if told.problem:
            self._refuse(told, told.problem)
            return
        self._batch.append(told)
        self._characters += len(str(told.message.get("content")))

    def write(self) -> None:
        """Store the batch, the messages of a session in the file's order."""
        batch, self._batch, self._characters = self._batch, [], 0
        for session, named in dict.fromkeys((told.session, told.named) for told in batch):
            told = [each for each in batch if (each.session, each.named) == (session, named)]
            self._store_all(told if named else self._places.settle(session, told))

    def finish(self) -> None:
        """Store the last batch, and what was held back."""
        self.write()
        self._store_all(list(self._places.rest()))

    def _store_all(self, told: Sequence[Told]) -> None:
        for session in dict.fromkeys(each.session for each in told):
            whole = [each for each in told if each.session == session]
            for first in range(0, len(whole), _BATCH):
                self._store(session, whole[first : first + _BATCH])

    def _store(self, session: str, batch: Sequence[Told]) -> None:
        try:
            if session not in self._before:
                self._before[session] = self._user.session(session).length
            receipt = self._user.session(session).extend(
                [told.message for told in batch],
                at=[told.at for told in batch],
                metadata=[told.metadata for told in batch],
                keys=[told.key(self._format) for told in batch],
            )
        except InvalidInput as error:
            if len(batch) == 1:
                self._refuse(batch[0], str(error))
                return
            # Nothing was written: halve until the messages that cannot be kept stand alone.
            half = len(batch) // 2
            self._store(session, batch[:half])
            self._store(session, batch[half:])
        else:
            outcomes = Counter(item.outcome for item in receipt.items)
            self._sessions.setdefault(session, Counter()).update(outcomes)
            self._counts.update(outcomes)

    def _refuse(self, told: Told, reason: str) -> None:
        self._counts["refused"] += 1
        if len(self._refusals) < _TOLD_OF:
            self._refusals.append(
                Refusal(line=told.line, session=told.session, index=told.index, reason=reason)
            )

    def report(self) -> ImportReport:
        """What has been done so far."""
        return ImportReport(
            format=self._format,
            sessions=tuple(self._sessions),
            stored=self._counts["stored"],
            known=self._counts["known"],
            erased=self._counts["erased"],
            refused=self._counts["refused"],
            refusals=tuple(sorted(self._refusals, key=lambda refusal: refusal.line)),
            notes=(*self._places.notes, *self._joined()),
        )

    def _joined(self) -> Iterator[str]:
        """Of sessions that hold more than this file: that it was added to them."""
        for session, outcomes in self._sessions.items():
            others = self._before[session] - outcomes["known"]
            if others > 0 and outcomes["stored"]:
                yield (
                    f"session {session!r} holds other messages too: what is new was added"
                    " behind them"
                )

"""What stands outside any summary: a session's instructions and promises, its tools' details."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from memfold.fold.artifacts import artifacts
from memfold.fold.standing import matters, settle, standing
from memfold.text.entities import EntityExtractor
from memfold.types import Artifact, Fold, Message, Scope, StandingItem

_HELD = 2_000  # messages whose standing items are held in memory
_SCOPES = 64  # sessions whose items are

Kept: TypeAlias = tuple[list[StandingItem], list[Artifact]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A message's standing items, and whether it has any or may settle one."""

    items: tuple[StandingItem, ...]
    matters: bool


class Keeper:
    """Gathers them from folds, and from messages that are not folded yet."""

    def __init__(self, extractor: EntityExtractor) -> None:
        self._extractor = extractor
        self._lock = threading.Lock()
        self._last: OrderedDict[Scope, tuple[tuple[tuple[str, ...], ...], Kept]] = OrderedDict()
        self._held: OrderedDict[tuple[Scope, str, datetime | None], _Told] = OrderedDict()

    def kept(self, scope: Scope, folds: Sequence[Fold], newest: Sequence[Message]) -> Kept:
        """The items and artifacts of the scope's session, given its folds and newest messages."""
        known = {(fold.level, fold.index): fold for fold in folds if fold.level == 1}
        folded = max((fold.last for fold in known.values()), default=-1)
        rest = [message for message in newest if message.position > folded]
        key = (tuple(fold.id for fold in known.values()), tuple(each.id for each in rest))
        with self._lock:
            last = self._last.get(scope)
        if last is not None and last[0] == key:
            return last[1]
        found = self._gathered(scope, known, rest)
        with self._lock:
            self._last[scope] = key, found
            while len(self._last) > _SCOPES:
                self._last.popitem(last=False)
        return found

    def _gathered(
        self, scope: Scope, known: Mapping[tuple[int, int], Fold], rest: Sequence[Message]
    ) -> Kept:
        told = [(message, self._told(scope, message)) for message in rest]
        own = (item for _, each in told for item in each.items)
        items = settle(
            [*items_of(known), *own], [message for message, each in told if each.matters]
        )
        found = {
            artifact.text: artifact
            for place in sorted(known)
            for artifact in known[place].artifacts
        }
        for artifact in artifacts(rest, self._extractor):
            found.setdefault(artifact.text, artifact)
        return list(items), list(found.values())

    def _told(self, scope: Scope, message: Message) -> _Told:
        """What is read off one message, which every context asks for while it is new."""
        key = (scope, message.id, message.recorded_at)
        with self._lock:
            found = self._held.get(key)
        if found is None:
            found = _Told(items=standing([message]), matters=matters(message))
            with self._lock:
                self._held[key] = found
                while len(self._held) > _HELD:
                    self._held.popitem(last=False)
        return found

    def forget(self) -> None:
        """Drop what is held in memory."""
        with self._lock:
            self._held.clear()
            self._last.clear()


def items_of(
    known: Mapping[tuple[int, int], Fold], *, before: int | None = None
) -> list[StandingItem]:
    """The standing items of segments (those ``before`` an index), as the last of them left them."""
    found: dict[tuple[str, str], StandingItem] = {}
    for level, index in sorted(known):
        if level == 1 and (before is None or index < before):
            found.update({(item.source, item.text): item for item in known[level, index].standing})
    return list(found.values())

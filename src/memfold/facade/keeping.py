"""What stands outside any summary: a session's instructions and promises, its tools' details."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime

from memfold.fold.artifacts import artifacts
from memfold.fold.standing import settle, standing
from memfold.text.entities import EntityExtractor
from memfold.types import Artifact, Fold, Message, Scope, StandingItem

_HELD = 2_000  # messages whose standing items are held in memory


class Keeper:
    """Gathers them from folds, and from messages that are not folded yet."""

    def __init__(self, extractor: EntityExtractor) -> None:
        self._extractor = extractor
        self._lock = threading.Lock()
        self._items: OrderedDict[tuple[Scope, str, datetime | None], tuple[StandingItem, ...]] = (
            OrderedDict()
        )

    def kept(
        self, scope: Scope, folds: Sequence[Fold], newest: Sequence[Message]
    ) -> tuple[list[StandingItem], list[Artifact]]:
        """The items and artifacts of the scope's session, given its folds and newest messages."""
        known = {(fold.level, fold.index): fold for fold in folds if fold.level == 1}
        folded = max((fold.last for fold in known.values()), default=-1)
        rest = [message for message in newest if message.position > folded]
        own = (item for message in rest for item in self._standing(scope, message))
        items = settle([*items_of(known), *own], rest)
        found = {
            artifact.text: artifact
            for place in sorted(known)
            for artifact in known[place].artifacts
        }
        for artifact in artifacts(rest, self._extractor):
            found.setdefault(artifact.text, artifact)
        return list(items), list(found.values())

    def _standing(self, scope: Scope, message: Message) -> tuple[StandingItem, ...]:
        """The items of one message, which every context asks for while it is new."""
        key = (scope, message.id, message.recorded_at)
        with self._lock:
            found = self._items.get(key)
        if found is None:
            found = standing([message])
            with self._lock:
                self._items[key] = found
                while len(self._items) > _HELD:
                    self._items.popitem(last=False)
        return found

    def forget(self) -> None:
        """Drop what is held in memory."""
        with self._lock:
            self._items.clear()


def items_of(
    known: Mapping[tuple[int, int], Fold], *, before: int | None = None
) -> list[StandingItem]:
    """The standing items of segments (those ``before`` an index), as the last of them left them."""
    found: dict[tuple[str, str], StandingItem] = {}
    for level, index in sorted(known):
        if level == 1 and (before is None or index < before):
            found.update({(item.source, item.text): item for item in known[level, index].standing})
    return list(found.values())

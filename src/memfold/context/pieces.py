"""What a context is made from, and the sections it is written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from memfold.context.frames import Frames
from memfold.context.units import Unit
from memfold.fold.config import FoldConfig
from memfold.protocols import TokenCounter
from memfold.text.entities import EntityExtractor
from memfold.text.tokens import count_message
from memfold.types import Artifact, Fold, Hit, Message, StandingItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that may go into one context.

    ``system``: the session's system messages. ``past``: its units before the query, newest
    last, unanswerable ones left out. ``pending``: units that must stand (an open tool call and
    what it answers, results not yet seen by the model). ``query``: the message the context ends
    with, None when ``pending`` ends it. ``hits``: what was recalled, best first. ``folds``: of
    the session. ``cold``: the query does not go on with the conversation, so that its last
    messages are no more likely to matter than others. ``from_start``: ``past`` begins with the
    session. ``standing`` are the session's instructions, promises and open items, ``artifacts``
    the details of its tools' output, both in order.
    """

    budget: int
    counter: TokenCounter
    zone: tzinfo
    frames: Frames
    config: FoldConfig
    system: Sequence[Message]
    past: Sequence[Unit]
    pending: Sequence[Unit]
    query: Mapping[str, Any] | None
    query_text: str
    hits: Sequence[Hit]
    folds: Sequence[Fold]
    standing: Sequence[StandingItem]
    artifacts: Sequence[Artifact]
    extractor: EntityExtractor
    cold: bool
    from_start: bool
    tools: Sequence[Any]
    full_tokens: int

    def frame_tokens(self, heading: str) -> int:
        """What a section of memfold's own costs with its heading alone, as a system message."""
        message = {"role": "system", "content": heading + "\n"}
        return count_message(self.counter, message) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One recalled message as it will be shown."""

    hit: Hit
    speaker: str
    text: str
    whole: bool
    tokens: int

    @property
    def at(self) -> datetime:
        """When it was said."""
        return self.hit.message.at

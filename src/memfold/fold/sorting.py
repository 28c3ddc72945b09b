"""Having a model say which messages of a segment are goals, where the rules saw none.

As with :mod:`memfold.fold.ladder`, no model is called here.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from memfold.errors import LLMError
from memfold.fold.asking import Answer, Ask
from memfold.fold.prompting import prompt
from memfold.fold.tiers import INSTRUCTING, labelled
from memfold.text.chat import is_tool_output, speech
from memfold.text.scripts import language
from memfold.text.sentences import sentences
from memfold.types import Fold, Message, StandingItem

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter

_SHOWN = 600  # characters of a message that a model sees
_ITEM = 80  # tokens of an item: of a longer message its first sentences
_TOKENS_A_LINE = 12  # of the answer
_LABEL = re.compile(r"\b(m[1-9]\d*)\b\W{1,6}(goal|decision|dialogue)\b", re.IGNORECASE)


def goals(
    fold: Fold, messages: Sequence[Message], counter: TokenCounter
) -> Generator[Ask, Answer, tuple[StandingItem, ...]]:
    """Ask for the tiers of a segment's messages; returns its standing items with those found.

    What the rules, or the caller, have said of a message stands. Without an answer nothing
    changes.
    """
    known = {item.source for item in fold.standing}
    asked = {
        message.id: message
        for message in messages
        if message.id not in known
        and message.role not in INSTRUCTING
        and labelled(message) is None
        and not is_tool_output(message.raw)
        and speech(message.raw).strip()
    }
    if not asked:
        return fold.standing
    lines = [
        f"{message.id} {message.role}: {' '.join(message.text.split())[:_SHOWN]}"
        for message in asked.values()
    ]
    wording = prompt("tiers", language("\n".join(m.text for m in asked.values())))
    answer = yield Ask(
        rung="tiers",
        messages=wording.filled(source="\n".join(lines)),
        max_tokens=_TOKENS_A_LINE * len(asked),
        version=wording.version,
    )
    if isinstance(answer.result, LLMError):
        return fold.standing
    labels = {match[1]: match[2].lower() for match in _LABEL.finditer(answer.result.text)}
    found = (
        StandingItem(
            kind="goal",
            text=_opening(message.text.strip(), counter),
            source=id,
            at=message.at,
            by=message.name or message.role,
        )
        for id, message in asked.items()
        if labels.get(id) == "goal"
    )
    return (*fold.standing, *found)


def _opening(text: str, counter: TokenCounter) -> str:
    """The text, or as many of its first sentences as fit; the first in any case."""
    end = 0
    for span in sentences(text):
        if end and counter.count(text[: span.end]) > _ITEM:
            break
        end = span.end
    return text[:end]

"""What kind of thing a sentence is: a goal, a rule, a promise, an open point, a decision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from memfold.fold import cues_chinese, cues_english
from memfold.text.chat import is_tool_output, speech
from memfold.text.scripts import HAN, to_simplified
from memfold.text.sentences import sentences
from memfold.types import Message

Cue = Literal["goal", "constraint", "commitment", "open", "decision"]

# The order decides where a sentence is several: "Remind me to cancel it" is an open point.
_ENGLISH: Final[tuple[tuple[Cue, re.Pattern[str]], ...]] = (
    ("constraint", cues_english.CONSTRAINT),
    ("open", cues_english.OPEN),
    ("commitment", cues_english.COMMITMENT),
    ("goal", cues_english.GOAL),
    ("decision", cues_english.DECISION),
)
_CHINESE: Final[tuple[tuple[Cue, re.Pattern[str]], ...]] = (
    ("constraint", cues_chinese.CONSTRAINT),
    ("open", cues_chinese.OPEN),
    ("commitment", cues_chinese.COMMITMENT),
    ("goal", cues_chinese.GOAL),
    ("decision", cues_chinese.DECISION),
)
_ASKED_FOR: Final = frozenset(("goal", "constraint"))
_HAN: Final = re.compile(f"[{HAN}]")
_QUESTION: Final = re.compile(r"[?？][\"'”’)）]*$|[吗嗎呢][。.]?$")
_FENCE: Final = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_LONGEST: Final = 20_000


def cued(message: Message) -> Iterator[tuple[Cue, str]]:
    """Yield the sentences of a message that are of some kind, with it, in order.

    Goals and rules are the user's to set, and only where an assistant is spoken to: a message
    that names its speaker is one of a talk among people. Code in fences says nothing, nor does
    what stands after the first 20,000 characters.
    """
    text = speech(message.raw) if is_tool_output(message.raw) else message.text
    text = text[:_LONGEST]
    if message.raw.get("tool_calls"):
        text = speech(message.raw)[:_LONGEST]
    asks = message.role == "user" and not message.name
    for span in sentences(_FENCE.sub(lambda match: " " * len(match.group()), text)):
        sentence = text[span.start : span.end]
        if (found := cue(sentence, asks=asks)) is not None:
            yield found, sentence


def cue(sentence: str, *, asks: bool) -> Cue | None:
    """Return what a sentence is; goals and rules only where its author ``asks`` an assistant."""
    rules = _CHINESE if _HAN.search(sentence) else _ENGLISH
    folded = to_simplified(sentence)
    is_question = _QUESTION.search(sentence) is not None
    for kind, pattern in rules:
        if kind in _ASKED_FOR and not asks:
            continue
        if is_question and kind not in _ASKED_FOR:
            continue
        if pattern.search(folded):
            return kind
    return None

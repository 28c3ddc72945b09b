"""What kind of thing a sentence is: a goal, a constraint, a promise, an open point, a decision."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memfold.fold.cue_rules import Cue, Rule
from memfold.fold.cues_chinese import RULES as CHINESE
from memfold.fold.cues_english import RULES as ENGLISH
from memfold.text.chat import is_tool_output, opens, speech
from memfold.text.scripts import HAN, simplify_each
from memfold.text.sentences import sentences
from memfold.types import Message

# A long message holds more than what its author says to the other: a pasted text, an essay.
_LONG: Final = 2_000
# Goals and constraints are the user's to set.
_ASKED: Final = frozenset(("goal", "constraint"))
_RULES: Final = {
    True: (*CHINESE, *ENGLISH),
    False: tuple(each for each in (*CHINESE, *ENGLISH) if each.cue not in _ASKED),
}
_HAN: Final = re.compile(f"[{HAN}]")
_LATIN: Final = re.compile("[A-Za-z]")
_QUESTION: Final = re.compile(r"[?？][\"'”’)）*\s]*$|[吗嗎呢][。.]?$")
# "I prefer trains, so can you find one?": a statement, and a question that hangs on it.
_TAIL: Final = re.compile(
    r"[,;]\s+(?:(?:so|and|but|then)\s+)?(?:(?:can|could|would|will|do|does|did|is|are|should|any)\b|"
    r"(?:how|what|which|where|why|when)\s+(?:do|does|can|could|should|would|is|are|'s|else|about|if|"
    r"\w+ (?:do|should|can|would|are))\b)[^?]*\?\W*$",
    re.IGNORECASE,
)


def cued(message: Message) -> Iterator[tuple[Cue, str]]:
    """Yield the sentences of a message that are of some kind, with it, in order.

    Goals and constraints are the user's to set, and only where an assistant is spoken to: a
    message that names its speaker is one of a talk among people. Code in fences says nothing.
    Of more than 2,000 characters only the first and the last thousand count, and half of that
    where nothing can be asked for.
    """
    is_mixed = is_tool_output(message.raw) or bool(opens(message.raw))
    text = speech(message.raw) if is_mixed else message.text
    asks = message.role == "user" and not message.name
    for part in _ends(text, _LONG if asks else _LONG // 2):
        # Most texts hold no word of any rule, and most lines of those that do hold none.
        rules = _possible(_RULES[asks], part)
        for line in _lines(part) if rules else ():
            likely = rules if line == part else _possible(rules, line)
            for span in sentences(line) if likely else ():
                if found := _cue(line[span.start : span.end], likely):
                    yield found


def cue(sentence: str, *, asks: bool) -> Cue | None:
    """Return what a sentence is; a goal or a constraint only where its author ``asks``."""
    found = _cue(sentence, _possible(_RULES[asks], sentence))
    return found[0] if found else None


def _possible(rules: Sequence[Rule], text: str) -> list[Rule]:
    """Return the rules that may fit some sentence of a text."""
    folded = simplify_each(text).lower()
    if not text.isascii() and _HAN.search(text):
        if _LATIN.search(text):
            return [each for each in rules if each.possible(folded)]
        return [each for each in rules if each.chinese and each.possible(folded)]
    return [each for each in rules if not each.chinese and each.possible(folded)]


def _cue(sentence: str, rules: Sequence[Rule]) -> tuple[Cue, str] | None:
    """Return what a sentence is, and the part of it that is: all but a question at its end."""
    is_question = _QUESTION.search(sentence) is not None
    if is_question and (tail := _TAIL.search(sentence)):
        head = _cue(sentence[: tail.start()], rules)
        if head is not None:
            return head
    folded = simplify_each(sentence)
    chinese = not sentence.isascii() and _HAN.search(sentence) is not None
    for each in rules:
        fits = each.chinese == chinese and (each.asking or not is_question)
        if fits and each.pattern.search(folded):
            return each.cue, sentence
    return None


def _ends(text: str, longest: int) -> tuple[str, ...]:
    """Return the text, or both ends of one that is too long."""
    half = longest // 2
    return (text,) if len(text) <= longest else (text[:half], text[-half:])


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that are no code."""
    fenced = False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif line and not fenced:
            yield line

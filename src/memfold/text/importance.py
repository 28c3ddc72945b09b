"""How much a message matters, told from its text alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final

from memfold.text.sentences import sentences
from memfold.text.terms import query_terms
from memfold.text.times import time_mentions

DECISION_WORDS: Final = (
    "决定", "決定", "选择", "選擇", "因为", "因為", "所以", "因此", "结论", "結論", "方案",
    "选定", "選定", "确定", "確定", "定下", "敲定", "采用", "採用", "改用", "最终", "最終",
    "同意", "约定", "約定", "承诺", "承諾", "必须", "必須", "计划", "計劃", "由于", "由於",
    "总之", "總之", "不再",
)  # fmt: skip
"""The seed's seven, extended; traditional forms beside the simplified ones."""
_ENGLISH_DECISION = re.compile(
    r"\b(?:decid(?:e|es|ed|ing)|decisions?|ch(?:oo|o)ses?|chosen|choices?|because|therefore|hence|"
    r"thus|conclu(?:de[sd]?|sions?)|plan(?:s|ned)?|solutions?|agree[sd]?|agreements?|settled|"
    r"final(?:ly|ised|ized)|opt(?:ed)? for|promise[sd]?|must|approach|instead)\b",
    re.IGNORECASE,
)
_CHINESE_DECISION = re.compile("|".join(DECISION_WORDS))
_NUMBER = re.compile(r"\d{2,}")

_FIRST_PERSON = re.compile(r"\b(?:i|my|me|mine|we|our|us)\b|[我咱]", re.IGNORECASE)
_QUESTION = re.compile(r"[?？][\"'”’）)」』]*\s*\Z|[吗嗎呢][。.]?\s*\Z")
_DIGIT = re.compile(r"\d")

# In nats, as idf is: a rare word of a history of thousands of messages has some 5 to 8.
FIRST_PERSON_BONUS: Final = 15.0
TIME_BONUS: Final = 30.0
NUMBER_BONUS: Final = 15.0
ENTITY_BONUS: Final = 3.0
ANSWER_BONUS: Final = 20.0
_MOST_ENTITIES = 4
_TOOL_SHARE = 0.5
# Whether a text tells a time does not depend on the day on which it does.
_ANY_DAY = datetime(2020, 7, 1)


def five_factor(text: str, *, role: str, tokens: int, entities: int) -> float:
    """Return the importance of a message, from 0 to 1, by the seed's five factors.

    min(0.1 · entities, 0.3) + min(tokens / 1000, 0.2) + 0.2 for the assistant's + 0.15 for a
    number of two or more digits + 0.15 for a decision word, at most 1.
    """
    score = min(0.1 * entities, 0.3) + min(tokens / 1000, 0.2)
    if role == "assistant":
        score += 0.2
    if _NUMBER.search(text):
        score += 0.15
    if _CHINESE_DECISION.search(text) or _ENGLISH_DECISION.search(text):
        score += 0.15
    return min(score, 1.0)


def on_ten(score: float) -> float:
    """Return a score from 0 to 1 on the scale from 1 to 10 of Generative Agents."""
    return 1 + 9 * score


def information_prior(
    text: str,
    *,
    role: str,
    entities: int,
    idf: Callable[[str], float],
    is_asked: bool = False,
) -> float:
    """Return how likely a message is to be asked for later; comparable within one history only.

    The sum of the `idf` (natural logarithm) of its distinct terms without stop words, leaving
    out sentences that ask, + 15 for a statement in the first person, + 30 for a time ("last
    week", 昨天: it tells of an event), + 15 for a digit, + 3 for each of the first four entities,
    + 20 where `is_asked`: the message before holds a question, which this one may answer. Tool
    output counts half: it says much, but can be had again.
    """
    said = [text[span.start : span.end] for span in sentences(text)]
    told = "\n".join(sentence for sentence in said if not asks(sentence))
    # In order, because a sum of floats depends on it.
    score = sum(map(idf, dict.fromkeys(query_terms(told)))) if told else 0.0
    score += ENTITY_BONUS * min(entities, _MOST_ENTITIES)
    if _FIRST_PERSON.search(told):
        score += FIRST_PERSON_BONUS
    if _DIGIT.search(text):
        score += NUMBER_BONUS
    if time_mentions(text, _ANY_DAY):
        score += TIME_BONUS
    if is_asked:
        score += ANSWER_BONUS
    return score * (_TOOL_SHARE if role == "tool" else 1.0)


def asks(sentence: str) -> bool:
    """Tell whether a sentence is a question by how it ends."""
    return bool(_QUESTION.search(sentence))

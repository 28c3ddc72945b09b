"""Reading what a judge wrote: right or wrong, however it was put; in doubt it is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal

Verdict = Literal["right", "wrong", "unclear"]
"""``unclear``: nothing in the text says either. It counts as wrong, and is counted."""

_THOUGHT: Final = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S | re.I)
_OBJECT: Final = re.compile(r"\{.*?\}", re.S)
_KEYS: Final = re.compile(
    r"verdict|label|correct|is_correct|right|result|judg\w*|decision|answer|score"
    r"|判断|结论|结果|判定|裁定|正确|是否正确", re.I
)  # fmt: skip
_LABELLED: Final = re.compile(
    r"(?:(?:final\s+)?(?:verdict|judge?ment|label|decision|answer|result)|判断|结论|结果|判定|裁定)"
    r"(?:\s+is)?\s*[:：=]\s*(.+)", re.I
)  # fmt: skip
_SENTENCE: Final = re.compile(r"[.!?;。！？；\n]+")
_HEDGE: Final = re.compile(
    r"\b(?:partial(?:ly)?|partly|mostly|almost|nearly|somewhat|maybe|perhaps|possibly|probably"
    r"|likely|might|may|could|unclear|unsure|uncertain|ambiguous|depends|half|but|however|though"
    r"|although|neither|either|or|cannot|arguably|seems?|appears?)\b"
    r"|not\s+(?:entirely|fully|quite|completely|exactly|sure|certain)"
    r"|部分|基本|大致|大体|可能|也许|或许|不确定|不好说|难以|无法|但|不过|然而|似乎|好像|一半|如果"
    r"|不完全|未必", re.I
)  # fmt: skip
_NO: Final = re.compile(
    r"\b(?:no|not|nope|wrong|incorrect|false|never|inaccurate|mismatch|fails?|failed|invalid)\b"
    r"|错|不正确|不对|不是|不符|不一致|否|没有|非正确|假", re.I
)  # fmt: skip
_YES: Final = re.compile(
    r"\b(?:yes|yep|yeah|correct|right|true|accurate|match(?:es)?|pass(?:es|ed)?)\b"
    r"|正确|^\s*对|[是为]对|对的|^\s*是|真|一致|符合", re.I
)  # fmt: skip
_BEGINS: Final = re.compile(rf"(?:{_NO.pattern}|{_YES.pattern}|{_HEDGE.pattern})", re.I)
_ALONE: Final = re.compile(rf"(?:{_NO.pattern}|{_YES.pattern})", re.I)
_SHORTENED: Final = re.compile(r"n['’]t\b", re.I)
_QUOTES: Final = re.compile(r"[*_`#\"'“”‘’「」【】]+")


def verdict(text: str) -> Verdict:
    """Tell what a judge means: one word, a sentence, JSON, in English or Chinese.

    A hedged judgement ("partly", "yes, but", 部分正确) is wrong.
    """
    said = _THOUGHT.sub(" ", text).strip()
    for found in _objects(said):
        return found
    said = _QUOTES.sub("", _SHORTENED.sub(" not", said))
    labelled = _LABELLED.findall(said)
    if labelled and (found := _of(_first(labelled[-1]))) != "unclear":
        return found
    sentences = [each.strip() for each in _SENTENCE.split(said) if each.strip()]
    if not sentences:
        return "unclear"
    # What begins with a verdict means it; who thinks aloud before ends with one.
    if not _BEGINS.match(sentences[0]) and _ALONE.fullmatch(sentences[-1]):
        return _of(sentences[-1])
    told = (_of(each) for each in [sentences[0], *reversed(sentences[1:])])
    return next((found for found in told if found != "unclear"), "unclear")


def _first(text: str) -> str:
    return next((each for each in _SENTENCE.split(text) if each.strip()), "")


def _of(sentence: str) -> Verdict:
    if _NO.search(sentence):
        return "wrong"
    if _YES.search(sentence):
        return "wrong" if _HEDGE.search(sentence) else "right"
    return "wrong" if _HEDGE.search(sentence) else "unclear"


def _objects(text: str) -> Iterator[Verdict]:
    """What the JSON objects in a text say, the last first."""
    for match in reversed(_OBJECT.findall(text)):
        try:
            told = json.loads(match)
        except ValueError:
            continue
        for key, value in told.items():
            if _KEYS.fullmatch(key.strip()) and (found := _value(value)) != "unclear":
                yield found


def _value(value: Any) -> Verdict:
    if isinstance(value, bool | int | float):
        # A score between no and yes is a hedge.
        return "right" if value == 1 else "wrong"
    return _of(_first(value)) if isinstance(value, str) else "unclear"

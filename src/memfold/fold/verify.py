"""Holding what a model wrote against what it was to summarise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memfold.fold.source import Source
from memfold.text.entities import retained
from memfold.text.scripts import language
from memfold.text.sentences import sentences
from memfold.types import Completion

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter
    from memfold.text.entities import EntityExtractor

# "Here is a summary:", alone on the first line.
_PREAMBLE = re.compile(r"\A[^\n]{1,120}[:：]\s*\n+")
_FENCE = re.compile(r"\A```[\w-]*\n(.*?)\n?```\Z", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
# Marks of lists and headings at the beginning of a line.
_MARK = re.compile(r"^[ \t]*(?:[-*•#>]+|\d{1,2}[.)、])[ \t]+", re.MULTILINE)
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_DIGITS = re.compile(r"\d+")
# Of more sentences than this share being made up, nothing of the answer is believed.
_MOST_MADE_UP = 0.5
# Languages that are told apart reliably enough to refuse an answer for.
_TOLD = frozenset({"zh", "ja", "ko", "en"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """``sentences`` of an answer that can stand; ``refused`` says why there are none.

    ``made_up`` are the details of an answer that its source does not have; the sentences with
    them were taken out.
    """

    sentences: tuple[str, ...]
    refused: str = ""
    made_up: tuple[str, ...] = ()


def verify(
    answer: Completion, source: Source, *, counter: TokenCounter, extractor: EntityExtractor
) -> Verdict:
    """Clean an answer of what is no summary, and check what is left.

    Refused is one that is empty, a refusal, not prose, in another language, no shorter than its
    source, or of which more than half is made up: names details (entities, or numbers of two
    and more digits) that the source does not have.
    """
    text = _cleaned(answer.text)
    if answer.finish == "refusal":
        return _no("the model refused")
    if not text:
        return _no("the answer is empty")
    if text[0] in "{[":
        return _no("the answer is not prose")
    spoken = language(text)
    if source.spoken in _TOLD and spoken != source.spoken:
        return _no(f"the answer is in another language ({spoken or 'none'})")
    if counter.count(text) >= source.tokens:
        return _no("the answer is no shorter than its source")
    said = [text[span.start : span.end] for span in sentences(text)]
    if answer.finish == "length" and len(said) > 1:
        said = said[:-1]  # cut off in the middle
    against = source.text
    made_up = [_unsupported(each, against, extractor) for each in said]
    kept = tuple(each for each, wrong in zip(said, made_up, strict=True) if not wrong)
    wrong = tuple(dict.fromkeys(each for found in made_up for each in found))
    if len(kept) < len(said) * (1 - _MOST_MADE_UP):
        return Verdict(sentences=(), refused="most of the answer is made up", made_up=wrong)
    return Verdict(sentences=kept, made_up=wrong)


def unsupported(text: str, source: str, extractor: EntityExtractor) -> tuple[str, ...]:
    """The details of a summary that its source does not have."""
    found = (
        wrong
        for span in sentences(text)
        for wrong in _unsupported(text[span.start : span.end], source, extractor)
    )
    return tuple(dict.fromkeys(found))


def _unsupported(sentence: str, source: str, extractor: EntityExtractor) -> list[str]:
    entities = extractor.extract(sentence)
    kept = retained(entities, source)
    wrong = [entity.text for entity in entities if entity.key not in kept]
    known = {_number(run) for run in _DIGITS.findall(source)}
    inside = " ".join(wrong)
    runs = (run for run in _DIGITS.findall(sentence) if len(_number(run)) > 1)
    return wrong + [run for run in runs if _number(run) not in known and run not in inside]


def _number(digits: str) -> str:
    return digits.lstrip("0")


def _no(reason: str) -> Verdict:
    return Verdict(sentences=(), refused=reason)


def _cleaned(text: str) -> str:
    """The summary itself: without what a model says around it, and the marks of a list."""
    text = _THOUGHT.sub("", text).strip()
    if match := _FENCE.match(text):
        text = match[1].strip()
    shortened = _PREAMBLE.sub("", text)
    text = shortened if shortened.strip() else text
    return _BOLD.sub(r"\1", _MARK.sub("", text)).strip()

"""Holding what a model wrote against what it was to summarise."""

from __future__ import annotations

import json
import re
import unicodedata
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
    from memfold.text.scripts import Language

# "Sure! Here is a summary of the conversation:", "以下是摘要：", "**Summary:**".
_PREAMBLE = re.compile(
    r"\A[\s*#]*"
    r"(?:(?:sure|certainly|of course|okay|ok)\b[,!. ]*|(?:好的|当然可以|当然|没问题)[，,！!。 ]*)?"
    r"(?:here(?:'s|’s| is| are)\b[^\n:：]{0,100}|(?:the |a )?summary"
    r"|(?:(?:以下|下面)[^\n:：]{0,20})?(?:对话)?(?:摘要|总结|概括|概要)(?:如下)?)"
    r"[*\s]*(?:[:：]|[.。](?=\s*\n))[*\s]*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?(?:```\s*)?\Z", re.DOTALL)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
# Templates that begin the thought themselves leave its end alone in the answer.
_AFTER_THOUGHT = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)
# Marks of lists and headings at the beginning of a line, and dates as lines of a source have.
_MARK = re.compile(r"^[ \t]*(?:[-*•#>]+|\d{1,2}[.)、])[ \t]+", re.MULTILINE)
_DATED = re.compile(r"^[ \t]*\[\d{4}-\d\d-\d\d(?:\.\.\d{4}-\d\d-\d\d)?\][ \t]*", re.MULTILINE)
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_JSON = re.compile(r"\A(?:\{\s*[\"'}]|\[\s*[\[{\"'\]])")
_NUMBER = re.compile(r"\d+(?:[,，]\d{3})+(?!\d)|\d+")
_THOUSANDS = re.compile(r"[,，]")
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
    text, refused = prose(answer, source.spoken)
    if refused:
        return _no(refused)
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


def prose(answer: Completion, spoken: Language) -> tuple[str, str]:
    """The text of an answer, cleaned; or "" and why there is none in the language ``spoken``."""
    if answer.finish == "refusal":
        return "", "the model refused"
    text = _cleaned(answer.text)
    if not text:
        return "", "the answer is empty"
    if _JSON.match(text):
        return "", "the answer is not prose"
    found = language(text)
    if not found:
        return "", "the answer has no words"
    if spoken in _TOLD and found != spoken:
        return "", f"the answer is in another language ({found})"
    return text, ""


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
    known = {_number(run) for run in _NUMBER.findall(source)}
    # Those of a date may be written in another way: it was looked at as a whole.
    stated = " ".join(entity.text for entity in entities if entity.kind == "date")
    inside = " ".join([stated, *wrong])
    runs = (run for run in _NUMBER.findall(sentence) if len(_number(run)) > 1)
    return wrong + [run for run in runs if _number(run) not in known and run not in inside]


def _number(digits: str) -> str:
    return _THOUSANDS.sub("", unicodedata.normalize("NFKC", digits)).lstrip("0")


def _no(reason: str) -> Verdict:
    return Verdict(sentences=(), refused=reason)


def _cleaned(text: str) -> str:
    """The summary itself: without what a model says around it, and the marks of a list."""
    text = _AFTER_THOUGHT.sub("", _THOUGHT.sub("", text)).strip()
    # A fence may stand behind the introduction, and another introduction in it.
    text = _PREAMBLE.sub("", text).strip()
    if match := _FENCE.match(text):
        text = _PREAMBLE.sub("", match[1].strip()).strip()
    text = _unwrapped(text)
    return _BOLD.sub(r"\1", _DATED.sub("", _MARK.sub("", text))).strip()


def _unwrapped(text: str) -> str:
    """The one text of a JSON object that holds nothing else; any other text as it is."""
    if not text.startswith("{"):
        return text
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    values = list(found.values())
    return values[0].strip() if len(values) == 1 and isinstance(values[0], str) else text

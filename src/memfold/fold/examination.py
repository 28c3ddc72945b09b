"""Answer accuracy of a summary: questions made from its source, answered from it alone.

As with :mod:`memfold.fold.ladder`, no model is called here: :func:`examine` yields what to ask.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from memfold.errors import LLMError
from memfold.fold.asking import Answer, Ask
from memfold.fold.prompting import prompt
from memfold.fold.source import Source
from memfold.text.entities import Entity, retained
from memfold.text.terms import query_terms, terms

_QUESTION_TOKENS, _ANSWER_TOKENS = 600, 60
# An answer that has this share of the expected answer's words is right.
_ENOUGH = 0.6
_ARRAY = re.compile(r"\[.*\]", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """Questions with the answers that the source gives, and which of them the summary gave."""

    questions: tuple[tuple[str, str], ...]
    right: tuple[bool, ...]

    @property
    def accuracy(self) -> float | None:
        """Share of the questions answered rightly; None when there were none."""
        return sum(self.right) / len(self.right) if self.right else None


def examine(summary: str, source: Source, *, count: int) -> Generator[Ask, Answer, Exam]:
    """Ask a model for ``count`` questions about the source, then each of them of the summary.

    A question counts only when its answer stands in the source. An answer that does not come is
    wrong; when no questions come, there is nothing to be right about.
    """
    asked = prompt("questions", source.spoken)
    answer = yield Ask(
        rung="questions",
        messages=asked.filled(count=count, source=source.text),
        max_tokens=_QUESTION_TOKENS,
        version=asked.version,
    )
    if isinstance(answer.result, LLMError):
        return Exam(questions=(), right=())
    found = tuple(_grounded(answer.result.text, source.text))[:count]
    right: list[bool] = []
    for question, expected in found:
        asked = prompt("answer", source.spoken)
        answer = yield Ask(
            rung="answer",
            messages=asked.filled(question=question, source=summary),
            max_tokens=_ANSWER_TOKENS,
            version=asked.version,
        )
        result = answer.result
        right.append(not isinstance(result, LLMError) and is_right(result.text, expected))
    return Exam(questions=found, right=tuple(right))


def is_right(given: str, expected: str) -> bool:
    """Whether an answer says what was expected: the same text, or most of its words."""
    if _stands(expected, given):
        return True
    wanted = set(query_terms(expected)) or set(terms(expected))
    return bool(wanted) and len(wanted & set(terms(given))) >= _ENOUGH * len(wanted)


def _grounded(text: str, source: str) -> Iterator[tuple[str, str]]:
    for each in _parsed(text):
        if not isinstance(each, dict):
            continue
        question, answer = each.get("question"), each.get("answer")
        if not isinstance(question, str) or not isinstance(answer, str | int | float):
            continue
        if question.strip() and _stands(str(answer), source):
            yield question.strip(), str(answer).strip()


def _stands(answer: str, text: str) -> bool:
    detail = Entity(kind="name", text=answer, start=0, end=len(answer))
    return bool(retained([detail], text))


def _parsed(text: str) -> list[Any]:
    """The JSON array in an answer, whatever stands around it."""
    match = _ARRAY.search(text)
    try:
        found = json.loads(match[0]) if match else []
    except ValueError:
        return []
    return found if isinstance(found, list) else []

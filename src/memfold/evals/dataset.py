"""A benchmark as plain values: histories, and questions whose evidence in them is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from memfold.errors import InvalidInput
from memfold.types import JSON


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One message of a history.

    ``message`` is the OpenAI-shaped dict that goes into the memory, ``text`` its readable text,
    ``session`` the id of its session, which is unique within the case.
    """

    id: str
    session: str
    role: str
    text: str
    at: datetime
    message: JSON = field(repr=False)
    speaker: str | None = None
    metadata: JSON | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """One session of a case: its messages in order."""

    id: str
    items: tuple[Item, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question with the ids of the items that answer it.

    ``answer`` is the published answer, '' when there is none; ``answer_sessions`` are the
    sessions that hold it, where the data set names them.
    """

    id: str
    text: str
    category: str
    evidence: tuple[str, ...]
    asked_at: datetime
    answer: str = ""
    answer_sessions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One user's history and what is asked about it after its last message."""

    id: str
    sessions: tuple[History, ...]
    questions: tuple[Question, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """All messages, session by session."""
        return tuple(item for session in self.sessions for item in session.items)


@dataclass(frozen=True, kw_only=True, slots=True)
class Dataset:
    """A benchmark as read from disk.

    ``files`` maps names to SHA-256 sums of the bytes on disk; ``skipped`` counts the questions
    that are not scored, by reason; ``dropped_evidence`` the evidence ids that name no message.
    """

    name: str
    files: Mapping[str, str]
    cases: tuple[Case, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)
    dropped_evidence: int = 0

    @property
    def questions(self) -> int:
        """How many questions are to be scored."""
        return sum(len(case.questions) for case in self.cases)

    def limited(self, limit: int) -> Dataset:
        """The same with its first ``limit`` questions, and only the cases that these need."""
        if limit < 1:
            raise InvalidInput(f"the limit is {limit}: at least one question must be asked")
        left = limit
        cases = []
        for case in self.cases:
            if kept := case.questions[:left]:
                cases.append(replace(case, questions=kept))
                left -= len(kept)
        beyond = self.questions - (limit - left)
        skipped = {**self.skipped, "beyond the limit": beyond} if beyond else self.skipped
        return replace(self, cases=tuple(cases), skipped=skipped)

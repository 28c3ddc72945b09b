"""Asking language models: each answer is recorded, each call accounted for, a dead server rests."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta

from memfold.errors import (
    LLMBadAnswer,
    LLMError,
    LLMRateLimited,
    LLMRejected,
    LLMTimeout,
    LLMUnavailable,
)
from memfold.fold.asking import Answer, Ask
from memfold.protocols import LLM, Store
from memfold.rows import OutputRow
from memfold.types import Completion, Scope, Usage

_REST, _LONGEST_REST = 60.0, 3600.0  # seconds after a failure, doubled with each that follows
_PATIENCE = (
    2  # failures in a row that may be due to the question, before a server is taken for dead
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The span of a session, at one revision, that a model is asked about."""

    scope: Scope
    first: int
    last: int
    revision: int


class Models:
    """The models that a memory may ask: the usual one, and perhaps a stronger one."""

    def __init__(
        self, store: Store, llm: LLM, strong: LLM | None, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._usual = _Reached(llm, now)
        self._strong = _Reached(strong, now) if strong is not None else self._usual

    def rest_until(self, *, strong: bool = False) -> datetime | None:
        """Until when a model is not asked, after it could not be reached; None when it may be."""
        return (self._strong if strong else self._usual).rest_until

    def ask(
        self,
        place: Place,
        asked: Ask,
        outside: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Answer:
        """The answer on record, or else the model's, which is then recorded.

        Whatever a model does comes back as an answer; one that rests is not asked. It is called
        within ``outside()``.
        """
        model = self._strong if asked.strong else self._usual
        key = _key(model.name, asked)
        known = self._store.output(place.scope, key)
        if known is not None:
            # On record for this session too: a fork goes on when the other is erased.
            self._record(place, key, known)
            return Answer(model=model.name, result=_from_bytes(known), usage=Usage())
        if (until := model.rest_until) is not None:
            resting = LLMUnavailable(f"not asked before {until.isoformat(timespec='seconds')}")
            return Answer(model=model.name, result=resting, usage=Usage())
        with outside():
            answer = model.call(asked)
        self._store.spend(place.scope, answer.usage)
        if isinstance(answer.result, Completion):
            self._record(place, key, _to_bytes(answer.result))
        return answer

    def _record(self, place: Place, key: str, body: bytes) -> None:
        row = OutputRow(key=key, first=place.first, last=place.last, body=body)
        self._store.put_output(place.scope, row, place.revision)


class _Reached:
    """One model, and how its server does."""

    def __init__(self, llm: LLM, now: Callable[[], datetime]) -> None:
        self.name = llm.name
        self._llm = llm
        self._now = now
        self._lock = threading.Lock()
        self._failures = self._excused = 0
        self._rest_until: datetime | None = None

    @property
    def rest_until(self) -> datetime | None:
        """Until when it is not asked."""
        with self._lock:
            if self._rest_until is not None and self._rest_until <= self._now():
                self._rest_until = None
            return self._rest_until

    def call(self, asked: Ask) -> Answer:
        """Ask it; never raises."""
        began = time.monotonic()
        try:
            found = self._llm.complete(asked.messages, max_tokens=asked.max_tokens)
        except Exception as error:  # a plugged-in part may raise anything
            failed = (
                error
                if isinstance(error, LLMError)
                else LLMError(f"{type(error).__name__}: {error}")
            )
            self._note(failed)
            usage = Usage(calls=1, failures=1, seconds=time.monotonic() - began)
            return Answer(model=self.name, result=failed, usage=usage)
        self._note(None)
        usage = Usage(
            calls=1,
            prompt_tokens=found.prompt_tokens,
            completion_tokens=found.completion_tokens,
            seconds=found.seconds,
        )
        return Answer(model=self.name, result=found, usage=usage)

    def _note(self, failed: LLMError | None) -> None:
        with self._lock:
            if failed is None or isinstance(failed, LLMBadAnswer):
                self._failures = self._excused = 0
                self._rest_until = None
                return
            if is_of_question(failed) and self._excused < _PATIENCE:
                self._excused += 1
                return
            rest = min(_REST * 2**self._failures, _LONGEST_REST)
            if isinstance(failed, LLMRateLimited) and failed.retry_after is not None:
                rest = min(max(failed.retry_after, 1.0), _LONGEST_REST)
            self._failures = min(self._failures + 1, 32)
            self._rest_until = self._now() + timedelta(seconds=rest)


def is_of_question(failed: object) -> bool:
    """Whether a failure may be due to what was asked: too slow to answer, too long to be read."""
    return isinstance(failed, LLMTimeout) or (
        isinstance(failed, LLMRejected) and failed.is_of_question
    )


def _key(model: str, asked: Ask) -> str:
    told = json.dumps(
        [model, asked.version, asked.max_tokens, [dict(each) for each in asked.messages]],
        sort_keys=True,
    )
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _to_bytes(found: Completion) -> bytes:
    told = {
        "text": found.text,
        "prompt_tokens": found.prompt_tokens,
        "completion_tokens": found.completion_tokens,
        "finish": found.finish,
    }
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _from_bytes(body: bytes) -> Completion:
    return Completion(**json.loads(body.decode("utf-8", "surrogatepass")), seconds=0.0)

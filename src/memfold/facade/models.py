"""Asking language models: each answer is recorded, each call accounted for, a dead server rests."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from memfold.errors import LLMBadAnswer, LLMError, LLMRateLimited, LLMTimeout
from memfold.fold.ladder import Answer, Ask
from memfold.protocols import LLM, Store
from memfold.rows import OutputRow
from memfold.types import Completion, Scope, Usage

_REST, _LONGEST_REST = 60.0, 3600.0  # seconds after a failure, doubled with each that follows

_PATIENCE = 2  # timeouts in a row before it is taken for dead


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
        self._llm = llm
        self._strong = strong
        self._now = now
        self._lock = threading.Lock()
        self._failures = self._timeouts = 0
        self._rest_until: datetime | None = None

    @property
    def rest_until(self) -> datetime | None:
        """Until when no model is asked, after one could not be reached; None when they may be."""
        with self._lock:
            if self._rest_until is not None and self._rest_until <= self._now():
                self._rest_until = None
            return self._rest_until

    def ask(self, place: Place, asked: Ask) -> Answer:
        """The answer on record, or else the model's, which is then recorded. Never raises."""
        llm = self._strong if asked.strong and self._strong is not None else self._llm
        key = _key(llm.name, asked)
        known = self._store.output(place.scope, key)
        if known is not None:
            return Answer(model=llm.name, result=_from_bytes(known), usage=Usage())
        answer = self._call(llm, asked)
        self._store.spend(place.scope, answer.usage)
        if isinstance(answer.result, Completion):
            row = OutputRow(
                key=key, first=place.first, last=place.last, body=_to_bytes(answer.result)
            )
            self._store.put_output(place.scope, row, place.revision)
        self._note(answer.result)
        return answer

    def _call(self, llm: LLM, asked: Ask) -> Answer:
        began = time.monotonic()
        try:
            found = llm.complete(asked.messages, max_tokens=asked.max_tokens)
        except Exception as error:  # a plugged-in part may raise anything
            failed = (
                error
                if isinstance(error, LLMError)
                else LLMError(f"{type(error).__name__}: {error}")
            )
            usage = Usage(calls=1, failures=1, seconds=time.monotonic() - began)
            return Answer(model=llm.name, result=failed, usage=usage)
        usage = Usage(
            calls=1,
            prompt_tokens=found.prompt_tokens,
            completion_tokens=found.completion_tokens,
            seconds=found.seconds,
        )
        return Answer(model=llm.name, result=found, usage=usage)

    def _note(self, result: Completion | LLMError) -> None:
        with self._lock:
            if not isinstance(result, LLMError) or isinstance(result, LLMBadAnswer):
                self._failures = self._timeouts = 0
                self._rest_until = None
                return
            if isinstance(result, LLMTimeout) and self._timeouts < _PATIENCE:
                self._timeouts += 1  # the question's fault, perhaps
                return
            rest = min(_REST * 2**self._failures, _LONGEST_REST)
            if isinstance(result, LLMRateLimited) and result.retry_after is not None:
                rest = min(max(result.retry_after, 1.0), _LONGEST_REST)
            self._failures += 1
            self._rest_until = self._now() + timedelta(seconds=rest)


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

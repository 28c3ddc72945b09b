"""Chat completions as OpenAI defined them, which most servers of language models speak."""

from __future__ import annotations

import asyncio
import math
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from memfold.errors import (
    InvalidInput,
    LLMRejected,
    LLMTimeout,
    LLMUnavailable,
    MissingExtra,
)
from memfold.llms.answers import plain, read_answer
from memfold.llms.connection import Connection
from memfold.llms.dialect import Dialect, Message
from memfold.text.given import listed, mapping, number, string, whole
from memfold.types import JSON, Completion

_OURS = frozenset(
    (
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "model",
        "n",
        "response_format",
        "stream",
        "temperature",
    )
)


class OpenAICompatible:
    """A model behind an OpenAI-compatible endpoint: OpenAI, a gateway, a server of one's own.

    Needs the extra `llm`: raises `MissingExtra` where that is not installed, `InvalidInput` for
    an argument that cannot be used. Whatever is None is read from the environment by OpenAI's
    client: `OPENAI_API_KEY`, `OPENAI_BASE_URL`. A `base_url` needs no key; mind that a key from
    the environment is sent to it.

    `timeout` bounds one call of `complete` in seconds, with everything in it: names looked up,
    retries, waits. At most `retries` times it tries again what may pass: connections that fail,
    408, 409, 429 and 5xx. It waits as long as `Retry-After` says, else 0.5 s and twice as long
    each time; where the wait does not fit, it raises at once. `context_tokens` is what the model
    takes, prompt and answer together; nothing is asked of the server for it. `extra` holds
    further fields of each request, such as `{"seed": 1}`.

    Asked for a schema, it uses strict `json_schema`, for which OpenAI wants every property to be
    required and `additionalProperties` false. An endpoint that refuses that is asked for a
    `json_object`, then without either, with the schema in the system text. What worked is
    remembered, as is an endpoint's wish for `max_completion_tokens` or no temperature.

    Safe to share between threads. The connection is made at the first call; `close` ends it,
    and the calls in progress.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        retries: int = 2,
        context_tokens: int = 8192,
        temperature: float = 0.0,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        if find_spec("openai") is None:
            raise MissingExtra("llm", "openai")
        if not string(model, "model"):
            raise InvalidInput("the model has no name")
        if base_url is not None and not _is_http(string(base_url, "base_url")):
            raise InvalidInput("base_url is no address that begins with http:// or https://")
        if api_key is not None:
            string(api_key, "api_key")
        if not 0 < number(timeout, "timeout") < math.inf:
            raise InvalidInput(f"timeout is {timeout}; it must be a positive number of seconds")
        whole(retries, "retries", least=0)
        whole(context_tokens, "context_tokens")
        number(temperature, "temperature")
        if taken := sorted(_OURS & set(mapping(extra, "extra"))):
            raise InvalidInput(f"extra may not hold {', '.join(taken)}")
        self._model = model
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries
        self._context_tokens = context_tokens
        self._temperature = temperature
        self._extra = plain(extra or {})
        self._dialect = Dialect()
        self._lock = threading.Lock()
        self._closed = False
        self._connection: Connection | None = None
        self._stop: Callable[[], object] | None = None

    def __repr__(self) -> str:
        where = f", base_url={_shown(self._base_url)!r}" if self._base_url else ""
        return f"OpenAICompatible({self._model!r}{where})"

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    @property
    def context_tokens(self) -> int:
        """The most tokens that a prompt and its answer may have together."""
        return self._context_tokens

    def complete(
        self, messages: Sequence[JSON], *, max_tokens: int, schema: JSON | None = None
    ) -> Completion:
        """Answer `messages` with at most `max_tokens` tokens, within the time limit.

        Raises LLMTimeout, LLMUnavailable, LLMRateLimited or LLMRejected for what their
        docstrings say, LLMBadAnswer (never tried again) for an answer without text.
        """
        began = time.monotonic()
        whole(max_tokens, "max_tokens")
        asked = [dict(mapping(plain(each), "a message")) for each in listed(messages, "messages")]
        future = self._begin(asked, max_tokens, plain(mapping(schema, "schema")) or None)
        try:
            body = future.result()
        except CancelledError:
            raise LLMUnavailable("closed while the language model was answering") from None
        finally:
            future.cancel()  # when this thread was interrupted, the request ends too
        return read_answer(body, messages=asked, seconds=time.monotonic() - began)

    def close(self) -> None:
        """Release the connection; calls in progress and later ones fail. Twice is fine."""
        with self._lock:
            self._closed = True
            if self._stop is not None:
                self._stop()

    def _begin(self, messages: list[Message], max_tokens: int, schema: JSON | None) -> Future[str]:
        with self._lock:
            if self._closed:
                raise LLMRejected("the language model was used after close()")
            if self._connection is None or not self._connection.alive:
                self._connection = Connection(base_url=self._base_url, api_key=self._api_key)
                # Also when this object is dropped, or the interpreter ends.
                self._stop = weakref.finalize(self, self._connection.stop)
            work = self._answer(self._connection, messages, max_tokens, schema)
            return self._connection.start(work)

    async def _answer(
        self,
        connection: Connection,
        messages: list[Message],
        max_tokens: int,
        schema: JSON | None,
    ) -> str:
        until = asyncio.get_running_loop().time() + self._timeout
        try:
            async with asyncio.timeout_at(until):
                return await self._ask(connection, messages, max_tokens, schema, until)
        except TimeoutError:
            pass  # raised below, without the client's own errors behind it
        raise LLMTimeout(f"the model {self._model!r} gave no answer in {self._timeout:g} s")

    async def _ask(
        self,
        connection: Connection,
        messages: list[Message],
        max_tokens: int,
        schema: JSON | None,
        until: float,
    ) -> str:
        """Ask until there is an answer; `until` is a time of the event loop's clock."""
        known = dialect = self._dialect
        failed = 0
        while True:
            request = dialect.request(
                messages, max_tokens=max_tokens, temperature=self._temperature, schema=schema
            )
            outcome = await connection.send(
                {"model": self._model, "extra_body": self._extra, **request}
            )
            if isinstance(outcome, str):
                if dialect != known:  # else another thread may have learnt more meanwhile
                    self._dialect = dialect
                return outcome
            other = dialect.after(outcome, has_schema=schema is not None)
            if other is not None:
                dialect = other
                continue
            failed += 1
            wait = outcome.delay(failed)
            left = until - asyncio.get_running_loop().time()
            if not outcome.is_passing or failed > self._retries or wait >= left:
                raise outcome.error
            await asyncio.sleep(wait)


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _shown(url: str) -> str:
    """The address without what may be secret: a user with a password, a query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

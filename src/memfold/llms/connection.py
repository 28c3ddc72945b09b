"""OpenAI's client in a background loop. Its errors end here: they hold the request and its key."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any

from memfold.errors import LLMRejected
from memfold.llms.background import Background
from memfold.llms.failures import Failure, of_connection, of_status

_NO_KEY = "none"


class Connection:
    """An open client; to be stopped.

    Raises LLMRejected without a key, unless there is a `base_url`.
    """

    def __init__(self, *, base_url: str | None, api_key: str | None) -> None:
        self._client = _client(base_url, api_key)
        # What the client imports late would be on the clock of the first request.
        self._create = self._client.chat.completions.with_raw_response.create
        self._background = Background()

    @property
    def alive(self) -> bool:
        """False once it was stopped, and in a forked process."""
        return self._background.alive

    @property
    def stop(self) -> Callable[[], None]:
        """What ends it, and every request in progress; holds no reference to this object."""
        background, close = self._background, self._client.close
        return lambda: background.stop(close)

    def start(self, work: Coroutine[Any, Any, str]) -> Future[str]:
        """Begin `work`, which may use `send`, and return at once."""
        return self._background.start(work)

    async def send(self, request: dict[str, Any]) -> str | Failure:
        """Send one request, once; return the body of the answer, or what went wrong."""
        import openai

        try:
            answer = await self._create(**request)
        except openai.APIStatusError as error:
            return of_status(
                error.status_code,
                reason=_message(error.body).replace(self._client.api_key, "***"),
                code=str(error.code or ""),
                parameter=str(error.param or ""),
                headers=error.response.headers,
            )
        except openai.APIConnectionError as error:
            return of_connection(type(error.__cause__).__name__)
        text: str = answer.text
        return text


def _client(base_url: str | None, api_key: str | None) -> Any:
    import openai

    if base_url and not api_key and not os.environ.get("OPENAI_API_KEY"):
        api_key = _NO_KEY  # the client insists on one, a server of one's own does not
    try:
        # One clock, and one hand that tries again: ours.
        client = openai.AsyncOpenAI(api_key=api_key, base_url=base_url, timeout=None, max_retries=0)
    except openai.OpenAIError:
        client = None
    if client is None or not client.api_key:
        raise LLMRejected("no API key: pass api_key, or set OPENAI_API_KEY")
    if not (client.api_key.isascii() and client.api_key.isprintable()):
        raise LLMRejected("the API key holds characters that cannot be sent")
    return client


def _message(body: object) -> str:
    """The words of an error's body, wherever an endpoint puts them."""
    if isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body.get("error")
    return body if isinstance(body, str) else ""

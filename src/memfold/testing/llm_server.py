"""A scripted OpenAI-compatible server, for tests of whatever calls a language model.

It answers over real HTTP on this machine exactly as its script says, failures included::

    with LLMServer(["First answer.", Answer.error(500), "Third answer."]) as server:
        ...  # something that asks for chat completions of server.base_url
    assert "RTX 4090" in server.requests[0].prompt
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any

from memfold.errors import InvalidInput
from memfold.testing.llm_answers import Answer, Request
from memfold.testing.llm_http import Endpoint

__all__ = ["Answer", "LLMServer", "Request"]

Script = Iterable[str | Answer] | Callable[[Request], str | Answer]

_USED_UP = Answer.error(400, "the script has no further answer")


class LLMServer:
    """Serves ``/v1/chat/completions`` and ``/v1/models`` on a free port until it is closed.

    ``script`` gives the answers: one a request, in the order in which the requests come in (when
    there are no more, the server refuses with status 400), or a function of the request, which
    may be called from several threads at once. A text stands for an answer with that text. What
    the function raises is raised again by ``close``.
    """

    def __init__(self, script: Script = (), *, model: str = "scripted") -> None:
        if isinstance(script, str):
            raise InvalidInput("a script is a list of answers or a function, not one text")
        self._answer = script if callable(script) else _in_order(script)
        self._lock = Lock()
        self._requests: list[Request] = []
        self._failures: list[Exception] = []
        self._closed = Event()
        self._endpoint = Endpoint(model=model, answer=self._answered, closed=self._closed)
        # Polled, so that closing is quick: twenty tests a second close one.
        self._thread = Thread(
            target=self._endpoint.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    def __enter__(self) -> LLMServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.close()
        except Exception:
            if error is None:  # which may well be due to this one
                raise

    @property
    def base_url(self) -> str:
        """What a client takes as its base URL."""
        return f"http://127.0.0.1:{self._endpoint.server_address[1]}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        """The chat completions asked for until now, in the order in which they came in."""
        with self._lock:
            return tuple(self._requests)

    def close(self) -> None:
        """Stop serving; connections that still wait for an answer are dropped.

        Raises what a function of the script raised. Closing twice is fine.
        """
        if self._closed.is_set():
            return
        self._closed.set()
        self._endpoint.shutdown()
        self._thread.join()
        self._endpoint.server_close()
        if self._failures:
            raise self._failures[0]

    def _answered(self, body: Mapping[str, Any], key: str) -> Answer:
        parameters = {name: value for name, value in body.items() if name != "messages"}
        request = Request(
            messages=tuple(body.get("messages") or ()),
            parameters=parameters,
            key=key,
            at=time.monotonic(),
        )
        with self._lock:
            self._requests.append(request)
        try:
            answer = self._answer(request)
        except Exception as error:
            self._failures.append(error)
            return Answer.error(500, "the script failed")
        return Answer(text=answer) if isinstance(answer, str) else answer


def _in_order(answers: Iterable[str | Answer]) -> Callable[[Request], str | Answer]:
    left, lock = iter(tuple(answers)), Lock()

    def following(_: Request) -> str | Answer:
        with lock:
            return next(left, _USED_UP)

    return following

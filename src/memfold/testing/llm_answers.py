"""What the scripted server is asked, and what it can be told to answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from memfold.types import JSON

_BYTES_A_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One chat completion that was asked for.

    ``parameters`` are the fields of its body but for the messages; ``key`` is the API key that
    came with it ("" for none), ``at`` the time it came in, in seconds of ``time.monotonic``.
    """

    messages: Sequence[JSON]
    parameters: JSON
    key: str = field(default="", repr=False)
    at: float = 0.0

    @property
    def prompt(self) -> str:
        """The texts of all messages, a line break between two."""
        return "\n".join(_text(message.get("content")) for message in self.messages)

    @property
    def schema(self) -> JSON | None:
        """The JSON Schema that the answer shall have, if one was asked for."""
        form: JSON = self.parameters.get("response_format") or {}
        schema: JSON | None = form.get("json_schema", {}).get("schema")
        return schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of the scripted server: plain text, or one of the kinds made below.

    ``finish`` is OpenAI's ``finish_reason``. It comes after ``delay`` seconds. Without
    ``has_usage`` it does not say how many tokens it took; with it, a token is four bytes of
    UTF-8. ``refused`` is the text of a refusal. ``body``, when given, is sent in place of all
    that; ``status`` and ``headers`` go with either. ``connection`` says what becomes of it:
    closed after the answer, closed without one, or held without one until the server closes.
    """

    text: str = ""
    finish: Literal["stop", "length", "content_filter"] = "stop"
    delay: float = 0.0
    has_usage: bool = True
    refused: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    connection: Literal["answered", "dropped", "held"] = "answered"

    @classmethod
    def error(
        cls,
        status: int,
        message: str = "scripted failure",
        *,
        code: str | None = None,
        param: str | None = None,
        retry_after: float | str | None = None,
    ) -> Answer:
        """An HTTP error in OpenAI's form; ``retry_after`` in seconds, or an HTTP date."""
        error = {"message": message, "type": "scripted", "param": param, "code": code}
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        return cls(status=status, headers=headers, body=json.dumps({"error": error}))

    @classmethod
    def cut(cls, text: str) -> Answer:
        """A text that ran out of tokens."""
        return cls(text=text, finish="length")

    @classmethod
    def refusal(cls, text: str) -> Answer:
        """A model that would not answer, and says so."""
        return cls(refused=text)

    @classmethod
    def no_choices(cls) -> Answer:
        """A completion in due form, with nothing in it."""
        return cls(body=json.dumps({"id": "c", "object": "chat.completion", "choices": []}))

    @classmethod
    def malformed(cls) -> Answer:
        """JSON that breaks off, with status 200."""
        return cls(body='{"id": "c", "object": "chat.completion", "choices": [{"mess')

    @classmethod
    def dropped(cls) -> Answer:
        """A connection that is closed without an answer."""
        return cls(connection="dropped")

    @classmethod
    def silence(cls) -> Answer:
        """No answer, for as long as the server runs."""
        return cls(connection="held")

    def rendered(self, request: JSON) -> str:
        """The body to send to the body of a ``request``."""
        if self.body is not None:
            return self.body
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.refused is not None:
            message |= {"content": None, "refusal": self.refused}
        completion: dict[str, Any] = {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": request.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish}],
        }
        if self.has_usage:
            asked = sum(_tokens(_text(m.get("content"))) for m in request.get("messages") or ())
            written = _tokens(self.text)
            completion["usage"] = {
                "prompt_tokens": asked,
                "completion_tokens": written,
                "total_tokens": asked + written,
            }
        return json.dumps(completion)


def _tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN)


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""

"""Reads what an endpoint answered; nothing in it is taken for granted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from memfold.errors import InvalidInput, LLMBadAnswer
from memfold.text.tokens import TiktokenCounter, count_messages
from memfold.types import JSON, Completion, Finish

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def plain(value: Any) -> Any:
    """Return `value` as dicts, lists and texts that can be sent: no lone surrogates.

    Raises InvalidInput for what is nested too deeply.
    """
    try:
        return _plain(value)
    except RecursionError as error:
        raise InvalidInput("what a model is asked is nested too deeply") from error


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def read_answer(body: str, *, messages: Sequence[JSON], seconds: float) -> Completion:
    """Return the first choice of a chat completion's JSON; `messages` are what was asked.

    Raises LLMBadAnswer when there is none, or no text in it.
    """
    answer = _object(body)
    choice = _first_choice(answer)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise LLMBadAnswer("the model's answer has no message")
    finish = _finish(choice.get("finish_reason"), message)
    text = plain(_text(message, finish))
    if not text.strip() and finish != "refusal":
        why = "it ran out of tokens first" if finish == "length" else f"finish: {finish}"
        raise LLMBadAnswer(f"the model's answer has no text ({why})")
    usage = answer.get("usage")
    given = usage if isinstance(usage, dict) else {}
    counter = TiktokenCounter()
    prompt, written = _count(given, "prompt_tokens"), _count(given, "completion_tokens")
    return Completion(
        text=text,
        prompt_tokens=count_messages(counter, messages) if prompt is None else prompt,
        completion_tokens=counter.count(text) if written is None else written,
        seconds=seconds,
        finish=finish,
    )


def _object(body: str) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise LLMBadAnswer("the endpoint's answer is no JSON object")
    return answer


def _first_choice(answer: dict[str, Any]) -> dict[str, Any]:
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise LLMBadAnswer("the endpoint's answer has no choices")
    return choices[0]


def _finish(reason: object, message: dict[str, Any]) -> Finish:
    if reason == "content_filter" or message.get("refusal"):
        return "refusal"
    return "length" if reason == "length" else "stop"


def _text(message: dict[str, Any], finish: Finish) -> str:
    text = message.get("content")
    if not text and finish == "refusal":
        text = message.get("refusal")
    return text if isinstance(text, str) else ""


def _count(usage: dict[str, Any], name: str) -> int | None:
    figure = usage.get(name)
    return figure if type(figure) is int and figure >= 0 else None

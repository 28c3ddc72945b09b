"""How an endpoint wants to be asked, which only its refusals tell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from memfold.llms.failures import Failure
from memfold.text.scripts import language
from memfold.types import JSON

Form = Literal["json_schema", "json_object", "text"]

_NEXT_FORM: Final[dict[Form, Form]] = {"json_schema": "json_object", "json_object": "text"}
_SCHEMA_NAME = "answer"
_UNSUPPORTED = frozenset(("unsupported_parameter", "unsupported_value"))
# Whatever the form, these stay what they are.
_NOT_THE_FORM = frozenset(("content_filter", "context_length_exceeded", "model_not_found"))
_ASK: Final = {
    "en": "Answer with one JSON object and nothing else. Its JSON Schema: ",
    "zh": "只输出一个 JSON 对象，不要输出其他内容。其 JSON Schema：",
}

Message = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """What an endpoint understands.

    `limit` is the name of the field that bounds the answer; `has_temperature` says whether a
    temperature may be given; `form` is the strongest way to ask for JSON of a schema.
    """

    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True
    form: Form = "json_schema"

    def request(
        self, messages: list[Message], *, max_tokens: int, temperature: float, schema: JSON | None
    ) -> dict[str, Any]:
        """Return the fields of a request, but for the model."""
        fields: dict[str, Any] = {"messages": messages, self.limit: max_tokens}
        if self.has_temperature:
            fields["temperature"] = temperature
        if schema is None:
            return fields
        if self.form == "json_schema":
            described = {"name": _SCHEMA_NAME, "schema": schema, "strict": True}
            fields["response_format"] = {"type": "json_schema", "json_schema": described}
            return fields
        if self.form == "json_object":
            fields["response_format"] = {"type": "json_object"}
        return {**fields, "messages": _with_schema(messages, schema)}

    def after(self, failure: Failure, *, has_schema: bool) -> Dialect | None:
        """Return another way to ask, where the failure may be due to this one."""
        if not failure.is_wording:
            return None
        if failure.code in _UNSUPPORTED:
            if failure.parameter == "max_tokens" and self.limit == failure.parameter:
                return replace(self, limit="max_completion_tokens")
            if failure.parameter == "temperature" and self.has_temperature:
                return replace(self, has_temperature=False)
        if has_schema and self.form in _NEXT_FORM and failure.code not in _NOT_THE_FORM:
            return replace(self, form=_NEXT_FORM[self.form])
        return None


def _with_schema(messages: Sequence[Message], schema: JSON) -> list[Message]:
    """Ask for the schema in words, in the system text: some templates allow only one, and first."""
    spoken = next((language(str(m.get("content") or "")) for m in reversed(messages)), "")
    words = _ASK["zh" if spoken == "zh" else "en"] + json.dumps(schema, ensure_ascii=False)
    if messages and messages[0].get("role") == "system":
        text = messages[0].get("content")
        if isinstance(text, str):
            return [{**messages[0], "content": f"{text}\n\n{words}"}, *messages[1:]]
    return [{"role": "system", "content": words}, *messages]

"""JSON of a schema, from endpoints that understand more and less of it."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from memfold.errors import LLMRejected
from memfold.testing.llm_server import Answer

pytestmark = pytest.mark.extra("llm")

SCHEMA = {
    "type": "object",
    "properties": {"摘要": {"type": "string"}},
    "required": ["摘要"],
    "additionalProperties": False,
}
REPLY = json.dumps({"摘要": "RTX 4090"}, ensure_ascii=False)


def forms(server):
    return [r.parameters.get("response_format", {}).get("type") for r in server.requests]


def understands(*understood):
    def answer(request):
        form = request.parameters.get("response_format", {}).get("type")
        return REPLY if form in understood else Answer.error(400, f"unknown format {form}")

    return answer


def summarise(llm, text="Sum up.", **options):
    return llm.complete([{"role": "user", "content": text}], max_tokens=50, **options).text


def test_a_schema_is_passed_on(ask):
    server, llm = ask([REPLY])
    assert summarise(llm, schema=SCHEMA) == REPLY
    assert server.requests[0].schema == SCHEMA
    assert server.requests[0].parameters["response_format"]["json_schema"]["strict"] is True
    assert "摘要" not in server.requests[0].prompt


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(
    ("understood", "asked"),
    [
        (("json_schema",), ["json_schema"]),
        (("json_object", None), ["json_schema", "json_object"]),
        ((None,), ["json_schema", "json_object", None]),
    ],
)
def test_an_endpoint_that_knows_less_is_asked_for_less_and_that_is_remembered(
    ask, status, understood, asked
):
    plain = understands(*understood)

    def script(request):
        answer = plain(request)
        return answer if isinstance(answer, str) else Answer.error(status)

    server, llm = ask(script, retries=0)
    assert summarise(llm, schema=SCHEMA) == REPLY
    assert forms(server) == asked
    assert summarise(llm, schema=SCHEMA) == REPLY
    assert forms(server) == [*asked, asked[-1]]


@pytest.mark.parametrize(
    ("text", "words"),
    [("Sum up.", "Answer with one JSON object"), ("请总结。", "只输出一个 JSON 对象")],
)
def test_the_schema_is_then_in_the_system_text(ask, text, words):
    server, llm = ask(understands(None))
    summarise(llm, text, schema=SCHEMA)
    system, question = server.requests[-1].messages
    assert system["role"] == "system"
    assert words in system["content"]
    assert json.dumps(SCHEMA, ensure_ascii=False) in system["content"]
    assert question == {"role": "user", "content": text}


def test_there_is_only_one_system_text(ask):
    server, llm = ask(understands(None))
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Sum up."}]
    llm.complete(messages, max_tokens=50, schema=SCHEMA)
    system, _ = server.requests[-1].messages
    assert system["content"].startswith("Be brief.\n\nAnswer with")
    assert messages[0] == {"role": "system", "content": "Be brief."}


def test_without_a_schema_nothing_else_is_tried(ask):
    server, llm = ask([Answer.error(400)])
    with pytest.raises(LLMRejected):
        summarise(llm)
    assert forms(server) == [None]


def test_a_refusal_for_another_reason_changes_nothing(ask):
    answers = [
        Answer.error(400, "too long", code="context_length_exceeded"),
        *[Answer.error(400, "bad message")] * 3,
        REPLY,
    ]
    server, llm = ask(answers)
    for _ in range(2):
        with pytest.raises(LLMRejected):
            summarise(llm, schema=SCHEMA)
    assert summarise(llm, schema=SCHEMA) == REPLY
    assert forms(server) == ["json_schema", "json_schema", "json_object", None, "json_schema"]


def test_newer_models_want_another_name_for_the_limit_and_no_temperature(ask):
    def script(request):
        for parameter, code in (
            ("max_tokens", "unsupported_parameter"),
            ("temperature", "unsupported_value"),
        ):
            if parameter in request.parameters:
                return Answer.error(400, param=parameter, code=code)
        return REPLY

    server, llm = ask(script, retries=0)
    assert summarise(llm, schema=SCHEMA) == REPLY
    assert summarise(llm, schema=SCHEMA) == REPLY
    assert len(server.requests) == 4
    last = server.requests[-1].parameters
    assert last["max_completion_tokens"] == 50
    assert last["response_format"]["type"] == "json_schema"


def test_a_call_that_ends_later_does_not_undo_what_was_learnt(ask):
    def script(request):
        if request.prompt.startswith("slow"):
            return Answer(text="slow", delay=0.5)
        return understands(None)(request)

    server, llm = ask(script)
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(summarise, llm, "slow")
        while not server.requests:
            time.sleep(0.01)
        summarise(llm, schema=SCHEMA)
        assert slow.result() == "slow"
    summarise(llm, schema=SCHEMA)
    assert forms(server) == [None, "json_schema", "json_object", None, None]

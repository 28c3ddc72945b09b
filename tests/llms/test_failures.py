"""What is tried again and what is not, and that no key comes to light."""

import json
import socket
import time
import traceback
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.errors import (
    LLMError,
    LLMRateLimited,
    LLMRejected,
    LLMTimeout,
    LLMUnavailable,
)
from memfold.llms import OpenAICompatible
from memfold.llms.failures import of_connection, retry_after
from memfold.testing.llm_server import Answer

pytestmark = pytest.mark.extra("llm")

KEY = "key-that-nobody-may-see"
QUESTIONS = [
    [{"role": "user", "content": "Which card?"}],
    [{"role": "user", "content": "哪块显卡？"}],
]


@pytest.fixture(params=QUESTIONS, ids=["en", "zh"])
def question(request):
    return request.param


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr("memfold.llms.failures._FIRST_WAIT", 0.02)


@pytest.mark.parametrize(
    "failure",
    [
        Answer.error(500),
        Answer.error(503, retry_after=0),
        Answer.error(408),
        Answer.error(409),
        Answer.error(429),
        Answer.error(429, retry_after=0.05),
        Answer(status=502, body="<html>Bad gateway</html>"),
        Answer.dropped(),
    ],
    ids=lambda answer: f"{answer.status} {answer.connection} {dict(answer.headers)}",
)
def test_what_may_pass_is_tried_again(ask, question, failure):
    server, llm = ask([failure, failure, "Here."])
    assert llm.complete(question, max_tokens=5).text == "Here."
    assert len(server.requests) == 3
    assert {request.messages == tuple(question) for request in server.requests} == {True}


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (Answer.error(500), LLMUnavailable),
        (Answer.error(529), LLMUnavailable),
        (Answer.dropped(), LLMUnavailable),
        (Answer.error(429, retry_after=0.01), LLMRateLimited),
    ],
)
def test_it_gives_up_after_the_retries(ask, question, failure, error):
    server, llm = ask([failure] * 5, retries=1)
    with pytest.raises(error):
        llm.complete(question, max_tokens=5)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "failure",
    [
        Answer.error(400, "the context is too long"),
        Answer.error(401),
        Answer.error(403),
        Answer.error(404, "no such model"),
        Answer.error(422),
        Answer.error(429, "you exceeded your quota", code="insufficient_quota"),
        Answer(status=404, body='{"error": "model not found"}'),
        Answer(status=418, body="teapot"),
    ],
    ids=lambda answer: str(answer.status),
)
def test_what_will_not_pass_is_not_tried_again(ask, question, failure):
    server, llm = ask([failure] * 3)
    with pytest.raises(LLMRejected, match=str(failure.status)):
        llm.complete(question, max_tokens=5)
    assert len(server.requests) == 1


def test_the_endpoints_words_are_in_the_error_but_not_endless(ask):
    _, llm = ask([Answer.error(404, "no model 模型\nhere" + "x" * 1000)])
    with pytest.raises(LLMRejected, match="no model 模型 here") as caught:
        llm.complete(QUESTIONS[0], max_tokens=5)
    assert len(str(caught.value)) < 300


def test_a_server_that_is_not_there_is_unavailable(question):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    llm = OpenAICompatible("m", base_url=f"http://127.0.0.1:{port}/v1", timeout=5)
    with pytest.raises(LLMUnavailable):
        llm.complete(question, max_tokens=5)
    llm.close()


def test_it_waits_as_long_as_it_is_told(ask):
    server, llm = ask([Answer.error(429, retry_after=0.4), "Now."])
    assert llm.complete(QUESTIONS[0], max_tokens=5).seconds >= 0.4
    first, second = server.requests
    assert second.at - first.at >= 0.4


def test_a_wait_beyond_the_time_limit_is_told_at_once(ask):
    server, llm = ask([Answer.error(429, retry_after=30)], timeout=5)
    with pytest.raises(LLMRateLimited) as caught:
        llm.complete(QUESTIONS[0], max_tokens=5)
    assert caught.value.retry_after == 30
    assert len(server.requests) == 1


def test_all_tries_together_stay_within_the_time_limit(ask):
    slow = replace(Answer.error(500), delay=0.15)
    _, llm = ask(lambda _: slow, timeout=0.5, retries=100)
    began = time.monotonic()
    with pytest.raises((LLMTimeout, LLMUnavailable)):
        llm.complete(QUESTIONS[0], max_tokens=5)
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("header", ["", "soon", "nan", "inf", "Mon, 99 Foo 2026"])
def test_a_retry_after_that_says_nothing_is_ignored(header):
    assert retry_after({"retry-after": header}) is None


def test_a_retry_after_may_be_a_date():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 55 < (retry_after({"retry-after": later}) or 0) <= 60
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 -0000"}) == 0
    assert retry_after({"retry-after": "-5"}) == 0


@given(st.integers(1, 10_000))
def test_waits_grow_and_end(tries):
    assert 0 < of_connection("x").delay(tries) <= 8


# Keys


def _everything(error):
    """Whatever a log could show of an error: its chain, its attributes."""
    shown = "".join(traceback.format_exception(error)) + repr(vars(error))
    return shown + "".join(_everything(e) for e in (error.__cause__, error.__context__) if e)


@pytest.mark.parametrize(
    "failure",
    [
        Answer.error(401, f"Incorrect API key provided: {KEY}"),
        Answer.error(400, f"what is {KEY}?"),
        Answer.error(500, f"what is {KEY}?"),
        Answer.error(429, f"too much of {KEY}"),
        Answer(status=400, body=json.dumps({"error": f"bad {KEY}"})),
        Answer.dropped(),
        Answer.malformed(),
        Answer.silence(),
    ],
    ids=lambda answer: f"{answer.status} {answer.connection}",
)
def test_no_error_shows_the_key(ask, failure):
    server, llm = ask([failure], api_key=KEY, retries=0, timeout=1.0)
    with pytest.raises(LLMError) as caught:
        llm.complete(QUESTIONS[0], max_tokens=5)
    assert server.requests[0].key == KEY
    assert KEY not in _everything(caught.value)
    assert KEY not in repr(llm)
    assert KEY not in repr(server.requests)


def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(ask):
    for key in ("钥匙", "a\nb"):
        _, llm = ask([], api_key=key)
        with pytest.raises(LLMRejected) as caught:
            llm.complete(QUESTIONS[0], max_tokens=5)
        assert key not in _everything(caught.value)


def test_without_key_and_address_it_says_what_is_missing(ask):
    _, llm = ask([], base_url=None)
    with pytest.raises(LLMRejected, match="OPENAI_API_KEY"):
        llm.complete(QUESTIONS[0], max_tokens=5)


def test_an_address_is_shown_without_what_may_be_secret():
    llm = OpenAICompatible("m", base_url="http://ann:hunter2@127.0.0.1:1/v1?token=hunter2")
    assert repr(llm) == "OpenAICompatible('m', base_url='http://127.0.0.1:1/v1')"

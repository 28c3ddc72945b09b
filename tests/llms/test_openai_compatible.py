"""The client against a scripted server, over real HTTP: answers, time limits, life cycle."""

import asyncio
import gc
import json
import os
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from memfold.errors import (
    InvalidInput,
    LLMBadAnswer,
    LLMRejected,
    LLMTimeout,
    LLMUnavailable,
    MissingExtra,
)
from memfold.llms import OpenAICompatible
from memfold.protocols import LLM
from memfold.testing.llm_server import Answer, LLMServer

pytestmark = pytest.mark.extra("llm")

TALKS = {
    "en": ("Sum up: the GPU is an RTX 4090.", "They have one RTX 4090."),
    "zh": ("请总结：显卡是 RTX 4090，24 GB 显存。", "他们有一块 RTX 4090。🙂"),
}


def user(text):
    return [{"role": "user", "content": text}]


@pytest.fixture(params=TALKS)
def talk(request):
    return TALKS[request.param]


def test_an_answer_has_text_tokens_and_time(ask, talk):
    question, reply = talk
    server, llm = ask([Answer(text=reply, delay=0.05)])
    completion = llm.complete(user(question), max_tokens=50)
    assert completion.text == reply
    assert completion.finish == "stop"
    assert completion.prompt_tokens == -(-len(question.encode()) // 4)
    assert completion.completion_tokens == -(-len(reply.encode()) // 4)
    assert 0.05 <= completion.seconds < 5
    (request,) = server.requests
    assert request.prompt == question
    assert request.parameters == {"model": "scripted", "max_tokens": 50, "temperature": 0.0}


def test_it_is_a_language_model_with_its_name_and_size(ask):
    _, llm = ask([], context_tokens=4096)
    model: LLM = llm
    assert (model.name, model.context_tokens) == ("scripted", 4096)


def test_tokens_are_counted_where_the_server_does_not(ask, talk):
    question, reply = talk
    _, llm = ask([Answer(text=reply, has_usage=False)])
    completion = llm.complete(user(question), max_tokens=50)
    assert 5 < completion.completion_tokens < 30
    assert completion.prompt_tokens > completion.completion_tokens


def test_an_answer_cut_short_says_so(ask, talk):
    _, llm = ask([Answer.cut(talk[1])])
    completion = llm.complete(user(talk[0]), max_tokens=5)
    assert (completion.text, completion.finish) == (talk[1], "length")


@pytest.mark.parametrize("words", ["I can't help with that.", "抱歉，我不能回答。"])
def test_a_refusal_is_an_answer(ask, words):
    _, llm = ask([Answer.refusal(words), Answer(finish="content_filter")])
    first, second = (llm.complete(user("?"), max_tokens=5) for _ in range(2))
    assert (first.text, first.finish) == (words, "refusal")
    assert (second.text, second.finish) == ("", "refusal")


@pytest.mark.parametrize(
    "answer",
    [
        Answer.malformed(),
        Answer.no_choices(),
        Answer(text=""),
        Answer(text=" \n"),
        Answer(text="", finish="length"),
        Answer(body="<html>Welcome to the hotel's network</html>"),
        Answer(body="[]"),
        Answer(body="[" * 100_000),
        Answer(body="{}"),
        Answer(body='{"choices": [null]}'),
        Answer(body='{"choices": [{"finish_reason": "stop"}]}'),
        Answer(body='{"choices": [{"message": {"content": ["a"]}}]}'),
        Answer(body='{"error": {"message": "upstream failed"}}'),
        Answer(body=""),
    ],
    ids=lambda answer: repr(answer.body or answer.text)[:30],
)
def test_an_answer_that_is_none_is_told_and_not_asked_for_again(ask, answer):
    server, llm = ask([answer])
    with pytest.raises(LLMBadAnswer):
        llm.complete(user("?"), max_tokens=5)
    assert len(server.requests) == 1


def test_odd_figures_of_usage_are_not_believed(ask):
    body = {
        "choices": [{"message": {"content": "Yes."}}],
        "usage": {"prompt_tokens": -1, "completion_tokens": "2"},
    }
    _, llm = ask([Answer(body=json.dumps(body))])
    completion = llm.complete(user("Is it?"), max_tokens=5)
    assert completion.prompt_tokens > 0
    assert completion.completion_tokens == 2


def test_halves_of_characters_are_sent_and_taken_as_replacement_characters(ask):
    server, llm = ask(['{"choices": 0}', Answer(text="好\ud83d")])
    assert llm.complete(user("显卡\udc00?"), max_tokens=5).text == '{"choices": 0}'
    assert server.requests[0].prompt == "显卡\ufffd?"
    assert llm.complete(user("?"), max_tokens=5).text == "好\ufffd"


def test_further_fields_go_with_every_request(ask):
    server, llm = ask(["a"], extra={"seed": 7, "top_k": 1}, temperature=0.5)
    llm.complete(user("?"), max_tokens=5)
    sent = server.requests[0].parameters
    assert (sent["seed"], sent["top_k"], sent["temperature"]) == (7, 1, 0.5)


# Time


def test_silence_ends_at_the_time_limit(ask):
    _, llm = ask([Answer.silence()] * 3, timeout=0.3)
    began = time.monotonic()
    with pytest.raises(LLMTimeout, match=r"0\.3 s"):
        llm.complete(user("?"), max_tokens=5)
    assert 0.25 < time.monotonic() - began < 3


def test_a_late_answer_is_in_time_or_not(ask):
    _, llm = ask([Answer(text="late", delay=0.2), Answer(text="too late", delay=5)], timeout=1.0)
    assert llm.complete(user("?"), max_tokens=5).text == "late"
    with pytest.raises(LLMTimeout) as caught:
        llm.complete(user("?"), max_tokens=5)
    assert isinstance(caught.value, TimeoutError)


def test_bytes_that_trickle_do_not_stretch_the_time_limit(trickling_url):
    llm = OpenAICompatible("m", base_url=trickling_url, timeout=0.5)
    began = time.monotonic()
    with pytest.raises(LLMTimeout):
        llm.complete(user("?"), max_tokens=5)
    assert time.monotonic() - began < 3
    llm.close()


@pytest.fixture
def trickling_url():
    """A server that sends a byte every 50 ms, for ever: no single read takes long."""
    ended = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def trickle():
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while not ended.wait(0.05):
                try:
                    connection.sendall(b"{")
                except OSError:
                    return

    thread = threading.Thread(target=trickle)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    ended.set()
    thread.join()
    listener.close()


def test_it_works_inside_a_running_event_loop(ask):
    _, llm = ask(["from a loop"])

    async def inside():
        return llm.complete(user("?"), max_tokens=5).text

    assert asyncio.run(inside()) == "from a loop"


def test_threads_share_it(ask):
    _, llm = ask(lambda request: Answer(text=request.prompt, delay=0.1))
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda n: llm.complete(user(f"第{n}"), max_tokens=5).text, range(24)))
    assert texts == [f"第{n}" for n in range(24)]


# Life cycle


def test_closing_ends_calls_in_progress_and_later_ones(ask):
    server, llm = ask([Answer.silence()])
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(llm.complete, user("?"), max_tokens=5)
        while not server.requests:
            time.sleep(0.01)
        llm.close()
        llm.close()
        with pytest.raises(LLMUnavailable, match="closed"):
            waiting.result()
    with pytest.raises(LLMRejected, match=r"close\(\)"):
        llm.complete(user("?"), max_tokens=5)


def test_what_was_never_used_can_be_closed(ask):
    _, llm = ask([])
    llm.close()


def test_one_that_is_dropped_leaves_no_thread():
    def threads():
        return sum(thread.name == "memfold-llm" for thread in threading.enumerate())

    with LLMServer(["a"]) as server:
        llm = OpenAICompatible("m", base_url=server.base_url)
        llm.complete(user("?"), max_tokens=5)
        assert threads() == 1
        del llm
        gc.collect()
        assert threads() == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_gets_a_connection_of_its_own():
    code = (
        "import os, sys\n"
        "from memfold.llms import OpenAICompatible\n"
        "from memfold.testing.llm_server import LLMServer\n"
        "with LLMServer(lambda request: request.prompt) as server:\n"
        "    llm = OpenAICompatible('m', base_url=server.base_url, timeout=5)\n"
        "    say = lambda text: llm.complete([{'role': 'user', 'content': text}], max_tokens=5)\n"
        "    say('before')\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        os._exit(0 if say('child').text == 'child' else 1)\n"
        "    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
        "    assert say('after').text == 'after'\n"
        "sys.exit(status)\n"
    )
    # Newer Pythons warn of every fork of a process with threads.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_interpreter_ends_quietly_without_close():
    code = (
        "from memfold.llms import OpenAICompatible\n"
        "from memfold.testing.llm_server import LLMServer\n"
        "server = LLMServer(['a'])\n"
        "llm = OpenAICompatible('m', base_url=server.base_url)\n"
        "print(llm.complete([{'role': 'user', 'content': '?'}], max_tokens=5).text)\n"
        "server.close()\n"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (run.returncode, run.stdout, run.stderr) == (0, "a\n", "")


# What is given


@pytest.mark.parametrize(
    "options",
    [
        {"model": ""},
        {"base_url": "localhost:8080"},
        {"base_url": "ftp://127.0.0.1/v1"},
        {"base_url": "http://"},
        {"base_url": "http://[::1/v1"},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"timeout": float("inf")},
        {"retries": -1},
        {"context_tokens": 0},
        {"extra": {"stream": True}},
        {"extra": {"messages": []}},
    ],
    ids=str,
)
def test_what_cannot_be_used_is_refused(options):
    with pytest.raises(InvalidInput):
        OpenAICompatible(**{"model": "m", **options})


def test_a_missing_package_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match=r"memfold\[llm\]"):
        OpenAICompatible("m")


def test_the_client_is_imported_at_the_first_call():
    code = (
        "import sys; from memfold.llms import OpenAICompatible; OpenAICompatible('m');"
        "print('openai' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False"]


def test_address_and_key_may_come_from_the_environment(ask, monkeypatch):
    server, llm = ask(["a"], base_url=None)
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-environment")
    assert llm.complete(user("?"), max_tokens=5).text == "a"
    assert server.requests[0].key == "key-of-the-environment"

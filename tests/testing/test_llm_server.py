"""The scripted server itself, asked without any client of a language model."""

import json
import threading
import urllib.error
import urllib.request

import pytest

from memfold.errors import InvalidInput
from memfold.testing.llm_server import Answer, LLMServer


def post(server, body, path="/chat/completions"):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(server.base_url + path, data=data)
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def ask(server, text):
    return post(server, {"model": "m", "messages": [{"role": "user", "content": text}]})


def test_answers_come_in_order_and_requests_are_kept():
    with LLMServer(["One.", "二。"]) as server:
        texts = [ask(server, t)["choices"][0]["message"]["content"] for t in ("first", "第二")]
    assert texts == ["One.", "二。"]
    assert [request.prompt for request in server.requests] == ["first", "第二"]
    assert server.requests[0].parameters == {"model": "m"}
    assert server.requests[0].schema is None


def test_a_used_up_script_refuses():
    with LLMServer([]) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            ask(server, "?")
        with caught.value as response:
            assert response.code == 400
            assert "no further answer" in response.read().decode()


def test_it_lists_its_model():
    with (
        LLMServer(model="tiny") as server,
        urllib.request.urlopen(f"{server.base_url}/models", timeout=10) as response,
    ):
        assert [model["id"] for model in json.load(response)["data"]] == ["tiny"]


def test_usage_is_four_bytes_a_token():
    with LLMServer(["显卡"]) as server:
        usage = ask(server, "abcde")["usage"]
    assert usage == {"prompt_tokens": 2, "completion_tokens": 2, "total_tokens": 4}


def test_parts_of_a_message_are_read():
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    with LLMServer(["."]) as server:
        post(server, {"messages": [{"role": "user", "content": parts}, {"role": "assistant"}]})
    assert server.requests[0].prompt == "a\nb\n"


@pytest.mark.parametrize(("path", "body"), [("/completions", {}), ("/chat/completions", b"[")])
def test_other_requests_are_not_found(path, body):
    with LLMServer(["."]) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(server, body, path)
        caught.value.close()
        assert caught.value.code == 404
    assert server.requests == ()


def test_closing_lets_go_of_who_waits():
    with LLMServer([Answer.silence()]) as server:
        left = []

        def wait():
            try:
                ask(server, "?")
            except OSError as error:
                left.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        while not server.requests:
            thread.join(0.01)
    thread.join(5)
    assert len(left) == 1


def test_what_a_script_raises_comes_to_light():
    def script(request):
        raise LookupError(f"no answer to {request.prompt}")

    server = LLMServer(script)
    with pytest.raises(urllib.error.HTTPError) as caught:
        ask(server, "this")
    caught.value.close()
    assert caught.value.code == 500
    with pytest.raises(LookupError, match="no answer to this"):
        server.close()
    server.close()


def test_an_error_of_the_test_itself_is_not_covered_up():
    def script(request):
        raise LookupError

    def use():
        with LLMServer(script) as server:
            try:
                ask(server, "?")
            except urllib.error.HTTPError as error:
                error.close()
            raise KeyError("the test's own")

    with pytest.raises(KeyError, match="own"):
        use()


def test_one_text_is_no_script():
    with pytest.raises(InvalidInput):
        LLMServer("Hello.")

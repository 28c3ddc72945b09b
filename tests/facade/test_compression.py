"""One call without a store: what stays, what is summarised, and what comes of doing it again."""

import pytest
from tests.facade.driving import check_openai

from memfold import InvalidInput, InvalidMessage, compress, expand_tool
from memfold.testing.llm_server import LLMServer

TALK = {
    "en": [
        "Our card is an RTX 4090 with 24 GB, bought from Brackwater on order PO-2026-0117.",
        "From now on answer in Chinese.",
        "The service listens on port 6432 and the config lies in /etc/kestrel/app.toml.",
    ],
    "zh": [
        "我们的显卡是 RTX 4090，24 GB 显存，采购单 CG-2026-0042。",
        "以后请用中文回答。",
        "服务监听 6432 端口，配置在 /etc/kestrel/app.toml。",
    ],
}
FILLER = {
    "en": "That morning the harbour was quiet and the boats of number {} came back late again.",
    "zh": "那天早上港口很安静，第 {} 号船又很晚才回来，大家都没有说什么。",
}


def history(spoken, filler=30):
    told = [*TALK[spoken], *(FILLER[spoken].format(100 + at) for at in range(filler))]
    return [
        {"role": ("user", "assistant")[at % 2] if at > 2 else "user", "content": text}
        for at, text in enumerate(told)
    ]


def call(at, output):
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": f"c{at}",
                    "type": "function",
                    "function": {"name": "read_log", "arguments": "{}"},
                }
            ],
        },
        {"role": "tool", "tool_call_id": f"c{at}", "content": output},
    ]


@pytest.mark.parametrize("spoken", ["en", "zh"])
def test_the_last_stay_and_the_rest_is_summarised(spoken):
    messages = history(spoken)
    found = compress(messages, window=4, max_tokens=200, embedder=None)
    assert list(found.kept) == messages[-4:]
    assert found.messages[-4:] == messages[-4:]
    check_openai(found.messages)
    assert found.tokens < found.source_tokens / 2
    assert "RTX 4090" in found.summary
    (item,) = found.standing
    assert item.text.strip() == TALK[spoken][1]
    assert any(TALK[spoken][1] in each["content"] for each in found.messages[:2])
    assert len(found.importance) == len(messages) - 4
    assert all(0 <= each <= 1 for each in found.importance)
    assert 0 < found.quality["entity_retention"] <= 1
    assert "semantic_similarity" not in found.quality
    assert found.expand("m1") == messages[0]
    with pytest.raises(KeyError):
        found.expand("m999")


def test_a_short_history_stays_whole():
    messages = history("en")[:5]
    found = compress(messages, embedder=None)
    assert (found.messages, found.summary, found.tokens) == (messages, "", found.source_tokens)
    assert compress([]).messages == []


def test_a_call_stays_with_its_results_and_old_output_is_masked():
    log = "\n".join(f"2026-01-02 line {at}: ok, code {at * 7}" for at in range(200))
    messages = [*call(0, log), *history("en"), *call(1, "short")]
    found = compress(messages, window=1, max_tokens=300, embedder=None)
    assert list(found.kept) == messages[-2:]
    check_openai(found.messages)
    (masked,) = found.masked
    assert masked.handle == "m2"
    assert masked.handle in masked.line
    assert found.expand(masked.handle)["content"] == log
    assert log[:300] not in str(found.messages)


@pytest.mark.parametrize("spoken", ["en", "zh"])
def test_compressing_again_takes_up_what_was_made(spoken):
    system = {"role": "system", "content": "You are the harbour's assistant."}
    found = compress([system, *history(spoken)], max_tokens=200, embedder=None)
    for round_ in range(5):
        more = [
            {"role": "user", "content": FILLER[spoken].format(500 + 10 * round_ + at)}
            for at in range(10)
        ]
        found = compress([*found.messages, *more], max_tokens=200, embedder=None)
        assert found.messages[0] == system
        assert sum(each["role"] == "system" for each in found.messages) == 3
        assert [item.text.strip() for item in found.standing] == [TALK[spoken][1]]
        assert found.tokens < 600


@pytest.mark.extra("llm")
def test_a_model_writes_the_summary_and_what_it_lost_is_mended():
    from memfold import OpenAICompatible

    def answer(request):
        return "The team runs its own model and keeps the log of the harbour's boats."

    with LLMServer(answer) as server:
        llm = OpenAICompatible("scripted", base_url=server.base_url, api_key="x")
        found = compress(history("en"), max_tokens=300, llm=llm, embedder=None)
        assert found.usage.calls == len(server.requests) > 0
    assert found.attempts
    assert "PO-2026-0117" in found.summary


@pytest.mark.parametrize(
    ("messages", "options"),
    [
        ([{"role": "user", "content": "x"}], {"window": -1}),
        ([{"role": "user", "content": "x"}], {"window": 1.5}),
        ([{"role": "user", "content": "x"}], {"max_tokens": 0}),
        ([{"role": "user", "content": "x"}], {"max_tokens": 5}),
        ([{"role": "user", "content": "x"}], {"at": "soon"}),
        ("text", {}),
        ({"role": "user"}, {}),
        (None, {}),
    ],
)
def test_what_cannot_be(messages, options):
    with pytest.raises(InvalidInput):
        compress(messages, **options)


def test_what_is_no_message():
    with pytest.raises(InvalidMessage):
        compress([{"content": "no role"}])


def test_the_tool_for_handles():
    openai, anthropic = expand_tool(), expand_tool("anthropic", language="zh")
    assert openai["function"]["name"] == anthropic["name"] == "expand"
    assert openai["function"]["parameters"] == {
        **anthropic["input_schema"],
        "properties": openai["function"]["parameters"]["properties"],
    }
    for shape, language in (("gemini", "en"), ("openai", "fr")):
        with pytest.raises(InvalidInput):
            expand_tool(shape, language=language)

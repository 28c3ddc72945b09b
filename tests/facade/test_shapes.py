"""Messages of all shapes go in and come out unchanged, with a receipt for each."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from tests.facade.driving import START, Clock, TinyEmbedder, check_anthropic, check_openai, texts

from memfold import to_anthropic

CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "stock", "arguments": '{"part": "RX-4410"}'},
}
SHAPES = {
    "text": {"role": "user", "content": "Our router is an RX-4410."},
    "chinese": {"role": "user", "content": "我们的路由器型号是 RX-4410，去年买的。"},
    "name": {"role": "user", "content": "Hi.", "name": "Miriam"},
    "system": {"role": "system", "content": "Answer in Chinese. 请用中文回答。"},
    "developer": {"role": "developer", "content": "Be brief."},
    "parts": {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        ],
    },
    "unknown fields": {"role": "assistant", "content": "ok", "x": {"y": [1, 2.5, None, True]}},
    "refusal": {"role": "assistant", "content": None, "refusal": "I can't help with that."},
    "numbers": {"role": "user", "content": "1", "seed": 12345678901234567890, "p": 0.1},
}
OPENAI_ROUND = [
    {"role": "user", "content": "How many RX-4410 are in stock?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "17 pieces, shelf B4"},
    {"role": "assistant", "content": "There are 17 of them, on shelf B4."},
]
ANTHROPIC_ROUND = [
    {"role": "user", "content": "杭州今天天气怎么样？"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "我查一下。"},
            {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "杭州"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "小雨，14 度"},
            {"type": "text", "text": "顺便看看明天。"},
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "今天小雨，14 度。"}]},
]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_message_comes_back_as_it_went_in(chat, shape):
    before = json.dumps(shape)
    receipt = chat.extend([shape])
    (message,) = chat.messages()
    assert message.raw == shape
    assert json.dumps(message.raw) == before == json.dumps(shape)
    assert (message.id, message.role) == (receipt.id, shape["role"])


def test_add_takes_the_fields_of_a_message(ann, chat):
    chat.add("assistant", None, tool_calls=[CALL])
    chat.add("tool", "17 pieces", tool_call_id="call_1", name="stock")
    assert [message.raw for message in chat.messages()] == [
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "content": "17 pieces", "tool_call_id": "call_1", "name": "stock"},
    ]
    (hit,) = ann.search("RX-4410", k=1)
    assert hit.message.id == "m1"


def test_a_field_may_have_any_name(chat):
    chat.add("user", "hello", self="me", id=7)
    assert chat.messages()[0].raw == {"role": "user", "content": "hello", "self": "me", "id": 7}


def test_objects_of_a_client_are_taken(chat):
    class Completion:
        def model_dump(self, *, exclude_none):
            assert exclude_none
            return {"role": "assistant", "content": "Done."}

    chat.extend([Completion()])
    assert chat.messages()[0].raw == {"role": "assistant", "content": "Done."}


@pytest.mark.parametrize("talk", [OPENAI_ROUND, ANTHROPIC_ROUND], ids=["openai", "anthropic"])
def test_tool_rounds_are_kept_whole_and_fit_both_providers(chat, talk):
    chat.extend(talk)
    assert [message.raw for message in chat.messages()] == talk
    context = chat.context("And the day after? 后天呢？", max_tokens=1000)
    assert not check_openai(context.messages)
    assert sum(message["role"] == "tool" for message in context.messages) == 1
    _, turns = to_anthropic(context.messages)
    check_anthropic(turns)


def test_what_tools_said_is_found(ann, chat):
    chat.extend([*OPENAI_ROUND, *ANTHROPIC_ROUND])
    assert ann.search("shelf", k=1)[0].message.text in (
        "17 pieces, shelf B4",
        "There are 17 of them, on shelf B4.",
    )
    assert "小雨" in ann.search("小雨", k=1)[0].message.text


def test_a_receipt_says_what_was_done(open_memory):
    chat = open_memory().user("ann").session("chat")
    receipt = chat.extend([{"role": "user", "content": "one"}, {"role": "user", "content": "two"}])
    assert receipt.ids == ("m1", "m2")
    assert receipt.count("stored") == 2
    assert receipt.indexed == {"words"}
    assert not receipt.pending
    assert chat.extend([]).items == ()


def test_a_receipt_says_when_vectors_come_later(open_memory, tmp_path):
    now = open_memory(embedder=TinyEmbedder()).user("ann").session("chat").add("user", "hi")
    assert now.indexed == {"words", "vectors"}
    assert not now.pending
    later = open_memory(tmp_path / "m.db", embedder=TinyEmbedder(), background=True)
    receipt = later.user("ann").session("chat").add("user", "hi")
    assert receipt.indexed == {"words"}
    assert receipt.pending == {"vectors"}


def test_the_same_key_adds_nothing(ann, chat):
    first = chat.add("user", "The code is 4471.", key="msg-1")
    again = chat.add("user", "The code is 4471.", key="msg-1")
    assert (again.id, again.items[0].outcome) == (first.id, "known")
    assert again.items[0].reason
    elsewhere = ann.session("other").add("user", "The code is 4471.", key="msg-1")
    assert elsewhere.items[0].outcome == "known"
    assert chat.length == 1
    assert [info.id for info in ann.sessions()] == ["chat"]


def test_an_import_twice_adds_nothing(ann, chat):
    keys = [f"line-{at}" for at in range(len(OPENAI_ROUND))]
    first = chat.extend(OPENAI_ROUND, keys=keys)
    more = [*OPENAI_ROUND, {"role": "user", "content": "Thanks."}]
    again = chat.extend(more, keys=[*keys, "line-4"])
    assert again.ids[:4] == first.ids
    assert (again.count("known"), again.count("stored")) == (4, 1)
    assert ann.stats().messages == 5


def test_what_was_forgotten_is_not_imported_again(ann, chat):
    chat.add("user", "My number is 555-0100.", key="k")
    ann.forget(["m1"])
    (item,) = chat.add("user", "My number is 555-0100.", key="k").items
    assert (item.id, item.outcome) == ("", "erased")
    assert "on purpose" in item.reason
    assert ann.search("number") == []


def test_times_and_metadata_are_the_messages_own(open_memory):
    memory = open_memory(clock=Clock(), zone="Asia/Shanghai")
    chat = memory.user("ann").session("chat")
    chat.add("user", "first", at=datetime(2023, 5, 7, 20, tzinfo=UTC), metadata={"source": "mail"})
    chat.add("user", "naive", at=datetime(2023, 5, 8, 9))
    chat.add("user", "text", at="2023-05-08T10:00:00+02:00")
    chat.add("user", "now")
    found = chat.messages()
    assert [message.at for message in found] == [
        datetime(2023, 5, 7, 20, tzinfo=UTC),
        datetime(2023, 5, 8, 1, tzinfo=UTC),
        datetime(2023, 5, 8, 8, tzinfo=UTC),
        START + timedelta(minutes=4),
    ]
    assert all(message.at.tzinfo is UTC for message in found)
    assert [message.metadata for message in found] == [{"source": "mail"}, {}, {}, {}]
    assert found[0].recorded_at == START + timedelta(minutes=1)


def test_extend_takes_one_time_or_one_each(chat):
    batch = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    chat.extend(batch, at="2023-05-07")
    chat.extend(batch, at=["2023-05-08", None], metadata=[{"n": 1}, None])
    found = chat.messages()
    assert [message.at.day for message in found[:3]] == [7, 7, 8]
    assert found[3].at > datetime(2024, 1, 1, tzinfo=UTC)
    assert [message.metadata for message in found[2:]] == [{"n": 1}, {}]


def test_days_are_those_of_the_zone(open_memory):
    late = datetime(2023, 5, 7, 23, 30, tzinfo=timezone(timedelta(hours=-5)))  # the 8th, in UTC
    for zone, day in [("UTC", "2023-05-08"), ("America/Chicago", "2023-05-07")]:
        ann = open_memory(zone=zone).user("ann")
        ann.session("chat").add("user", "The vault code is 8815.", at=late)
        context = ann.session("new").context("What is the vault code?", max_tokens=90)
        assert f"{day}\nm1 user: The vault code is 8815." in context.text


def test_messages_are_read_by_position(chat):
    chat.extend([{"role": "user", "content": str(at)} for at in range(6)])
    assert texts(chat.messages(2, 3)) == ["2", "3"]
    assert texts(chat.messages(4)) == ["4", "5"]
    assert chat.messages(9) == []
    assert [message.position for message in chat.messages()] == list(range(6))
    assert chat.length == 6


def test_sessions_tell_when_they_began(open_memory):
    ann = open_memory(clock=Clock()).user("ann")
    ann.session("a").add("user", "one")
    ann.session("b").add("user", "two")
    ann.session("a").add("user", "three")
    first, second = ann.sessions()
    assert (first.id, first.messages, first.parent) == ("a", 2, None)
    assert first.last - first.began == timedelta(minutes=2)
    assert second.began == second.last


def test_a_session_without_a_name_gets_one(ann):
    one, two = ann.session(), ann.session()
    assert one.id != two.id
    one.add("user", "hello")
    assert texts(ann.session(one.id).messages()) == ["hello"]

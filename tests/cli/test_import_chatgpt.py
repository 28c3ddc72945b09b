"""ChatGPT's own export: the branch that was last seen, as plain messages."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memfold import Memory
from memfold.adapters.files import import_file


def node(id, parent, role, content, *, at=None, name=None, **metadata):
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    message = {
        "id": id,
        "author": {"role": role, "name": name, "metadata": {}},
        "create_time": at,
        "content": content,
        "metadata": metadata,
        "recipient": "all",
    }
    return {"id": id, "message": message, "parent": parent, "children": []}


NODES = [
    {"id": "root", "message": None, "parent": None, "children": ["s"]},
    node("s", "root", "system", "", is_visually_hidden_from_conversation=True),
    node("q", "s", "user", "显卡是什么型号？", at=1_772_323_200.5),
    node("a1", "q", "assistant", "The branch that was left.", at=1_772_323_201),
    node("a2", "q", "assistant", "An RTX 4090.", at=1_772_323_202),
    node("c", "a2", "assistant", {"content_type": "code", "text": "print(4090)"}),
    node("t", "c", "tool", {"content_type": "execution_output", "text": "4090"}, name="python"),
    node(
        "p",
        "t",
        "user",
        {
            "content_type": "multimodal_text",
            "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "x"}, "This one?"],
        },
    ),
    node("e", "p", "assistant", {"content_type": "thoughts", "thoughts": []}),
    node("z", "e", "assistant", "Yes."),
]
CONVERSATION: dict[str, Any] = {
    "title": "Graphics",
    "create_time": 1_772_323_199.0,
    "mapping": {each["id"]: each for each in NODES},
    "current_node": "z",
    "conversation_id": "6a-1",
    "id": "6a-1",
}
SAID = [
    ("user", "显卡是什么型号？"),
    ("assistant", "An RTX 4090."),
    ("assistant", "print(4090)"),
    ("function", "4090"),
    ("user", "[image]\nThis one?"),
    ("assistant", "Yes."),
]


@pytest.fixture
def user():
    with Memory(embedder=None, background=False) as memory:
        yield memory.user("ann")


def put(user, tmp_path, conversations, **options):
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(conversations, **options))
    return import_file(user, path)


@pytest.mark.parametrize("indent", [None, 1])
def test_the_branch_that_was_last_seen(user, tmp_path, indent):
    report = put(user, tmp_path, [CONVERSATION], indent=indent)
    assert (report.stored, report.refused, report.sessions) == (6, 0, ("6a-1",))
    messages = user.session("6a-1").messages()
    assert [(message.role, message.text) for message in messages] == SAID
    assert messages[0].at == datetime(2026, 3, 1, 0, 0, 0, 500_000, tzinfo=UTC)
    assert messages[3].name == "python"
    assert {message.metadata["title"] for message in messages} == {"Graphics"}
    assert put(user, tmp_path, [CONVERSATION]).known == 6


def test_a_conversation_that_went_on(user, tmp_path):
    put(user, tmp_path, [CONVERSATION])
    more = {**CONVERSATION["mapping"], "w": node("w", "z", "user", "Thanks!")}
    report = put(user, tmp_path, [{**CONVERSATION, "mapping": more, "current_node": "w"}])
    assert (report.stored, report.known, report.notes) == (1, 6, ())


def test_odd_trees(user, tmp_path):
    loop = {"a": node("a", "b", "user", "one"), "b": node("b", "a", "assistant", "two")}
    odd = [
        {**CONVERSATION, "id": "1", "conversation_id": None, "current_node": "nowhere"},
        {"conversation_id": "2", "mapping": loop, "current_node": "b"},
        {"conversation_id": "3", "mapping": {"a": 7, "b": {"message": []}}, "current_node": "a"},
        {"conversation_id": "4", "mapping": {}},
        {"conversation_id": "5", "mapping": {"a": node("a", None, None, "by nobody")}},
        {"mapping": {"a": node("a", None, "user", "of no name")}},
    ]
    report = put(user, tmp_path, odd)
    assert report.sessions == ("1", "2", "conversations-1")
    assert report.refused == 1
    assert user.session("1").length == 6
    assert [message.text for message in user.session("2").messages()] == ["one", "two"]

"""``memfold quality``: on a memory file, on a file of chats, and on what is neither."""

import json

import pytest
from tests.facade.scripted import conversation, questions, said, serving

from memfold import FoldConfig, Memory

both = pytest.mark.parametrize("spoken", ["en", "zh"])


@pytest.fixture
def chats(tmp_path):
    def write(spoken, name="chat.json"):
        path = tmp_path / name
        path.write_text(json.dumps(said(spoken, 40), ensure_ascii=False), "utf-8")
        return path

    return write


@both
def test_a_memory_file(memfold, chats, spoken):
    assert memfold("import", str(chats(spoken)), "--db", "m.db").code == 0
    for arguments in (["--db", "m.db"], ["m.db"]):
        ran = memfold("quality", *arguments, "--json")
        assert (ran.code, ran.err) == (0, "")
        level = ran.json["levels"]["1"]
        assert level["folds"] >= 2
        assert 0 < level["entity_retention"] <= 1
        assert 0 < level["semantic_similarity"] <= 1
        assert len(ran.json["folds"]) >= level["folds"]
    plain = memfold("quality", "m.db")
    assert plain.code == 0
    assert "level" in plain.out
    assert memfold("quality", "m.db", "--session", "chat", "--json").json == ran.json


@both
def test_a_file_of_chats_is_folded_for_the_report_and_left_as_it_was(
    memfold, chats, spoken, tmp_path
):
    path = chats(spoken)
    before = path.read_bytes()
    ran = memfold("quality", str(path), "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["levels"]["1"]["folds"] >= 2
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_each_fold_that_falls_short_is_told_with_the_reason(memfold, tmp_path):
    config = FoldConfig(window=0, segment_messages=4, segment_tokens=20, fan_out=50)
    with Memory(tmp_path / "m.db", fold=config, background=False) as memory:
        memory.user("me").session("s").extend(said("en", 120))
    ran = memfold("quality", "m.db")
    assert ran.code == 0
    assert "f1 (level 1, s, messages 1 to 4): entity retention 0." in ran.out
    assert "more that fall short; --json has all" in ran.out


@pytest.mark.extra("llm")
@both
def test_a_reader_answers_from_the_folds(memfold, chats, spoken):
    def script(request):
        if "<notes>" in request.prompt:
            return "H-001" if "H-001" in request.prompt else "unknown"
        return questions(("Which?", "H-001")) if "H-001" in conversation(request) else "[]"

    with serving(script) as server:
        ran = memfold(
            "quality", str(chats(spoken)), "--reader", "any", "--url", server.base_url, "--json"
        )
    assert (ran.code, ran.err) == (0, "")
    first, *others = ran.json["folds"]
    assert first["answers"] in (0.0, 1.0)
    assert {each["answers"] for each in others if each["level"] == 1} == {None}


@pytest.mark.extra("llm")
def test_a_reader_at_an_address_that_is_none(memfold, chats):
    ran = memfold("quality", str(chats("en")), "--reader", "any", "--url", "nowhere")
    assert ran.code != 0
    assert ran.err.startswith("memfold: ")
    assert ran.err.count("\n") == 1


def test_nothing_folded_yet(memfold):
    memfold("add", "user", "hello")
    ran = memfold("quality")
    assert (ran.code, ran.out) == (
        0,
        "nothing is folded yet: the newest messages stand as they are\n",
    )
    assert memfold("quality", "--json").json["folds"] == []


@pytest.mark.parametrize("kind", ["folder", "missing", "empty", "notes", "no memory", "session"])
def test_what_cannot_be_reported_on(memfold, tmp_path, kind):
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "notes").write_text("谁动了我的奶酪\n" * 9, "utf-8")
    arguments = [kind]
    if kind == "no memory":
        arguments = []
    if kind == "session":
        memfold("add", "user", "hello")
        arguments = ["--session", "none"]
    before = sorted(each.name for each in tmp_path.iterdir())
    ran = memfold("quality", *arguments)
    assert ran.code in (1, 4), ran
    assert ran.out == ""
    assert ran.err.startswith("memfold: ")
    assert ran.err.count("\n") == 1
    assert memfold("quality", *arguments, "--json").json["error"]["exit_code"] == ran.code
    assert sorted(each.name for each in tmp_path.iterdir()) == before

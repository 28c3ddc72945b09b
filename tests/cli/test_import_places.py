"""Files of one name: two files are never one session, and one file is never two."""

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold import InvalidInput, Memory
from memfold.adapters.files import import_file

HELLO = {"role": "user", "content": "你好！Hello!"}
WORDS = st.lists(st.sampled_from(["hi", "早", "bye"]), min_size=1, max_size=5)


def said(*texts):
    return [{"role": "user", "content": text} for text in texts]


def lines(values):
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


@pytest.fixture
def user():
    with Memory(embedder=None, background=False) as memory:
        yield memory.user("ann")


@pytest.fixture
def put(user, tmp_path):
    """Imports messages as ``folder/chat.jsonl``."""

    def put(folder, messages, **options):
        path = tmp_path / folder / "chat.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(lines(messages))
        return import_file(user, path, **options)

    return put


def stored(user):
    return {
        info.id: [message.text for message in user.session(info.id).messages()]
        for info in user.sessions()
    }


def test_two_files_of_one_name_are_two_sessions(user, put):
    put("a", [HELLO, *said("one")])
    report = put("b", [HELLO, *said("two", "three")])
    assert (report.stored, report.known, report.sessions) == (3, 0, ("chat~2",))
    assert "'chat' holds another file's messages" in report.notes[0]
    put("c", said("quite another"))
    kept = {
        "chat": [HELLO["content"], "one"],
        "chat~2": [HELLO["content"], "two", "three"],
        "chat~3": ["quite another"],
    }
    assert stored(user) == kept
    for folder, messages in (
        ("d", [HELLO, *said("one")]),
        ("e", [HELLO]),
        ("f", said("quite another")),
        ("g", [HELLO, *said("two", "three")]),
    ):
        report = put(folder, messages)
        assert (report.stored, report.known) == (0, len(messages))
    assert stored(user) == kept
    assert put("b", [HELLO, *said("two", "three", "four")]).stored == 1
    assert stored(user)["chat~2"][-1] == "four"


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_every_session_is_one_of_the_files(files):
    with Memory(embedder=None, background=False) as memory:
        user = memory.user("ann")
        for _ in range(2):
            for texts in files:
                import_file(user, BytesIO(lines(said(*texts))))
            kept = list(stored(user).values())
            assert all(texts in files for texts in kept)
            assert all(any(each[: len(texts)] == texts for each in kept) for texts in files)
            assert len(kept) == len({tuple(each) for each in kept})
            assert len(kept) <= len({tuple(texts) for texts in files})


def test_long_files_that_part_late(user, put):
    many = [{"role": "user", "content": f"line {at}"} for at in range(1_300)]
    put("a", many)
    other = [*many[:1_250], *said("from here on another")]
    assert put("b", other).stored == len(other)
    assert put("b", other).known == len(other)
    assert [len(texts) for texts in stored(user).values()] == [1_300, 1_251]


def test_equal_words_at_other_times_are_other_messages(user, put):
    put("a", [{**HELLO, "time": "2026-03-01T08:00:00Z"}])
    assert put("b", [{**HELLO, "time": "2026-03-02T08:00:00Z"}]).sessions == ("chat~2",)


def test_a_session_that_was_written_by_hand_is_left_alone(user, put):
    user.session("chat").add("user", "by hand")
    assert put("a", [HELLO]).sessions == ("chat~2",)


def test_what_was_erased_does_not_come_back_in_another_session(user, put):
    talk = [HELLO, *said("one", "two")]
    put("a", talk)
    user.forget(["m1", "m3"])
    report = put("a", [*talk, *said("three")])
    assert (report.stored, report.known, report.erased) == (1, 1, 2)
    assert stored(user) == {"chat": ["one", "three"]}
    user.session("chat").erase()
    assert put("a", talk).erased == 3
    assert stored(user) == {}


def test_a_message_that_cannot_be_kept_makes_no_other_file(user, put):
    talk = [{"role": "wizard", "content": "x"}, HELLO, {"role": "user"}, *said("one")]
    for expected in (2, 0):
        report = put("a", talk)
        assert (report.stored, report.refused) == (expected, 2)
    assert list(stored(user)) == ["chat"]


def test_unnamed_conversations_of_one_file(user, put):
    put("a", [{"messages": [HELLO]}, {"messages": said("one")}])
    report = put("b", [{"messages": [HELLO]}, {"messages": said("two")}])
    assert report.sessions == ("chat-2~2", "chat-1")
    assert stored(user) == {
        "chat-1": [HELLO["content"]],
        "chat-2": ["one"],
        "chat-2~2": ["two"],
    }


def test_a_session_that_is_named_takes_all_and_says_so(user, put):
    assert put("a", [HELLO, *said("one")], session="s").notes == ()
    assert put("a", [HELLO, *said("one", "two")], session="s").notes == ()
    report = put("b", [HELLO, *said("other")], session="s")
    assert (report.stored, report.known) == (1, 1)
    assert "'s' holds other messages too" in report.notes[0]
    assert put("b", [HELLO, *said("other")], session="s").notes == ()
    report = put("c", [{**HELLO, "session": "s"}, {**HELLO, "session": "s"}])
    assert "'s' holds other messages too" in report.notes[0]


def test_standard_input_is_no_other_file_either(memfold):
    for text in ("one", "two", "one"):
        talk = lines([HELLO, *said(text)]).decode()
        assert memfold("import", "-", stdin=talk).code == 0
    sessions = memfold("sessions", "--json").json["sessions"]
    assert [(each["id"], each["messages"]) for each in sessions] == [("stdin", 2), ("stdin~2", 2)]


def test_several_files_and_folders(memfold, tmp_path):
    for folder, text in (("a", "one"), ("b", "two"), ("b/deep", "three")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "chat.jsonl").write_bytes(lines([HELLO, *said(text)]))
    (tmp_path / "b" / "notes.txt").write_text("dear diary")
    ran = memfold("import", "a/chat.jsonl", "b")
    assert ran.code == 0
    assert [line.split(":")[0] for line in ran.out.splitlines()] == ["a/chat.jsonl", "b/chat.jsonl"]
    assert "b/chat.jsonl: session 'chat' holds another file's" in ran.err
    report = memfold("import", "a", "b", "--json").json
    assert (report["stored"], report["known"], report["sessions"]) == (0, 4, ["chat", "chat~2"])
    assert [each["file"] for each in report["files"]] == ["a/chat.jsonl", "b/chat.jsonl"]


def test_one_bad_file_does_not_keep_the_others_out(memfold, tmp_path):
    (tmp_path / "good.jsonl").write_bytes(lines([HELLO]))
    (tmp_path / "half.jsonl").write_bytes(lines([HELLO, *said("x")])[:-3])
    (tmp_path / "empty.json").write_text("[]")
    ran = memfold("import", "half.jsonl", "gone.json", "empty.json", "good.jsonl")
    assert ran.code == 3
    assert ran.err.splitlines() == [
        "memfold: half.jsonl: line 2: not JSON: Unterminated string starting at"
        " (messages kept before it: 1)",
        "memfold: gone.json: No such file or directory",
        "memfold: empty.json: there is no message in it",
    ]
    assert "good.jsonl: 1 message stored" in ran.out
    ran = memfold("import", "half.jsonl", "gone.json", "empty.json", "good.jsonl", "--json")
    assert ran.code == 3
    errors = [each.get("error", {}).get("type") for each in ran.json["files"]]
    assert errors == ["ImportFailed", "InvalidInput", "InvalidInput", None]
    assert memfold("import", "gone.json", "empty.json").code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", "empty.json"],
        ["import", "empty.json", "gone.json"],
        ["import", "good.jsonl", "--session", "a\nb"],
        ["import", "good.jsonl", "--user", ""],
        ["add", "wizard", "x"],
    ],
)
def test_what_fails_leaves_no_file(memfold, tmp_path, arguments):
    (tmp_path / "good.jsonl").write_bytes(lines([HELLO]))
    (tmp_path / "empty.json").write_text("[]")
    before = sorted(tmp_path.iterdir())
    assert memfold(*arguments).code == 1
    assert sorted(tmp_path.iterdir()) == before
    memfold("import", "good.jsonl")
    assert memfold(*arguments).code == 1
    assert memfold("stats", "--json").json["messages"] == 1


def test_a_file_that_another_process_has_open_is_left(memfold, tmp_path):
    with Memory(tmp_path / "memfold.db", embedder=None):
        assert memfold("add", "wizard", "x").code == 1
        assert (tmp_path / "memfold.db").exists()


def test_what_was_written_to_last_goes_by_the_writing_not_by_the_times(memfold, tmp_path):
    memfold("add", "user", "today's", "--session", "now")
    (tmp_path / "old.jsonl").write_bytes(lines([{**HELLO, "time": "1999-01-01T00:00:00Z"}]))
    memfold("import", "old.jsonl")
    assert memfold("show", "--json").json["session"] == "old"
    assert memfold("context", "Hello?", "--json").json["session"] == "old"
    for command in (["context", "Hello?"], ["show"], ["context", "Hello?", "--text"]):
        assert memfold(*command).err == "session 'old', the one written to last\n"
        assert memfold(*command, "--session", "now").err == ""


def test_a_session_can_be_named_that_is_no_name(user, put):
    with pytest.raises(InvalidInput, match="control characters"):
        put("a", [HELLO], session="a\nb")

"""Whatever is wrong ends in one clear line and a code that means something."""

import os
import sys

import pytest


def one_line(ran, code):
    """The error, told in one line on standard error, without a traceback."""
    assert ran.code == code, ran
    assert ran.out == ""
    assert ran.err.startswith("memfold: ")
    assert ran.err.count("\n") == 1
    return ran.err


READING = [
    ["show"],
    ["search", "x"],
    ["context", "x"],
    ["expand", "m1"],
    ["sessions"],
    ["stats"],
    ["forget", "m1"],
    ["erase", "--yes"],
    ["reindex"],
]


@pytest.mark.parametrize("command", READING, ids=lambda command: command[0])
def test_no_memory_file(memfold, tmp_path, command):
    assert "there is no memory file memfold.db" in one_line(memfold(*command), 4)
    assert list(tmp_path.iterdir()) == [], "asking makes no file"
    error = memfold(*command, "--json").json["error"]
    assert (error["type"], error["exit_code"]) == ("NotFound", 4)


@pytest.mark.parametrize("command", [*READING, ["add", "user", "x"]], ids=lambda c: c[0])
def test_a_path_that_is_no_memory_file(memfold, tmp_path, command):
    text = tmp_path / "notes.txt"
    text.write_text("谁动了我的奶酪\n" * 100, "utf-8")
    for path in (tmp_path, text):
        before = text.read_bytes()
        ran = memfold(*command, "--db", str(path), "--json")
        assert ran.code == 1
        assert ran.json["error"]["type"] == "NotAMemfoldFile"
        assert text.read_bytes() == before


def test_a_path_that_cannot_be_made(memfold, tmp_path):
    (tmp_path / "file").write_text("x")
    for path in ("no/such/folder/x.db", "file/x.db"):
        one_line(memfold("add", "user", "x", "--db", path), 1)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(memfold, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    one_line(memfold("add", "user", "x", "--db", str(folder / "x.db")), 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["add", "wizard", "x"], "role 'wizard'"),
        (["add", "tool", "x"], "needs the tool_call_id of the call"),
        (["add", "user", "x", "--user", ""], "a user needs a name"),
        (["add", "user", "x", "--tenant", "a\nb"], "control characters"),
        (["add", "user", "x", "--zone", "Mars/Olympus"], "no time zone"),
        (["add", "user", "x", "--at", "yesterday"], "not ISO 8601"),
        (["add", "user", "x", "--metadata", "{"], "--metadata is not JSON"),
        (["add", "user", "x", "--metadata", "[1]"], "--metadata is a JSON object"),
        (["search", ""], "the query is empty"),
        (["search", " \n"], "the query is empty"),
        (["search", "x", "-k", "0"], "k is at least 1"),
        (["search", "x", "-k", "-3"], "k is at least 1"),
        (["search", "x", "--since", "soon"], "not ISO 8601"),
        (["context", "x", "--max-tokens", "0"], "max_tokens"),
        (["context", "x", "--max-tokens", "2"], "needs"),
        (["context", "x", "--now", "later"], "not ISO 8601"),
        (["show", "--zone", "Mars/Olympus"], "no time zone"),
    ],
)
def test_arguments_that_make_no_sense(memfold, arguments, said):
    memfold("add", "user", "there is something here")
    assert said in one_line(memfold(*arguments), 1)
    error = memfold(*arguments, "--json").json["error"]
    assert said in error["message"]
    assert error["exit_code"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "--session", "nowhere"],
        ["expand", "m99"],
        ["expand", "f99"],
        ["expand", "x"],
        ["expand", "m0"],
        ["forget", "12"],
        ["erase", "--session", "nowhere", "--yes"],
    ],
)
def test_what_is_not_there(memfold, arguments):
    memfold("add", "user", "there is something here")
    one_line(memfold(*arguments), 4)
    assert memfold(*arguments, "--json").json["error"]["type"] == "NotFound"


def test_a_budget_too_small_says_what_is_needed(memfold):
    memfold("add", "user", "hello")
    error = memfold("context", "这个问题比预算长得多", "--max-tokens", "3", "--json").json["error"]
    assert error["type"] == "BudgetTooSmall"
    assert error["needed"] > error["given"] == 3
    enough = memfold("context", "这个问题比预算长得多", "--max-tokens", str(error["needed"]))
    assert enough.code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["add"],
        ["add", "user"],
        ["show", "--last", "0"],
        ["search", "x", "--mode", "magic"],
        ["context", "x", "--max-tokens", "many"],
        ["forget"],
        ["import", "x", "--format", "csv"],
        ["bench", "locomo"],
        ["bench", "unknown", "x"],
        ["demo", "--lang", "fr"],
    ],
)
def test_wrong_usage(memfold, arguments):
    ran = memfold(*arguments)
    assert ran.code == 2
    assert "Usage: memfold" in ran.err
    assert memfold(*arguments, "--json").json["error"]["exit_code"] == 2


@pytest.mark.parametrize(
    "query", ["the of and", "的了吗", "😀🎉", "\ud83d", "\x00", "ـــ", "e\u0301"]
)
def test_odd_queries_are_answered(memfold, query):
    memfold("add", "user", "there is something here 😀")
    assert memfold("search", query, "--json").code == 0
    assert memfold("context", query, "--json").code == 0


@pytest.mark.parametrize(
    "text", ["", "\ud83d half", "NUL \x00 here", "مرحبا بالعالم", "e\u0301" * 99]
)
def test_odd_messages_come_back_unchanged(memfold, text):
    assert memfold("add", "user", text).code == 0
    assert memfold("show", "--json").json["messages"][0]["text"] == text
    assert memfold("show").code == 0
    assert memfold("context", "?", "--text").code == 0


def test_standard_input_that_is_not_utf8(memfold):
    ran = memfold("add", "user", "-", stdin="显卡".encode("gbk"))
    assert "byte 0: not UTF-8; it looks like gb18030" in one_line(ran, 1)

"""Chat files of every shape, whole, broken and wrong."""

import gzip
import json
import lzma
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evals import published

from memfold import ImportFailed, InvalidInput, Memory
from memfold.adapters.files import FORMATS, import_file
from memfold.cli import main

TEXTS = ["早上好，服务器在四楼。", "Morning! The server is here.", "好的。 😀", "Line\ntwo"]
TALK = [
    {"role": "user" if number % 2 == 0 else "assistant", "content": text}
    for number, text in enumerate(TEXTS)
]
TOOLS = [
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "看", "arguments": "{}"}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "42 °C"},
]


def dump(value, **options):
    return json.dumps(value, ensure_ascii=False, **options)


def lines(values):
    return "".join(f"{dump(value)}\n" for value in values)


MANY = lines({"role": "user", "content": hex(pow(7, n, 10**18))} for n in range(8000)).encode()

SHAPES = {
    "list.json": dump(TALK),
    "pretty.json": dump(TALK, indent=2),
    "object.json": dump({"messages": TALK}),
    "messages.jsonl": lines(TALK),
    "messages.txt": lines(TALK),
    "lists.jsonl": lines([TALK]),
    "conversations.jsonl": lines([{"messages": TALK}]),
    "conversations.json": dump([{"messages": TALK}]),
    "bom.json": "\ufeff" + dump(TALK),
    "blank.jsonl": "\n\n" + lines(TALK).replace("\n", "\n \n"),
    "windows.jsonl": lines(TALK).replace("\n", "\r\n"),
}


@pytest.fixture
def memory():
    with Memory(embedder=None, background=False) as memory:
        yield memory


@pytest.fixture
def user(memory):
    return memory.user("ann")


def stored(user):
    """All messages, session by session."""
    return {info.id: user.session(info.id).messages() for info in user.sessions()}


def raw(messages):
    return [dict(message.raw) for message in messages]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(user, tmp_path, name):
    (tmp_path / name).write_text(SHAPES[name], "utf-8", newline="")
    report = import_file(user, tmp_path / name)
    assert (report.format, report.stored, report.known, report.refused) == ("openai", 4, 0, 0)
    ((session, messages),) = stored(user).items()
    assert session.removesuffix("-1") == Path(name).stem
    assert raw(messages) == TALK


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
@pytest.mark.parametrize("name", ["list.json", "messages.jsonl"])
def test_compressed_files_whatever_their_name(user, tmp_path, compress, name):
    (tmp_path / name).write_bytes(compress(SHAPES[name].encode()))
    assert import_file(user, tmp_path / name).stored == 4
    assert raw(next(iter(stored(user).values()))) == TALK


def test_an_open_stream(user):
    assert import_file(user, BytesIO(SHAPES["messages.jsonl"].encode())).sessions == ("stdin",)
    again = import_file(user, BytesIO(gzip.compress(SHAPES["messages.jsonl"].encode())))
    assert (again.stored, again.known) == (0, 4)


def test_tool_calls_come_back_unchanged(user, tmp_path):
    (tmp_path / "x.json").write_text(dump(TOOLS), "utf-8")
    import_file(user, tmp_path / "x.json")
    assert raw(stored(user)["x"]) == TOOLS


def test_sessions_and_their_names(user, tmp_path):
    chats = [
        {"session": "s1", "messages": TALK[:1]},
        {"id": 7, "messages": TALK[1:2]},
        {"messages": TALK[2:3]},
        {"messages": TALK[3:]},
        {"messages": [{**TALK[0], "session": "s1"}]},
    ]
    (tmp_path / "chats.jsonl").write_text(lines(chats), "utf-8")
    import_file(user, tmp_path / "chats.jsonl")
    assert {name: len(found) for name, found in stored(user).items()} == {
        "s1": 2,
        "7": 1,
        "chats-1": 1,
        "chats-2": 1,
    }


def test_a_session_for_what_names_none(user, tmp_path):
    (tmp_path / "x.jsonl").write_text(lines([*TALK[:2], {**TALK[2], "session": "own"}]), "utf-8")
    assert import_file(user, tmp_path / "x.jsonl", session="given").sessions == ("given", "own")


def test_times_and_metadata(user, tmp_path):
    told = [
        {**TALK[0], "time": "2026-03-01T08:00:00+08:00", "metadata": {"来源": "phone"}},
        {**TALK[1], "timestamp": 1_772_323_201},
        {**TALK[2]},
        {**TALK[3], "created_at": 1_772_323_203_000},
    ]
    (tmp_path / "x.json").write_text(dump(told), "utf-8")
    import_file(user, tmp_path / "x.json")
    messages = stored(user)["x"]
    assert [message.at for message in messages] == [
        datetime(2026, 3, 1, 0, 0, 0, tzinfo=UTC),
        datetime(2026, 3, 1, 0, 0, 1, tzinfo=UTC),
        datetime(2026, 3, 1, 0, 0, 1, tzinfo=UTC),
        datetime(2026, 3, 1, 0, 0, 3, tzinfo=UTC),
    ]
    assert messages[0].metadata == {"来源": "phone"}
    assert raw(messages) == TALK


def test_naive_times_are_read_in_the_memorys_zone(tmp_path):
    (tmp_path / "x.json").write_text(dump([{**TALK[0], "time": "2026-03-01 08:00"}]), "utf-8")
    with Memory(embedder=None, zone="Asia/Shanghai") as memory:
        user = memory.user("ann")
        import_file(user, tmp_path / "x.json")
        assert stored(user)["x"][0].at == datetime(2026, 3, 1, tzinfo=UTC)


def test_equal_messages_are_all_kept_and_known_the_second_time(user, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(lines([TALK[0]] * 1200), "utf-8")
    calls = []
    report = import_file(user, path, progress=lambda done, total: calls.append((done, total)))
    assert report.stored == 1200
    assert calls[-1] == (path.stat().st_size, path.stat().st_size)
    again = import_file(user, path)
    assert (again.stored, again.known) == (0, 1200)
    assert len(stored(user)["x"]) == 1200


def test_a_file_that_grew_adds_what_is_new(user, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(lines(TALK[:2]), "utf-8")
    import_file(user, path)
    path.write_text(lines(TALK), "utf-8")
    report = import_file(user, path)
    assert (report.stored, report.known) == (2, 2)
    assert raw(stored(user)["x"]) == TALK


def test_what_was_erased_is_not_brought_back(user, tmp_path):
    (tmp_path / "x.json").write_text(dump(TALK), "utf-8")
    import_file(user, tmp_path / "x.json")
    user.forget(["m2"])
    report = import_file(user, tmp_path / "x.json")
    assert (report.stored, report.known, report.erased) == (0, 3, 1)
    assert raw(stored(user)["x"]) == [TALK[0], *TALK[2:]]


def test_messages_that_cannot_be_kept_are_refused_one_by_one(user, tmp_path):
    bad = [
        {"role": "wizard", "content": "x"},
        {"role": "user", "content": 5},
        {"role": "user", "text": "x"},
        {"role": "tool", "content": "x"},
        {"role": "user", "content": "x", "time": "yesterday"},
        {"role": "user", "content": "x", "created_at": 1e300},
        {"role": "user", "content": "x", "metadata": []},
        {"event": "joined"},
        17,
    ]
    mixed = [TALK[0], *bad, *TALK[1:]]
    (tmp_path / "x.jsonl").write_text(lines(mixed), "utf-8")
    report = import_file(user, tmp_path / "x.jsonl")
    assert (report.stored, report.refused) == (4, len(bad))
    assert [refusal.line for refusal in report.refusals] == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert "wizard" in report.refusals[0].reason
    assert raw(stored(user)["x"]) == TALK


@pytest.mark.parametrize(
    ("content", "line", "kept"),
    [
        (SHAPES["messages.jsonl"][:-5], 4, 3),
        (lines(TALK[:2]) + "\0" * 64, 3, 2),
        (lines(TALK[:2]).encode() + "四".encode("gbk") + b"\n" + lines(TALK[2:]).encode(), 3, 2),
        (lines(TALK[:2]) + "[" * 100_000, 3, 2),
        (lines(TALK[:2]) + "1" * 5_000, 3, 2),
        (SHAPES["pretty.json"][:-30], 15, 3),
        (SHAPES["list.json"][:-30], 1, 3),
        (SHAPES["list.json"][:-1], 1, 4),
        (SHAPES["list.json"][:-1] + ",", 1, 4),
        (SHAPES["list.json"] + "\n\nand more", 3, 4),
        (dump({"id": "s", "messages": TALK}, indent=1)[:-40], 17, 3),
        (dump([{"messages": TALK[:2]}, {"id": "s", "messages": TALK}], indent=1)[:-40], 30, 5),
        (gzip.compress(MANY)[:-3000], None, None),
        (lzma.compress(MANY)[:-3000], None, None),
    ],
)
def test_files_that_break_off(user, tmp_path, content, line, kept):
    path = tmp_path / "x.data"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    for _ in range(2):  # the second time all of it is known, and kept as well
        with pytest.raises(ImportFailed) as failure:
            import_file(user, path)
        total = sum(len(messages) for messages in stored(user).values())
        assert failure.value.kept == total
        if line is not None:
            assert (failure.value.line, failure.value.kept) == (line, kept)
        else:
            assert failure.value.line == failure.value.kept + 1 > 1000


def test_the_rest_goes_where_it_belongs_once_the_file_is_whole(user, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(SHAPES["messages.jsonl"][:-20], "utf-8")
    with pytest.raises(ImportFailed):
        import_file(user, path)
    path.write_text(SHAPES["messages.jsonl"], "utf-8")
    assert import_file(user, path).stored == 1
    assert raw(stored(user)["x"]) == TALK


@given(cut=st.integers(min_value=0, max_value=len(SHAPES["pretty.json"].encode())))
def test_wherever_a_file_breaks_off_a_whole_prefix_is_kept(cut):
    with Memory(embedder=None, background=False) as memory:
        user = memory.user("ann")
        whole = False
        try:
            import_file(user, BytesIO(SHAPES["pretty.json"].encode()[:cut]))
            whole = True
        except (ImportFailed, InvalidInput):
            pass
        kept = [message for messages in stored(user).values() for message in raw(messages)]
        assert kept == TALK[: len(kept)]
        assert not whole or len(kept) in (0, len(TALK))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"name": "something else"}', "line 1: neither a message"),
        ('{"a": 1}\n{"b": 2}', "line 1: neither a message"),
        ("[1, 2, 3]", "neither a message"),
        ('"text"', "neither a message"),
        ('[{"role": "wizard", "content": "x"}]', "role 'wizard'"),
    ],
)
def test_files_that_are_no_chats(user, tmp_path, content, said):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InvalidInput, match=said):
        import_file(user, tmp_path / "x.json")
    assert stored(user) == {}


@pytest.mark.parametrize("content", ["", "\n\n", "[]", '{"messages": []}'])
def test_files_without_messages(user, tmp_path, content):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InvalidInput, match=r"x\.json: there is no message in it"):
        import_file(user, tmp_path / "x.json")


@pytest.mark.parametrize("name", ["", "none.json", "bad\0name"])
def test_files_that_are_not_there(user, tmp_path, name):
    with pytest.raises(InvalidInput):
        import_file(user, f"{tmp_path}/{name}")


@pytest.mark.parametrize("suffix", [".json", ".json.xz"])
@pytest.mark.parametrize("format", ["auto", "locomo"])
def test_locomo(user, tmp_path, suffix, format):
    path = published.write(tmp_path / f"talks{suffix}", published.locomo())
    report = import_file(user, path, format=format)
    assert (report.format, report.stored) == ("locomo", 5)
    assert report.sessions == ("talk-1/session-1", "talk-1/session-2")
    first = stored(user)["talk-1/session-1"][0]
    assert (first.text, first.name) == ("My sister Ruth lives in Oslo.", "Ines")
    assert first.metadata == {"source": "D1:1"}
    assert import_file(user, path).known == 5


@pytest.mark.parametrize("format", ["auto", "longmemeval"])
def test_longmemeval(user, tmp_path, format):
    path = published.write(tmp_path / "haystack.json", published.longmemeval())
    report = import_file(user, path, format=format)
    assert (report.format, report.stored) == ("longmemeval", 8)
    assert "q1/noise#2" in report.sessions
    assert "q2_abs/a" in report.sessions


def test_a_published_format_that_the_file_has_not(user, tmp_path):
    (tmp_path / "x.json").write_text(dump(TALK), "utf-8")
    with pytest.raises(InvalidInput, match="conversation"):
        import_file(user, tmp_path / "x.json", format="locomo")
    with pytest.raises(InvalidInput, match="format"):
        import_file(user, tmp_path / "x.json", format=cast(Any, "csv"))
    with pytest.raises(InvalidInput, match=r"standard input: LoCoMo"):
        import_file(user, BytesIO(b"[]"), format="locomo")


def test_the_command_offers_the_formats_there_are():
    (option,) = [o for o in main.commands["import"].params if o.name == "format"]
    assert tuple(cast(Any, option.type).choices) == FORMATS


@pytest.mark.parametrize("text", TEXTS)
def test_the_command(memfold, tmp_path, text):
    (tmp_path / "聊天.jsonl").write_text(lines([{"role": "user", "content": text}]), "utf-8")
    ran = memfold("import", "聊天.jsonl")
    assert ran.out == (
        "聊天.jsonl: 1 message stored, 0 known already, 0 refused; session '聊天' (openai)\n"
    )
    report = memfold("import", "聊天.jsonl", "--json").json
    assert (report["stored"], report["known"], report["sessions"]) == (0, 1, ["聊天"])
    assert memfold("stats", "--json").json["pending"] == 0
    assert memfold("show", "--json").json["messages"][0]["text"] == text


def test_the_command_reads_standard_input(memfold):
    assert memfold("import", "-", "--session", "s", "--json", stdin=lines(TALK)).json["stored"] == 4
    assert memfold("show", "--json").json["session"] == "s"


def test_the_command_on_a_half_written_file(memfold, tmp_path):
    (tmp_path / "x.jsonl").write_text(SHAPES["messages.jsonl"][:-5], "utf-8")
    for _ in range(2):
        ran = memfold("import", "x.jsonl")
        assert ran.code == 3
        assert ran.err.startswith("memfold: x.jsonl: line 4: not JSON")
        error = memfold("import", "x.jsonl", "--json").json["error"]
        assert (error["type"], error["line"], error["kept"]) == ("ImportFailed", 4, 3)
    assert memfold("stats", "--json").json["messages"] == 3


def test_the_command_on_refused_messages(memfold, tmp_path):
    told = [*TALK, *({"role": "wizard", "content": "x"} for _ in range(12))]
    (tmp_path / "x.jsonl").write_text(lines(told), "utf-8")
    ran = memfold("import", "x.jsonl")
    assert ran.code == 3
    assert "4 messages stored, 0 known already, 12 refused" in ran.out
    assert "x.jsonl: line 5: session 'x', message 5: role 'wizard'" in ran.err
    assert ran.err.endswith("x.jsonl: 2 more refused\n")
    assert memfold("import", "x.jsonl", "--json").code == 3


@pytest.mark.parametrize("name", ["gone.json", ".", "notes.txt"])
def test_the_command_on_what_is_no_chat_file(memfold, tmp_path, name):
    (tmp_path / "notes.txt").write_text("dear diary", "utf-8")
    ran = memfold("import", name)
    assert ran.code == 1
    assert ran.err.startswith("memfold: ")
    assert memfold("import", name, "--json").json["error"]["exit_code"] == 1

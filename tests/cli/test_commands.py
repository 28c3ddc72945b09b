"""Every command does what it says, in both languages, for people and as JSON."""

from typing import get_args

import pytest

from memfold.cli.options import MODES
from memfold.evals import STRATEGIES
from memfold.facade.searching import Mode

TALKS = {
    "en": {
        "messages": [
            ("user", "Our graphics card is an RTX 4090 with 24 GB."),
            ("assistant", "Noted. What will you run on it?"),
            ("user", "The meeting about the harvest festival is on Thursday in room Osprey."),
        ],
        "question": "Which graphics card do we have?",
        "found": "RTX 4090",
    },
    "zh": {
        "messages": [
            ("user", "我们的显卡是 RTX 4090，24 GB 显存。"),
            ("assistant", "好的，已记录。打算跑什么？"),
            ("user", "丰收节的筹备会定在星期四，在鱼鹰会议室开。"),
        ],
        "question": "显卡是什么型号来着？",
        "found": "RTX 4090",
    },
}


@pytest.fixture(params=TALKS)
def talk(request, memfold):
    """One conversation, told by the command line."""
    for role, text in TALKS[request.param]["messages"]:
        assert memfold("add", role, text).code == 0
    return TALKS[request.param]


def test_without_arguments_it_helps(memfold):
    ran = memfold()
    assert "Usage: memfold" in ran.out + ran.err
    assert "search" in ran.out + ran.err


def test_version(memfold):
    assert memfold("--version").out.startswith("memfold, version 0.")


def test_add_says_what_became_of_it(memfold):
    assert memfold("add", "user", "hello").out == "m1 stored\n"
    receipt = memfold("add", "user", "你好", "--key", "k", "--json").json
    assert receipt["items"] == [{"id": "m2", "outcome": "stored", "reason": ""}]
    again = memfold("add", "user", "你好", "--key", "k", "--json").json
    assert again["items"][0]["outcome"] == "known"


def test_add_takes_time_name_metadata_and_standard_input(memfold):
    ran = memfold(
        "add", "user", "-", "--at", "2026-03-01T08:00", "--zone", "Asia/Shanghai",
        "--name", "林", "--metadata", '{"from": "phone"}', "--session", "s1",
        stdin="第一行\n第二行\n",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    (message,) = memfold("show", "--session", "s1", "--json").json["messages"]
    assert message["message"] == {"role": "user", "content": "第一行\n第二行", "name": "林"}
    assert message["at"] == "2026-03-01T00:00:00+00:00"
    assert message["metadata"] == {"from": "phone"}


def test_show_for_people(memfold, talk):
    out = memfold("show").out
    for number, (role, text) in enumerate(talk["messages"], start=1):
        assert f"m{number}  " in out
        assert f"  {role}\n    {text}\n" in out


def test_show_as_json(memfold, talk):
    shown = memfold("show", "--json").json
    assert shown["session"] == "default"
    assert [(m["role"], m["text"]) for m in shown["messages"]] == talk["messages"]
    assert [m["position"] for m in shown["messages"]] == [0, 1, 2]


def test_show_the_last_ones(memfold, talk):
    shown = memfold("show", "--last", "2", "--json").json["messages"]
    assert [m["id"] for m in shown] == ["m2", "m3"]
    assert memfold("show", "-n", "9", "--json").json["messages"][0]["id"] == "m1"


def test_show_shortens_tool_output_unless_told_otherwise(memfold):
    long = "line of a log\n" * 500
    memfold("add", "tool", "--call", "c1", long)
    assert "more characters: memfold expand m1" in memfold("show").out
    assert len(memfold("show").out) < 1500
    assert memfold("show", "--full").out.count("line of a log") == 500
    assert memfold("expand", "m1").out.count("line of a log") == 500
    assert memfold("show", "--json").json["messages"][0]["text"] == long


def test_control_characters_reach_no_terminal(memfold):
    memfold("add", "user", "-", stdin="red \x1b[31malert\x07 \x9b2J end")
    out = memfold("show").out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "\x9b" not in out
    assert "red" in out
    assert memfold("show", "--json").json["messages"][0]["text"].startswith("red \x1b[31m")


def test_search(memfold, talk):
    out = memfold("search", talk["question"]).out
    assert talk["found"] in out.split("\n 2.")[0]
    hits = memfold("search", talk["question"], "--json").json["hits"]
    assert hits[0]["id"] == "m1"
    assert hits[0]["parts"]["lexical"] > 0
    start, end = hits[0]["passage"]
    assert talk["found"] in hits[0]["text"][start:end]
    assert hits[0]["after"] == ["m2", "m3"]


def test_search_filters(memfold, talk):
    def ids(*options):
        hits = memfold("search", talk["question"], "--json", *options).json["hits"]
        return {hit["id"] for hit in hits}

    assert ids() == {"m1", "m2", "m3"}
    assert ids("--role", "assistant") == {"m2"}
    assert ids("--role", "assistant", "--role", "user") == {"m1", "m2", "m3"}
    assert len(ids("-k", "1")) == 1
    assert ids("--since", "2200-01-01") == set()
    assert ids("--until", "2000-01-01") == set()
    assert ids("--session", "elsewhere") == set()


@pytest.mark.parametrize("mode", ["lexical", "dense", "time-decay", "generative-agents"])
def test_search_modes(memfold, talk, mode):
    found = memfold("search", talk["question"], "--mode", mode, "--json").json
    assert found["mode"] == mode
    assert "m1" in {hit["id"] for hit in found["hits"]}


def test_context(memfold, talk):
    found = memfold("context", talk["question"], "--max-tokens", "500", "--json").json
    assert found["messages"][-1] == {"role": "user", "content": talk["question"]}
    assert found["tokens"] <= 500
    assert found["trace"]["budget"] == 500
    assert any(talk["found"] in str(message) for message in found["messages"])
    assert {item["section"] for item in found["trace"]["shown"]} >= {"window", "query"}


def test_context_for_people(memfold, talk):
    out = memfold("context", talk["question"]).out
    assert "── user ──" in out
    assert "of at most 2,000 tokens" in out
    text = memfold("context", talk["question"], "--text").out
    assert talk["found"] in text
    assert "of at most" not in text


def test_context_without_a_query_ends_with_the_last_message(memfold, talk):
    found = memfold("context", "--json").json
    assert found["messages"][-1]["content"] == talk["messages"][-1][1]


def test_expand(memfold, talk):
    assert talk["messages"][0][1] in memfold("expand", "m1").out
    found = memfold("expand", "m1", "--json").json
    assert [m["text"] for m in found["messages"]] == [talk["messages"][0][1]]


def test_expand_unfolds_a_fold(memfold, tmp_path):
    lines = [f'{{"role": "user", "content": "Parcel {n} goes to shelf {n}."}}' for n in range(40)]
    (tmp_path / "parcels.jsonl").write_text("\n".join(lines), "utf-8")
    assert memfold("import", "parcels.jsonl").code == 0
    assert memfold("stats", "--json").json["folds"] > 0
    found = memfold("expand", "f1", "--json").json["messages"]
    assert len(found) == 10
    assert found[0]["text"] == "Parcel 0 goes to shelf 0."


def test_sessions(memfold, talk):
    memfold("add", "user", "elsewhere", "--session", "两")
    found = memfold("sessions", "--json").json["sessions"]
    assert [(s["id"], s["messages"]) for s in found] == [("default", 3), ("两", 1)]
    assert "两" in memfold("sessions").out


def test_stats(memfold, talk):
    found = memfold("stats", "--json").json
    assert (found["sessions"], found["messages"]) == (1, 3)
    assert "messages   3\n" in memfold("stats").out


def test_forget(memfold, talk):
    ran = memfold("forget", "m1", "m2", "--json")
    assert [item["outcome"] for item in ran.json["items"]] == ["forgotten", "forgotten"]
    assert [m["id"] for m in memfold("show", "--json").json["messages"]] == ["m3"]
    assert memfold("forget", "m1", "m3").code == 4
    assert memfold("show", "--json").json["messages"] == []


def test_erase_asks_for_yes(memfold, talk):
    assert memfold("erase").code == 2
    assert memfold("stats", "--json").json["messages"] == 3
    assert len(memfold("erase", "--yes", "--json").json["items"]) == 3
    assert memfold("stats", "--json").json["messages"] == 0


def test_erase_one_session_or_one_agent(memfold, talk):
    memfold("add", "user", "keep me", "--session", "other")
    memfold("add", "user", "a plan", "--agent", "planner")
    assert memfold("erase", "--session", "default", "--yes").out == "3 messages erased\n"
    assert memfold("erase", "--session", "default", "--yes").code == 4
    assert memfold("erase", "--agent", "planner", "--yes").out == "1 messages erased\n"
    assert memfold("stats", "--json").json["messages"] == 1


def test_reindex(memfold, talk):
    assert memfold("reindex", "--json").json == {"vectors": 3, "owners": 1}
    assert memfold("reindex").out == "3 vectors made for 1 users\n"


def test_users_tenants_and_agents_are_apart(memfold):
    memfold("add", "user", "mine")
    for other in (["--user", "ann"], ["--tenant", "acme"], ["--agent", "planner"]):
        assert memfold("stats", "--json", *other).json["messages"] == 0
        assert memfold("search", "mine", "--json", *other).json["hits"] == []


def test_settings_from_the_environment(memfold, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMFOLD_DB", str(tmp_path / "other.db"))
    monkeypatch.setenv("MEMFOLD_USER", "ann")
    monkeypatch.setenv("MEMFOLD_SESSION", "s9")
    memfold("add", "user", "hello")
    assert (tmp_path / "other.db").is_file()
    monkeypatch.delenv("MEMFOLD_USER")
    found = memfold("sessions", "--json", "--user", "ann").json["sessions"]
    assert [session["id"] for session in found] == ["s9"]


def test_show_takes_the_session_written_to_last(memfold):
    memfold("add", "user", "first", "--session", "a", "--at", "2026-01-01")
    memfold("add", "user", "second", "--session", "b", "--at", "2026-01-02")
    memfold("add", "user", "third", "--session", "a", "--at", "2026-01-03")
    assert memfold("show", "--json").json["session"] == "a"


def test_the_modes_offered_are_those_there_are():
    assert MODES == get_args(Mode) == STRATEGIES


def test_years_have_four_digits(memfold):
    memfold("add", "user", "Charlemagne is crowned.", "--at", "0800-12-25T12:00:00")
    assert "0800-12-25 12:00" in memfold("show").out

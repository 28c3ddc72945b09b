"""Agents' runs gone through step by step, on made-up transcripts."""

import json
import lzma

import pytest

from memfold import InvalidInput
from memfold.evals import agents, print_agents, transcripts
from memfold.evals.reuse import Reuse, reused_identifiers


def call(id, name, **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": id, "type": "function", "function": function}],
    }


def result(id, value):
    return {"role": "tool", "tool_call_id": id, "content": json.dumps(value)}


def run(rounds=8):
    messages = [
        {"role": "system", "content": "You book boats."},
        {"role": "user", "content": "I am ann_lee_1234. Change my booking, please."},
        call("c0", "get_user", user_id="ann_lee_1234"),
        result("c0", {"name": "Ann", "bookings": ["QX7731", "QX7732"], "card": "card_9981"}),
    ]
    for at in range(rounds):
        boats = [{"boat": f"BT{at}{n:02}", "price": 100 + n, "seats": n} for n in range(20)]
        messages += [
            {"role": "assistant", "content": f"Here are the boats of day {at}."},
            {"role": "user", "content": "And the day after?"},
            call(f"d{at}", "search_boats", day=at),
            result(f"d{at}", boats),
        ]
    return [*messages, call("e", "change", booking="QX7732", boat="BT003", payment="card_9981")]


def test_what_is_used_again():
    found = reused_identifiers(run(2))
    step = len(run(2)) - 1
    assert found == [
        Reuse(step=step, text="QX7732", source=3),
        Reuse(step=step, text="BT003", source=7),
        Reuse(step=step, text="card_9981", source=3),
    ]  # what the user said is no tool's: ann_lee_1234


def test_identifiers_are_there_or_can_be_had(capsys):
    seen = []
    result = agents([run()], room=1_000, progress=lambda done, total: seen.append((done, total)))
    assert (result["runs"], result["reused"], seen) == (1, 3, [(1, 1)])
    assert result["saved"] > 0.4
    assert result["available"] == 1.0
    assert result["in_context"] > result["window"]
    print_agents([result])
    assert f"{result['in_context']:.3f}" in capsys.readouterr().out.replace("\n", " ")


def test_the_published_forms(tmp_path):
    tau = tmp_path / "tau.json.xz"
    tau.write_bytes(lzma.compress(json.dumps([{"task_id": 1, "traj": run(1)}]).encode()))
    assert transcripts(tau) == [run(1)]
    folder = tmp_path / "swe"
    folder.mkdir()
    history = [
        {"role": "system", "content": "You fix code.", "message_type": "system_prompt"},
        {"role": "user", "content": "It fails.", "message_type": "observation"},
        {"role": "assistant", "content": "x", "action": "ls", "thought": "Look.",
         "message_type": "action"},
        {"role": "user", "content": "app.py", "message_type": "observation"},
    ]  # fmt: skip
    (folder / "one.traj.json").write_text(json.dumps({"history": history}))
    ((system, user, action, output),) = transcripts(folder)
    assert (system["role"], user["role"], output["role"]) == ("system", "user", "tool")
    assert output["tool_call_id"] == action["tool_calls"][0]["id"]


@pytest.mark.parametrize("content", ["", "[1]", "{}", '{"history": 5}', "nonsense"])
def test_what_is_no_run(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(InvalidInput):
        transcripts(path)
    with pytest.raises(InvalidInput):
        transcripts(tmp_path / "missing.json")

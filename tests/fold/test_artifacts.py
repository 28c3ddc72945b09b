"""Artifacts: what later steps may need of tools' work."""

import json
import time

import pytest
from hypothesis import given
from tests.fold.conversations import ANY_TEXTS, EXTRACTOR, conversations, message, talk

from memfold.fold.artifacts import LONGEST, MOST, artifacts

TRACEBACK = """Traceback (most recent call last):
  File "/srv/app/jobs.py", line 142, in run
    load(path)
ValueError: no such queue: mail-7
"""


def output(text, position=1):
    return message(position, "tool", text, tool_call_id="c1")


def found(text):
    return {(each.kind, each.text) for each in artifacts([output(text)], EXTRACTOR)}


def test_json():
    text = json.dumps(
        {"user_id": "ana_reyes_4411", "flight": "QX209", "from": "OSL", "total_price": 512}
    )
    assert found(text) == {
        ("id", "ana_reyes_4411"),
        ("id", "QX209"),
        ("id", "OSL"),
        ("number", '"total_price": 512'),
    }


@pytest.mark.parametrize(
    ("text", "kind", "artifact"),
    [
        (TRACEBACK, "path", 'File "/srv/app/jobs.py", line 142'),
        (TRACEBACK, "error", "ValueError: no such queue: mail-7"),
        ("src/app/fields.py:1474:    return int(x)", "path", "src/app/fields.py:1474"),
        ("README.md\nsrc/\nsetup.cfg", "path", "setup.cfg"),
        ("README.md\nsrc/\nsetup.cfg", "path", "src/"),
        ("--- a/lib/queue.c\n+++ b/lib/queue.c\n@@ -12,4 +12,5 @@", "path", "b/lib/queue.c"),
        ("commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "id",
         "9fceb02d0ae598e95dc970b74767f19372d61af8"),
        ("see https://ci.example/runs/77 for more", "url", "https://ci.example/runs/77"),
        ("3 passed, 1 failed in 0.42s", "number", "1 failed"),
        ("fatal: not a git repository", "error", "fatal: not a git repository"),
        ("订单 PO-2026-0117 已发货", "id", "PO-2026-0117"),
        ("错误：连接失败\nConnectionError: timed out", "error", "ConnectionError: timed out"),
    ],
)  # fmt: skip
def test_kinds_of_output(text, kind, artifact):
    assert (kind, artifact) in found(text)


def test_each_once_in_order_with_its_source():
    messages = [
        message(0, "user", "My order is PO-2026-0001."),
        message(1, "assistant", "Looking at PO-2026-0117.", tool_calls=[
            {"id": "c1", "type": "function",
             "function": {"name": "get_order", "arguments": '{"order": "PO-2026-0118"}'}}]),
        output('{"order": "PO-2026-0118", "next": "PO-2026-0119"}', 2),
    ]  # fmt: skip
    kept = [(each.text, each.source) for each in artifacts(messages, EXTRACTOR)]
    assert kept == [("PO-2026-0117", "m1"), ("PO-2026-0118", "m1"), ("PO-2026-0119", "m2")]


def test_talk_without_tools_has_none():
    assert artifacts(talk([("user", "See /etc/hosts."), ("assistant", "I did.")]), EXTRACTOR) == ()


def test_an_opened_file_gives_no_list_of_its_line_numbers():
    text = "\n".join(f"{number}:x = y" for number in range(100, 200))
    assert found(text) == {("number", "100"), ("number", "199")}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([{"id": f"A{at:06}", "path": f"/srv/{at}/b.py"} for at in range(25_000)]),
        "\n".join(f"ERROR worker-{at} failed at /var/log/{at}.log:12" for at in range(22_000)),
        "/a" * 500_000,
        '"' * 1_000_000,
        "a-1_" * 250_000,
    ],
)
def test_a_huge_output_is_read_in_time_and_gives_a_bounded_list(text):
    began = time.process_time()
    kept = artifacts([output(text)], EXTRACTOR)
    # A second is the promise for a megabyte; a busy machine gets some slack.
    assert time.process_time() - began < 3
    assert len(kept) <= sum(MOST.values())


@given(conversations())
def test_artifacts_stand_in_their_source(messages):
    texts = {each.id: each.text for each in messages}
    kept = artifacts(messages, EXTRACTOR)
    assert kept == artifacts(messages, EXTRACTOR)
    assert len({(each.kind, each.text) for each in kept}) == len(kept)
    for each in kept:
        assert each.text in texts[each.source]
        assert 0 < len(each.text) <= LONGEST


@given(ANY_TEXTS)
def test_any_output_is_read(text):
    assert all("\n" not in each.text for each in artifacts([output(text)], EXTRACTOR))

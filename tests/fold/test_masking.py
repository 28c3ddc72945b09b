"""The line that stands for a tool's output that is shown no more."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fold.conversations import ANY_TEXTS, COUNTER, EXTRACTOR, message

from memfold.fold.masking import stub


def output(text, **raw):
    return message(41, "tool", text, tool_call_id="c1", **raw)


def test_json():
    text = json.dumps({"name": "Ana", "email": "ana@post.example", "id": "ana_reyes_4411"})
    line = stub(output(text), EXTRACTOR, called="get_user")
    assert line.startswith(f"[tool output masked: get_user, {len(text)} characters, JSON with name")
    assert "ana_reyes_4411" in line
    assert line.endswith("; expand m41]")


def test_chinese():
    line = stub(output('{"订单": "PO-2026-0117"}', name="查询订单"), EXTRACTOR, language="zh")
    assert line.startswith("[工具输出已折叠：查询订单，")
    assert "JSON：订单" in line
    assert line.endswith("；expand m41]")


@pytest.mark.parametrize(
    ("text", "shape", "chinese"),
    [
        ("[1, 2, 3]", "JSON list of 3", "3 项的 JSON 列表"),
        ("README.md\nsrc/\nsetup.cfg", "listing", "文件列表"),
        ("Traceback (most recent call last):\n  x", "traceback", "错误堆栈"),
        ("diff --git a/x b/x\n@@ -1 +1 @@", "diff", "差异"),
        ("All is well with the engine.", "text", "文本"),
        ("{broken", "text", "文本"),
    ],
)
def test_shapes(text, shape, chinese):
    assert f", {shape}" in stub(output(text), EXTRACTOR)
    assert chinese in stub(output(text), EXTRACTOR, language="zh")


@given(ANY_TEXTS, st.none() | ANY_TEXTS, st.sampled_from(["en", "zh"]))
def test_a_stub_is_one_short_line(text, called, language):
    said = output(text)
    line = stub(said, EXTRACTOR, called=called, language=language)
    assert line == stub(said, EXTRACTOR, called=called, language=language)
    assert len(line.splitlines()) == 1
    assert len(line) < 700
    assert "expand m41" in line


def test_a_stub_of_a_long_output_costs_little():
    text = json.dumps([{"id": f"A{at:06}", "path": f"/srv/{at}/b.py"} for at in range(500)])
    assert COUNTER.count(stub(output(text), EXTRACTOR, called="search")) < 80


@pytest.mark.parametrize("text", ["\n", " \n", "\tat f(", "a", "[", '"'])
def test_a_megabyte_of_anything_gets_its_line_in_time(text):
    told = text * (1_000_000 // len(text))
    started = time.process_time()
    assert "expand m" in stub(
        message(41, "tool", told, tool_call_id="c"), EXTRACTOR, called="f", language="en"
    )
    # Below a second as a rule; what takes quadratic time takes minutes.
    assert time.process_time() - started < 10

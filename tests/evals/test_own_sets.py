"""The data sets made here: stretches of a hundred, pairs in two languages, made-up chat."""

import random
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from tests.evals import published

from memfold.errors import InvalidInput
from memfold.evals import synthetic
from memfold.evals.crosslingual import pairs
from memfold.evals.readers import load
from memfold.evals.stretches import stretches
from memfold.text.scripts import language


def talks(tmp_path):
    return load("locomo", published.write(tmp_path / "talks.json", published.locomo()))


def test_stretches_are_consecutive_and_of_one_length(tmp_path):
    found = stretches(talks(tmp_path), length=2)

    assert found.name == "locomo-stretches"
    assert [[item.id for item in case.items] for case in found.cases] == [
        ["D1:1", "D1:2"],
        ["D1:3", "D2:1"],
    ]
    assert {len(case.sessions) for case in found.cases} == {1}
    assert all(
        item.session == history.id
        for case in found.cases
        for history in case.sessions
        for item in history.items
    )


def test_a_stretch_is_asked_what_it_can_answer(tmp_path):
    found = stretches(talks(tmp_path), length=2)

    assert [[q.evidence for q in case.questions] for case in found.cases] == [
        [("D1:1",)],
        [("D2:1",)],
    ]
    assert found.skipped["evidence beyond one stretch"] == 1
    case = found.cases[1]
    assert case.questions[0].asked_at - case.items[-1].at == timedelta(days=1)


def test_a_conversation_may_be_too_short_for_stretches(tmp_path):
    with pytest.raises(InvalidInput, match="no conversation of 100 messages"):
        stretches(talks(tmp_path))
    with pytest.raises(InvalidInput, match="at least one"):
        stretches(talks(tmp_path), length=0)


def test_stretches_of_the_development_data(data_dir):
    found = stretches(load("locomo", data_dir / "locomo" / "locomo5_dev.json"))

    assert {len(case.items) for case in found.cases} == {100}
    assert len(found.cases) == 25
    assert found.questions > 500


def test_pairs_are_told_among_other_messages():
    dataset = pairs()

    (case,) = dataset.cases
    items = {item.id: item for item in case.items}
    assert dataset.questions == 50
    assert len(items) == len(case.items) > 300
    for question in case.questions:
        (fact,) = question.evidence
        assert items[fact].role == "user"
        assert {language(items[fact].text), language(question.text)} == {"en", "zh"}
    assert {question.category for question in case.questions} == {"en → zh", "zh → en"}


@pytest.mark.parametrize("session", [0, 1])
def test_a_fact_stands_between_no_tool_call_and_its_result(session):
    history = pairs().cases[0].sessions[session]

    for before, item in pairwise(history.items):
        assert before.at <= item.at
        if "tool_calls" in before.message:
            assert item.role == "tool"


def test_made_up_chat_is_the_same_for_the_same_seed():
    assert list(synthetic.messages(200)) == list(synthetic.messages(200))
    assert list(synthetic.messages(200)) == list(synthetic.messages(400))[:200]
    assert list(synthetic.messages(200)) != list(synthetic.messages(200, seed=1))
    assert synthetic.questions(5) == synthetic.questions(9)[:5]


def test_made_up_chat_is_in_both_languages_and_moves_on_in_time():
    made = list(synthetic.messages(100))

    assert [language(message["content"]) for message, _ in made] == ["en"] * 50 + ["zh"] * 50
    assert all(earlier < later for (_, earlier), (_, later) in pairwise(made))
    assert [message["role"] for message, _ in made[:3]] == ["user", "assistant", "user"]
    assert {language(question) for question in synthetic.questions(2)} == {"en", "zh"}


@pytest.mark.parametrize("code", ["en", "zh"])
def test_made_up_chat_has_no_gaps(code):
    chance = random.Random(7)

    assert all("{" not in synthetic.text(chance, code) for _ in range(300))


def test_limited_data_keeps_its_name(tmp_path):
    dataset = talks(tmp_path)

    assert dataset.limited(3) == replace(dataset)

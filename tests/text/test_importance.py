import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.importance import asks, five_factor, information_prior, on_ten

from .strategies import TEXTS


def score(text, role="user", tokens=0, entities=0):
    return five_factor(text, role=role, tokens=tokens, entities=entities)


def test_each_of_the_five_factors_counts_as_in_the_seed():
    assert score("你好") == 0
    assert score("你好", entities=2) == pytest.approx(0.2)
    assert score("你好", entities=9) == pytest.approx(0.3)
    assert score("你好", tokens=50) == pytest.approx(0.05)
    assert score("你好", tokens=5_000) == pytest.approx(0.2)
    assert score("你好", role="assistant") == pytest.approx(0.2)
    assert score("24") == pytest.approx(0.15)
    assert score("2 and 4") == 0
    assert score("因此用方案一") == pytest.approx(0.15)
    assert score("因此24", role="assistant", tokens=900, entities=5) == 1


@pytest.mark.parametrize(
    "text",
    [
        "我们决定了",
        "我們決定了",
        "所以这样",
        "结论如下",
        "We decided.",
        "BECAUSE of it",
        "a solution",
    ],
)
def test_decision_words_of_both_languages(text):
    assert score(text) == pytest.approx(0.15)


def test_decision_words_are_whole_words():
    assert score("The plane planted mustard") == 0


def test_on_ten():
    assert (on_ten(0), on_ten(0.5), on_ten(1)) == (1, 5.5, 10)


def prior(text, **options):
    given = {"role": "user", "entities": 0, **options}
    return information_prior(text, idf=lambda term: 2.0, **given)


def test_the_prior_is_the_information_of_the_terms():
    assert prior("deploy the server, deploy the database") == 2.0 * 3
    assert prior("部署") == 2.0 * 3


def test_the_prior_prefers_what_is_told_to_what_is_asked():
    assert prior("I moved house") - prior("Ann moved house") == 15 - 2
    assert prior("moved house?") == 0
    assert prior("Moved house? Ann did.") == prior("Ann did.")
    assert prior("我的猫叫什么名字吗？") < prior("我的猫叫咪咪")
    assert prior("room 7") == 4 + 15
    assert prior("house", entities=9) - prior("house") == 3 * 4
    assert prior("house", role="tool") == prior("house") / 2


@pytest.mark.parametrize("text", ["Ann moved last week", "安娜昨天搬家"])
def test_events_and_answers_are_asked_for(text):
    bare = text.replace(" last week", "").replace("昨天", "")
    assert prior(text) - prior(bare) >= 30
    assert prior(bare, is_asked=True) - prior(bare) == 20


@pytest.mark.parametrize("text", ["Is it?", 'He said: "Why?"', "是吗", "你在哪里呢。"])
def test_what_asks(text):
    assert asks(text)
    assert not asks("It is.")


@given(TEXTS, st.sampled_from(["user", "assistant", "tool", "odd"]), st.integers(0, 10**9))
def test_scores_stay_in_bounds(text, role, number):
    assert 0 <= five_factor(text, role=role, tokens=number, entities=number) <= 1
    result = information_prior(text, role=role, entities=number, idf=lambda term: 1.0)
    assert result >= 0
    assert math.isfinite(result)

from dataclasses import fields, replace
from datetime import timedelta

import numpy as np
import pytest
from tests.recall.rows import START, ask, delta, index_of, said

from memfold.recall.neighbours import neighbours
from memfold.recall.ranking import DEFAULT_WEIGHTS, Weights, rank
from memfold.recall.reading import microseconds

NOW = microseconds(START + timedelta(days=1))


def ranked(index, question, vector=None, /, **weights):
    vector = None if vector is None else np.array(vector, dtype=np.float32)
    weighed = replace(DEFAULT_WEIGHTS, **weights)
    return rank(index, neighbours(index), question, vector, now=NOW, weights=weighed)


def apart(*messages, **options):
    """An index of messages that are no neighbours, and enough of others for full bounds."""
    others = [said(f"filler{at} text", session=f"f{at}") for at in range(64)]
    told = [replace(message, session=f"m{at}") for at, message in enumerate(messages)]
    return index_of([*told, *others], **options)


def test_parts_add_up_to_the_score_and_the_gone_have_none():
    index = index_of([said("the fox", vectors=[[1, 0]]), said("an owl", vectors=[[0, 1]])] * 4,
                     dimension=2)  # fmt: skip
    index.apply(delta(gone=[8]))
    found = ranked(index, ask("Where did I see the fox yesterday?"), [1, 0])
    assert sum(found.parts.values())[:7] == pytest.approx(found.scores[:7], abs=1e-5)
    assert found.scores[7] == -np.inf
    assert {*found.parts} == {
        "lexical", "dense", "foreign", "session", "information", "form", "speaker", "recency",
        "days",
    }  # fmt: skip


def test_words_and_vectors_each_find_what_they_know():
    index = apart(said("the fox", vectors=[[0, 1]]), said("canine", vectors=[[1, 0]]), dimension=2)
    by_words = ranked(index, ask("fox"))
    assert by_words.scores.argmax() == 0
    by_vector = ranked(index, ask("zebra"), [1, 0])
    assert by_vector.scores.argmax() == 1
    both = ranked(index, ask("fox"), [1, 0])
    assert {*np.argsort(-both.scores)[:2].tolist()} == {0, 1}


def test_words_count_by_what_they_explain():
    index = apart(said("the fox"), said("owl"))
    whole = ranked(index, ask("fox")).parts["lexical"].max()
    part = ranked(index, ask("fox zebra lion tiger panther")).parts["lexical"].max()
    assert 0 < part < whole


def test_vectors_count_more_among_long_messages():
    def share(words):
        messages = [said("w " * words, vectors=[[1, 0]]), said("x " * words, vectors=[[0, 1]])]
        index = index_of([*messages, *messages], dimension=2)
        return float(ranked(index, ask("zebra"), [1, 0]).parts["dense"].max())

    assert share(10) == pytest.approx(0.8, abs=0.01)
    assert share(200) == pytest.approx(1.5, abs=0.01)
    assert 0.8 < share(60) < 1.5


def test_passages_without_a_vector_count_as_average():
    index = index_of(
        [
            said("a", vectors=[[1, 0]], session="s1"),
            said("b", session="s2"),
            said("c", vectors=[[0, 1]], session="s3"),
        ],
        dimension=2,
    )
    one, without, other = ranked(index, ask("zebra"), [1, 0]).parts["dense"]
    assert one > without > other
    assert without == pytest.approx(0, abs=1e-6)


def test_another_language_is_helped_by_its_vector_alone():
    index = apart(
        said("狐狸在谷仓里", vectors=[[1, 0]]),
        said("in the barn", vectors=[[1, 0]]),
        said("nowhere", vectors=[[0, 1]]),
        dimension=2,
    )
    zh, en = ranked(index, ask("Where is the zebra?"), [1, 0]).parts["foreign"][:2]
    assert zh > en == 0
    zh, en = ranked(index, ask("斑马在哪里？"), [1, 0]).parts["foreign"][:2]
    assert en > zh == 0


def test_the_best_passage_is_told():
    index = apart(said("the red fox", "the blue owl", "nothing"), said("hm"))
    assert ranked(index, ask("owl")).passage[0] == 1
    assert ranked(index, ask("fox")).passage[0] == 0
    index = apart(said("a", "b", vectors=[[0, 1], [1, 0]]), dimension=2)
    assert ranked(index, ask("zebra"), [1, 0]).passage[0] == 1


# The bounded terms, each with the better message first.
BETTER = {
    "information": ("Which?", said("the fox ran far over nine hills"), said("ok ok ok"), {}),
    "form": ("Which fox?", said("It is a fox."), said("Is it a fox?"), {}),
    "form: first person": ("Which fox?", said("I saw a fox."), said("She saw a fox."), {}),
    "form: 第一人称": ("哪只狐狸？", said("我看见狐狸了。"), said("他看见狐狸了。"), {}),
    "speaker": ("What did Ann see?", said("a fox", name="Ann"), said("a fox", name="Bob"), {}),
    "speaker: mine": ("What did I see?", said("a fox"), said("a fox", role="assistant"), {}),
    "speaker: yours": (
        "What did you recommend?", said("a fox", role="assistant"), said("a fox"), {},
    ),
    "speaker: 你的": ("你上次推荐了什么？", said("狐狸", role="assistant"), said("狐狸"), {}),
    "recency": ("fox", said("a fox"), said("a fox", at=START - timedelta(days=90)), {}),
    "days": (
        "Which fox was it on 2024-03-01?",
        said("a fox", at=START - timedelta(days=3)),
        said("a fox", at=START - timedelta(days=2)),
        {"recency": 0.0},
    ),
    "days: 日期": (
        "2024年3月1日是哪只狐狸？",
        said("狐狸", at=START - timedelta(days=3)),
        said("狐狸", at=START - timedelta(days=2)),
        {"recency": 0.0},
    ),
}  # fmt: skip


@pytest.mark.parametrize("term", BETTER)
def test_bounded_terms_point_the_right_way_and_stay_in_bounds(term):
    query, better, worse, weights = BETTER[term]
    part = term.split(":")[0]
    question = ask(query, names=["Ann", "Bob"])
    for first, second in [(better, worse), (worse, better)]:
        found = ranked(apart(first, second), question, **weights).parts[part][:2]
        one, other = found if first is better else found[::-1]
        assert one > other
    if part != "information":
        bound = {
            "form": DEFAULT_WEIGHTS.question
            + DEFAULT_WEIGHTS.first_person
            + DEFAULT_WEIGHTS.answer,
            "speaker": DEFAULT_WEIGHTS.speaker,
            "recency": DEFAULT_WEIGHTS.recency,
            "days": DEFAULT_WEIGHTS.days,
        }[part]
        assert abs(one - other) <= bound + 1e-6


def test_where_all_are_mentioned_none_is_singled_out():
    index = apart(said("a fox", name="Ann"), said("a fox", name="Bob"))
    both = ask("What did Ann and Bob see?", names=["Ann", "Bob"])
    assert not ranked(index, both).parts["speaker"].any()


def test_a_message_from_the_future_is_no_more_than_recent():
    index = apart(said("a fox", at=START + timedelta(days=999)), said("a fox"))
    future, now = ranked(index, ask("fox")).parts["recency"][:2]
    assert future == pytest.approx(DEFAULT_WEIGHTS.recency)
    assert now < future


@pytest.mark.parametrize("query", ["Where was the heron?", "苍鹭在哪里？"])
def test_bounded_terms_never_bury_the_one_right_answer(query):
    """All of them against it: old, a question, by the other speaker, on another day."""
    answer = said(
        "heron 苍鹭 on pier 9?", role="assistant", at=START - timedelta(days=2000)
    )  # fmt: skip
    rivals = [
        said(f"I told my tale number {at} of towers, trains, tides and tents", session=f"r{at}")
        for at in range(300)
    ]
    index = index_of([replace(answer, session="a"), *rivals])
    assert ranked(index, ask(query)).scores.argmax() == 0


def test_with_few_messages_bounded_terms_are_small():
    few = index_of([said("a fox", session="a"), said("b")])
    assert ranked(few, ask("fox")).parts["recency"].max() < DEFAULT_WEIGHTS.recency / 5
    assert ranked(apart(said("a fox")), ask("fox")).parts["recency"].max() == pytest.approx(
        DEFAULT_WEIGHTS.recency * np.exp(-1 / 30), rel=1e-3
    )


def test_weights_of_nought_leave_nothing():
    off = {each.name: 0.0 for each in fields(Weights) if not each.name.endswith(("length", "days"))}
    index = apart(said("a fox", vectors=[[1, 0]]), dimension=2)
    found = ranked(index, ask("fox yesterday"), [1, 0], **{**off, "days": 0.0})
    assert not found.scores.any()


@pytest.mark.parametrize(
    ("asked", "said_before", "reply"),
    [
        ("Which fox?", "Is it a fox?", "An owl, rather."),
        ("哪只狐狸？", "是狐狸吗？", "是猫头鹰。"),
    ],
)
def test_a_short_line_behind_somebody_elses_question_is_an_answer(asked, said_before, reply):
    def form(before, text, role):
        index = index_of(
            [said(before), said(text, role=role)]
            + [said(f"filler{at}", session=f"f{at}") for at in range(64)]
        )
        return float(ranked(index, ask(asked)).parts["form"][1])

    answer = DEFAULT_WEIGHTS.answer
    statement = form("A fox.", reply, "assistant")
    assert form(said_before, reply, "assistant") == pytest.approx(statement + answer)
    assert form(said_before, reply, "user") == pytest.approx(statement)  # goes on itself
    long = form(said_before, reply + " word" * 400, "assistant")
    assert long == pytest.approx(statement, abs=0.01 * answer + 1e-6)


def sessions_of(*told, count=32):
    """An index of sessions: the given ones, and others of three remarks each."""
    others = [[f"plain{at} tale{part}" for part in range(3)] for at in range(count)]
    return index_of(
        [
            said(text, session=f"s{at}")
            for at, texts in enumerate([*told, *others])
            for text in texts
        ]
    )


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        (
            "Where is the hotel of the physics congress in Graz?",
            ["The physics congress takes days.", "So much to pack.", "Nothing to add.",
             "The hotel is by the river."],
            ["A swim today.", "So much to pack.", "Nothing to add.", "The hotel is by the lake."],
        ),
        (
            "物理大会的酒店在哪里？",
            ["物理大会要开好几天。", "行李很多。", "没有别的了。", "酒店在河边。"],
            ["今天去游泳。", "行李很多。", "没有别的了。", "酒店在湖边。"],
        ),
    ],
)  # fmt: skip
def test_the_words_of_the_session_tell_like_messages_apart(query, right, wrong):
    for told in ([right, wrong], [wrong, right]):
        index = sessions_of(*told)
        part = ranked(index, ask(query)).parts["session"]
        one, other = (part[3], part[7]) if told[0] is right else (part[7], part[3])
        assert one > other
        only = ranked(index, ask(query), company=0.0).parts["session"]
        assert abs(only[3] - only[7]) > 0.1


def test_in_few_sessions_they_say_little_and_in_one_nothing():
    told = ["The physics congress.", "So much to pack.", "Nothing.", "The hotel."]
    one = index_of([said(text) for text in told * 20])
    assert np.abs(ranked(one, ask("physics hotel"), company=0.0).parts["session"]).max() < 1e-6
    few, many = (
        np.abs(ranked(sessions_of(told, count=count), ask("physics")).parts["session"]).mean()
        for count in (2, 30)
    )
    assert few < many


def test_sessions_in_another_language_lose_nothing_by_having_no_word_of_the_question():
    index = index_of(
        [said("the fox", session="a"), said("狐狸", session="b")]
        + [said(f"filler{at} text", session=f"f{at}") for at in range(40)]
        + [said("猫头鹰", session=f"z{at}") for at in range(40)]
    )
    part = ranked(index, ask("fox"), company=0.0).parts["session"]
    assert part[1] == pytest.approx(0, abs=1e-6)
    assert part[0] > 0


@pytest.mark.parametrize(
    ("query", "gains"),
    [("What did you tell me about the physics congress?", False), ("The physics congress?", True)],
)
def test_asked_for_the_assistants_words_its_answers_alone_gain_by_their_session(query, gains):
    index = index_of(
        [
            said("The physics congress, tell me of it.", role="user"),
            said("It takes four days.", role="assistant"),
            said("And then?", role="user"),
            *(said(f"filler{at}", session=f"f{at}") for at in range(40)),
        ]
    )
    part = ranked(index, ask(query)).parts["session"]
    assert part[1] > 0
    assert bool(part[0] > 0) is gains
    assert bool(part[2] > 0) is gains

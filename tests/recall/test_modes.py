import math
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recall.rows import START, delta, index_of, said

from memfold.recall.modes import generative_agents, time_decay
from memfold.recall.reading import microseconds
from memfold.text.tokens import TiktokenCounter
from memfold.types import Hit, Message

COUNTER = TiktokenCounter()
NOW = START + timedelta(days=1)


def hit(number, *, hours=1.0, text="a fox", dense=0.0, role="user"):
    message = Message(
        id=f"m{number}",
        session="s",
        position=number,
        role=role,
        text=text,
        at=NOW - timedelta(hours=hours),
        tokens=5,
        raw={},
    )
    return Hit(message=message, score=0.0, parts={"dense": dense}, passage=(0, len(text)))


def agents(*hits):
    return generative_agents(hits, now=NOW, counter=COUNTER)


def order(hits):
    return [each.message.id for each in hits]


def test_generative_agents_prefers_the_recent():
    """As in the paper; the released code has it the other way round."""
    assert order(agents(hit(1, hours=50), hit(2, hours=1), hit(3, hours=500))) == ["m2", "m1", "m3"]


def test_generative_agents_prefers_the_important():
    dull, grave = "ok", "We decided: the contract PRD-2024-07 of Ann is cancelled on 2024-05-07."
    assert order(agents(hit(1, text=dull), hit(2, text=grave))) == ["m2", "m1"]
    assert (
        order(agents(hit(1, text="好"), hit(2, text="我们决定5月7日取消合同PRD-2024-07。")))[0]
        == "m2"
    )


def test_generative_agents_prefers_the_relevant():
    assert order(agents(hit(1, dense=-1.0), hit(2, dense=2.0), hit(3, dense=1.0))) == [
        "m2",
        "m3",
        "m1",
    ]


def test_generative_agents_adds_three_scaled_parts():
    first, second, third = agents(
        hit(1, hours=0, dense=0.0), hit(2, hours=10, dense=1.0), hit(3, hours=20, dense=0.5)
    )
    recency = {0: 1.0, 20: 0.0, 10: (0.995**10 - 0.995**20) / (1 - 0.995**20)}
    assert order([first, second, third]) == ["m2", "m1", "m3"]
    assert dict(first.parts) == pytest.approx(
        {"recency": recency[10], "importance": 0.0, "relevance": 1.0}
    )
    assert dict(second.parts) == pytest.approx(
        {"recency": 1.0, "importance": 0.0, "relevance": 0.0}
    )
    for each in (first, second, third):
        assert each.score == pytest.approx(sum(each.parts.values()))


@given(
    hours=st.lists(st.floats(-10, 10_000), min_size=1, max_size=6),
    dense=st.lists(st.floats(-5, 5), min_size=6, max_size=6),
)
def test_generative_agents_parts_lie_between_nought_and_one(hours, dense):
    found = agents(
        *(hit(at, hours=h, dense=d) for at, (h, d) in enumerate(zip(hours, dense, strict=False)))
    )
    assert [each.score for each in found] == sorted((h.score for h in found), reverse=True)
    for each in found:
        assert all(0 <= value <= 1 for value in each.parts.values())


def test_generative_agents_of_nothing_and_of_one():
    assert agents() == []
    (only,) = agents(hit(1))
    assert only.score == 0


def aged(*hours):
    return index_of([said("x", at=NOW - timedelta(hours=h), session=f"s{h}") for h in hours])


def decayed(relevance, index):
    relevance = np.array(relevance, dtype=np.float32)
    return time_decay(relevance, index, now=microseconds(NOW))["decayed"]


@given(
    relevance=st.lists(st.floats(0.125, 1, width=32), min_size=4, max_size=4),
    hours=st.lists(st.integers(0, 5), min_size=4, max_size=4, unique=True),
)
def test_time_decay_is_the_formula(relevance, hours):
    relevance = [0.0, *relevance[1:3], 1.0]
    found = decayed(relevance, aged(*hours))
    for score, share, age in zip(found[1:], relevance[1:], hours[1:], strict=True):
        assert math.exp(score) == pytest.approx(share * math.exp(-age), rel=1e-3)


def test_time_decay_prefers_the_recent_of_equals():
    found = decayed([1.0, 1.0, 1.0], aged(5, 1, 50_000))
    assert np.argsort(-found).tolist() == [1, 0, 2]
    assert np.isfinite(found).all()


def test_time_decay_scales_over_the_living():
    index = aged(0, 0.5, 0.25)
    index.apply(delta(gone=[3]))
    parts = time_decay(np.array([1, 3, 99], dtype=np.float32), index, now=microseconds(NOW))
    assert parts["relevance"][:2].tolist() == [0, 1]


def test_time_decay_takes_the_future_for_now():
    assert decayed([0.0, 1.0], aged(3, -99))[1] == pytest.approx(0)

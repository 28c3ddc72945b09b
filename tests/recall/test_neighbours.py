import numpy as np
import pytest
from tests.recall.rows import delta, index_of, said

from memfold.recall.neighbours import neighbours, standardise


def test_the_two_on_each_side_by_speaker():
    roles = ["user", "assistant", "user", "user"]
    index = index_of([said("hi there", role=role) for role in roles])
    around = neighbours(index)
    weights = np.where(around.words > 0, around.words, np.nan)
    for at, (offset, place, weight) in {
        2: (0, 1, 0.4),  # −1: the assistant's
        3: (1, 1, 0.4),  # −2
        1: (2, 2, 0.4),  # +1
        0: (3, 2, 0.1),  # +2: one's own
    }.items():
        assert around.at[offset][at] == place
        assert weights[offset][at] == pytest.approx(weight)
    assert around.words[0][0] == around.words[1][0] == 0  # nothing before the first
    assert around.words[2][3] == around.words[3][3] == 0  # nor after the last
    assert around.words[1][1] == 0


def test_other_sessions_are_no_neighbours():
    around = neighbours(index_of([said("a", session=f"s{at}") for at in range(3)]))
    assert not around.words.any()
    assert not around.vectors.any()
    assert around.total.tolist() == [1, 1, 1]


def test_a_long_message_neither_leans_nor_is_leant_on():
    short, long = "hi there", "word " * 400
    index = index_of([said(short), said(long, role="assistant"), said(short)])
    around = neighbours(index)
    assert around.vectors[2][0] == pytest.approx(0.01, rel=0.01)  # (40 / 400)²
    assert around.vectors[0][1] == around.vectors[2][1] == pytest.approx(0.01, rel=0.01)
    assert around.vectors[3][0] == pytest.approx(0.05)  # one's own, next but one: half a tenth
    assert around.total[0] == pytest.approx(1 + 0.01 + 0.05, rel=0.01)


def test_norms_are_one_for_an_average_length():
    index = index_of([said("one two three", session=f"s{at}") for at in range(4)])
    around = neighbours(index)
    assert around.own_norm == pytest.approx([1] * 4)
    index = index_of([said("one"), said("one " * 30, session="t")])
    short, long = neighbours(index).own_norm
    assert short < 1 < long
    assert short + long == pytest.approx(2)


def test_the_gone_do_not_count():
    index = index_of([said("one two"), said("three four five six"), said("x " * 100)])
    index.apply(delta(gone=[3]))
    around = neighbours(index)
    assert around.living == 2
    assert around.mean_length == 3
    assert around.spread[:2].tolist() == pytest.approx([-1, 1])


def test_standardised_values_have_mean_nought_and_deviation_one():
    values = np.array([1.0, 2.0, 3.0, 100.0], dtype=np.float32)
    alive = np.array([True, True, True, False])
    result = standardise(values, alive)
    assert result[:3].mean() == pytest.approx(0, abs=1e-6)
    assert result[:3].std() == pytest.approx(1)
    assert standardise(np.ones(3, dtype=np.float32), alive[:3]).tolist() == [0, 0, 0]
    assert standardise(values, np.zeros(4, dtype=np.bool_)).tolist() == [0, 0, 0, 0]

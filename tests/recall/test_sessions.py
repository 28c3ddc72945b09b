import numpy as np
import pytest
from tests.recall.rows import delta, index_of, said

from memfold.recall.sessions import company, sessions_of, told


def index():
    return index_of(
        [
            said("one two three"),
            said("one"),
            said("four five six seven", session="t"),
            said("eight nine ten eleven", session="u"),
        ]
    )


def test_sizes_and_norms_are_of_the_living():
    found = sessions_of(index())
    assert found.living == 3
    assert found.sizes.tolist() == [2, 1, 1]
    assert found.norm == pytest.approx([1, 1, 1])
    changed = index()
    changed.apply(delta(gone=[1, 3]))
    found = sessions_of(changed)
    assert found.living == 2
    assert found.sizes.tolist() == [1, 1, 1]  # never nought
    assert found.norm[1] < found.norm[0] < found.norm[2]


def test_a_term_speaks_for_the_sessions_that_hold_it_the_more_the_rarer():
    found = sessions_of(index())
    rare = told(np.array([1, 0, 0, 0], dtype=np.float32), found)
    common = told(np.array([0, 1, 1, 1], dtype=np.float32), found)
    assert rare[0] > common[0] > 0
    assert rare[1] == rare[2] == 0
    again = told(np.array([1, 1, 0, 0], dtype=np.float32), found)
    assert rare[0] < again[0] < 2 * rare[0]


def test_company_is_that_of_the_others():
    found = sessions_of(index())
    alive = np.ones(4, dtype=np.bool_)
    first, second, alone, other = company(np.array([4.0, 0.0, 4.0, 0.0]), alive, found)
    assert second > first == pytest.approx(0)
    assert alone == other == pytest.approx(0)
    # What is gone is nobody's company, and no score is too high to be counted.
    gone = company(np.array([1e6, 0, 0, 0]), np.array([False, True, True, True]), found)
    assert np.isfinite(gone).all()
    assert gone[1] < second
    assert np.isfinite(company(np.array([1e6, 0, 0, 0]), alive, found)).all()


def test_nothing_said_is_nothing_found():
    empty = sessions_of(index_of([]))
    assert empty.living == 0
    assert not len(company(np.zeros(0), np.zeros(0, dtype=np.bool_), empty))

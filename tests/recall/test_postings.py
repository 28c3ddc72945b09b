from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.recall import postings
from memfold.recall.postings import Postings

TERMS = st.sampled_from([0, 1, 7, 2**31, 2**32 - 1])
BATCHES = st.lists(st.lists(st.lists(TERMS, max_size=6), max_size=5), max_size=8)


def packed(terms):
    return np.array(terms, dtype="<u4").tobytes()


@pytest.mark.parametrize("least", [0, 3, 50_000], ids=["merged at once", "merged often", "never"])
def test_postings_are_those_of_a_count(least, monkeypatch):
    """However the documents came in, and however often they were merged."""
    monkeypatch.setattr(postings, "_MERGE_LEAST", least)

    @given(batches=BATCHES)
    def check(batches):
        index = Postings()
        documents: list[list[int]] = []
        for batch in batches:
            index.add(len(documents), [packed(terms) for terms in batch])
            documents += batch
        for term in (0, 1, 7, 8, 2**31, 2**32 - 1):
            found, counts = index.find(term)
            expected = {at: Counter(terms)[term] for at, terms in enumerate(documents)}
            assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == {
                at: count for at, count in expected.items() if count
            }
            assert len(set(found.tolist())) == len(found)

    check()


def test_an_empty_index_finds_nothing():
    found, counts = Postings().find(5)
    assert len(found) == len(counts) == 0


def test_a_large_batch_is_merged_with_what_came_before_and_after():
    index = Postings()
    index.add(0, [packed([1, 2])])
    index.add(1, [packed(range(postings._MERGE_LEAST + 1))])
    index.add(2, [packed([2, 2])])
    found, counts = index.find(2)
    assert sorted(zip(found.tolist(), counts.tolist(), strict=True)) == [(0, 1), (1, 1), (2, 2)]

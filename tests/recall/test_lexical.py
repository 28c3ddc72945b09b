import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recall.rows import ask, delta, index_of, rows, said

from memfold.recall.index import MemoryIndex
from memfold.recall.lexical import lexical
from memfold.recall.neighbours import neighbours
from memfold.text.terms import term_ids

WORDS = st.lists(st.sampled_from(["fox", "owl", "elk", "hen", "狐狸"]), max_size=5).map(" ".join)
MESSAGES = st.lists(
    st.builds(
        said,
        WORDS,
        session=st.sampled_from(["s", "t"]),
        role=st.sampled_from(["user", "assistant"]),
    ),
    min_size=1,
    max_size=60,
)
K1, B_OWN, B_NEAR = 0.6, 0.5, 0.75


def by_hand(index, messages, gone, terms):
    """BM25F as it is written, one message at a time; every message has one passage."""
    alive = [at for at in range(len(messages)) if at + 1 not in gone]
    previous, following = index.messages["previous"], index.messages["next"]

    def count(postings, term, at):
        found, counts = postings.find(term)
        return float(counts[found == at].sum())

    def around(at):
        found: set[int] = set()
        for link in (previous, following):
            one = int(link[at])
            two = int(link[one]) if one >= 0 else -1
            found |= {each for each in (one, two) if each >= 0}
        return sorted(found)

    own_length = index.messages["length"] + index.messages["header_length"]
    near_length = [sum(index.messages["length"][each] for each in around(at)) for at in alive]
    mean_own = max(np.mean([own_length[at] for at in alive]), 1)
    mean_near = max(np.mean(near_length), 1)
    scores = dict.fromkeys(alive, 0.0)
    for term in terms:
        holders = [
            at for at in alive if count(index.body, term, at) or count(index.header, term, at)
        ]
        idf = math.log1p((len(alive) - len(holders) + 0.5) / (len(holders) + 0.5))
        for at, near in zip(alive, near_length, strict=True):
            own = count(index.body, term, at) + count(index.header, term, at)
            weight = own / (1 - B_OWN + B_OWN * own_length[at] / mean_own)
            nearby = sum(
                (0.4 if messages[each].role != messages[at].role else 0.1)
                * count(index.body, term, each)
                for each in around(at)
            )
            weight += nearby / (1 - B_NEAR + B_NEAR * near / mean_near)
            scores[at] += idf * weight * (K1 + 1) / (weight + K1)
    return scores


@given(messages=MESSAGES, cut=st.integers(0, 5), query=WORDS.filter(bool))
def test_scores_are_those_of_the_formula(messages, cut, query):
    index = MemoryIndex(0)
    index.apply(delta(rows(messages)))
    # The last of a session are cut off, one by one.
    gone = [at + 1 for at, each in enumerate(messages) if each.session == "t"][::-1][:cut]
    index.apply(delta(gone=gone))
    if len(gone) == len(messages):
        return
    terms = ask(query).terms
    found = lexical(index, terms, neighbours(index))
    expected = by_hand(index, messages, gone, terms)
    assert {at: found.passages[at] for at in expected} == pytest.approx(expected, abs=1e-4)
    assert all(found.passages[seq - 1] == 0 for seq in gone)
    assert 0 <= found.explained <= 1 + 1e-6


def test_rare_and_common_terms_are_added_up_alike():
    """Beyond the share from which dense arrays are used."""
    messages = [said(f"fox{at} common", role=("user", "assistant")[at % 2]) for at in range(120)]
    index = index_of(messages)
    for query in ("fox60", "common"):
        terms = ask(query).terms
        found = lexical(index, terms, neighbours(index))
        expected = by_hand(index, messages, [], terms)
        assert {at: found.passages[at] for at in expected} == pytest.approx(expected, abs=1e-4)


def test_each_passage_is_scored_by_its_own_words():
    index = index_of([said("the red fox", "the blue owl"), said("hm", session="t")])
    found = lexical(index, ask("owl").terms, neighbours(index)).passages
    assert found[1] > found[0] == found[2] == 0


def test_a_neighbours_words_count_but_less():
    index = index_of(
        [said("where is the fox?"), said("in the barn", role="assistant"), said("thanks")]
    )
    fox, barn, thanks = lexical(index, ask("fox").terms, neighbours(index)).passages
    assert fox > barn > thanks > 0


def test_the_share_that_is_explained():
    index = index_of([said("the red fox"), said("an owl", session="t")])
    around = neighbours(index)
    assert lexical(index, ask("red fox").terms, around).explained == pytest.approx(1)
    assert 0 < lexical(index, ask("red zebra").terms, around).explained < 1
    assert lexical(index, ask("zebra").terms, around).explained == 0
    assert lexical(index, (), around).explained == 0


def test_speaker_and_day_are_words_of_a_message():
    index = index_of([said("hello", name="Miriam"), said("hello", name="Jonas")])
    around = neighbours(index)
    one, other = lexical(index, ask("Miriam").terms, around).passages
    assert one > 0 == other
    assert lexical(index, ask("4 March 2024").terms, around).passages.min() > 0


def test_of_very_many_terms_the_rarest_that_were_ever_used_are_searched():
    messages = [said(f"common w{at} w{at // 2}") for at in range(400)]
    index = index_of(messages)
    around = neighbours(index)
    strange = [f"q{at}" for at in range(5_000)]
    words = [*strange, "common", *(f"w{at}" for at in range(400))]
    asked = term_ids(words).tolist()
    scores = lexical(index, asked, around)
    rarest = [f"w{at}" for at in range(200, 400)] + [f"w{at}" for at in range(56)]
    assert lexical(index, term_ids(rarest).tolist(), around).passages == pytest.approx(
        scores.passages, rel=1e-5
    )
    assert 0 < scores.explained <= 1
    few = term_ids([*strange[:200], "common"]).tolist()
    assert lexical(index, few, around).passages == pytest.approx(
        lexical(index, term_ids(["common"]).tolist(), around).passages
    )

"""The greedy choice, against all the choices there are."""

from itertools import combinations
from math import e

from hypothesis import given
from hypothesis import strategies as st
from tests.fold.conversations import COUNTER

from memfold.fold.coverage import Selection, choose, value
from memfold.fold.lines import ENGLISH, Layout
from memfold.fold.units import Candidate, Unit
from memfold.fold.weights import Weights

SILENT = Unit(text="")
WEIGHTS = Weights(
    entities={"a": 3.0, "b": 2.0, "c": 1.0}, terms={"u": 1.5, "v": 1.0, "w": 0.5, "x": 0.25}
)
LAYOUT = Layout(ENGLISH, None, COUNTER)


def candidate(order, tokens=5, entities="", terms="", manner=1.0):
    return Candidate(
        order=order,
        unit=SILENT,
        line=SILENT.line,
        text="",
        tokens=tokens,
        entities=tuple(entities),
        terms=tuple(terms),
        manner=manner,
    )


@st.composite
def candidates(draw):
    shapes = st.tuples(
        st.integers(1, 12),
        st.sets(st.sampled_from("abc")).map(sorted),
        st.sets(st.sampled_from("uvwx")).map(sorted),
        st.sampled_from([0.5, 1.0, 1.5]),
    )
    drawn = draw(st.lists(shapes, max_size=7))
    return [candidate(order, *shape) for order, shape in enumerate(drawn)]


def worth(chosen):
    return value(chosen, WEIGHTS, LAYOUT)


def tokens(chosen):
    return sum(each.tokens for each in chosen)


@given(candidates(), st.integers(0, 40))
def test_half_of_what_the_greedy_rule_guarantees_is_always_reached(given_ones, limit):
    chosen = choose(given_ones, WEIGHTS, LAYOUT, limit, {})
    assert tokens(chosen) <= limit
    best = max(
        worth(some)
        for size in range(len(given_ones) + 1)
        for some in combinations(given_ones, size)
        if tokens(some) <= limit
    )
    # The rate counts a token of reading for each sentence, so the bound holds with some slack.
    assert worth(chosen) >= best * (1 - 1 / e) / 4


@given(candidates())
def test_each_further_sentence_helps_less(given_ones):
    selection = Selection(WEIGHTS, LAYOUT, 0, {})
    before = [selection.gain(each) for each in given_ones]
    for each in given_ones:
        selection.add(each)
        after = [selection.gain(one) for one in given_ones]
        assert all(late <= early for late, early in zip(after, before, strict=True))
        before = after


def test_the_same_is_not_said_twice():
    chosen = choose([candidate(0, terms="uv"), candidate(1, terms="uv")], WEIGHTS, LAYOUT, 50, {})
    assert [each.order for each in chosen] == [0]


def test_a_plain_statement_after_a_question_still_helps():
    question, answer = candidate(0, terms="u", manner=0.5), candidate(1, terms="u")
    assert worth([question, answer]) == 1.5


def test_one_long_sentence_may_beat_many_short_ones():
    long = candidate(0, tokens=20, entities="abc", terms="uvwx")
    short = candidate(1, tokens=1, terms="u")
    assert choose([long, short], WEIGHTS, LAYOUT, 20, {}) == [long]


def test_a_sentence_sets_free_what_was_reserved_for_its_details():
    naming = candidate(0, tokens=9, entities="a")
    assert choose([naming], WEIGHTS, LAYOUT, 10, {"a": 4, "b": 4}) == []
    assert choose([naming], WEIGHTS, LAYOUT, 13, {"a": 4, "b": 4}) == [naming]

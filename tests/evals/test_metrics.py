"""Figures of single questions and their averages, worked out by hand."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memfold.evals.dataset import Question
from memfold.evals.metrics import Outcome, averages, by_category, figures, percentile
from memfold.evals.profiles import Profile
from memfold.evals.shown import Shown

AT = datetime(2023, 10, 22, tzinfo=UTC)
TEXTS = {"a": "The ferry costs 40 euros.", "b": "It leaves at nine.", "c": "Bring a coat."}
EVERYTHING = Profile(hit=True, sessions=True, answers=frozenset({"one"}))


def question(category="one", evidence=("a", "b"), answer="40 euros"):
    return Question(
        id="q",
        text="What about the ferry?",
        category=category,
        evidence=evidence,
        asked_at=AT,
        answer=answer,
        answer_sessions=("s1", "s2"),
    )


def outcome(ranked, *, sessions=(), shown=""):
    return Outcome(ranked=ranked, sessions=sessions, contexts={500: Shown(shown, at=AT)})


def test_figures_of_a_question():
    others = [f"x{number}" for number in range(20)]
    found = figures(
        question(),
        outcome(
            ["c", "a", *others[:6], "b", *others[6:]],
            sessions=["s3", "s1", "s4", "s5", "s6", "s2"],
            shown="Tom: The ferry costs 40 euros.\nIt leaves at nine.",
        ),
        TEXTS,
        EVERYTHING,
    )

    assert found == {
        ("evidence_recall", "5"): 0.5,
        ("evidence_recall", "10"): 1,
        ("evidence_recall", "20"): 1,
        ("all_recall", "5"): 0,
        ("all_recall", "10"): 1,
        ("all_recall", "20"): 1,
        ("hit", "5"): 1,
        ("session_all", "5"): 0,
        ("session_all", "10"): 1,
        ("evidence_in_context", "500"): 1,
        ("answer_in_context", "500"): 1,
    }


def test_a_part_of_the_evidence_is_not_all():
    found = figures(question(), outcome([], shown="Tom: It leaves at nine."), TEXTS, EVERYTHING)

    assert found["evidence_in_context", "500"] == 0
    assert found["answer_in_context", "500"] == 0
    assert found["hit", "5"] == 0


def test_metrics_that_make_no_sense_are_left_out():
    plainest = figures(question(), outcome(["a"]), TEXTS, Profile())
    assert {metric for metric, _ in plainest} == {
        "evidence_recall",
        "all_recall",
        "evidence_in_context",
    }
    unranked = figures(question(), outcome(None), TEXTS, EVERYTHING)
    assert {metric for metric, _ in unranked} == {"evidence_in_context", "answer_in_context"}
    other = figures(question(category="two"), outcome(["a"]), TEXTS, EVERYTHING)
    assert ("answer_in_context", "500") not in other
    unanswered = figures(question(answer=""), outcome(["a"]), TEXTS, EVERYTHING)
    assert ("answer_in_context", "500") not in unanswered


def test_averages_are_over_the_questions_that_have_the_figure():
    found = averages(
        [
            {("hit", "5"): 1.0, ("answer_in_context", "500"): 0.0},
            {("hit", "5"): 0.0},
            {("hit", "5"): 1.0},
        ]
    )

    assert found == {"hit": {"5": 0.6667}, "answer_in_context": {"500": 0.0}}
    assert averages([]) == {}


def test_categories():
    questions = [question("two"), question("one"), question("two")]

    found = by_category(questions, [{("hit", "5"): share} for share in (1.0, 1.0, 0.0)])

    assert list(found) == ["one", "two"]
    assert found["two"] == {"questions": 2, "hit": {"5": 0.5}}


def test_percentile():
    assert percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.5
    assert percentile([5.0], 0.95) == 5.0
    assert percentile([], 0.5) == 0.0


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_a_percentile_lies_within_the_values(values, share):
    slack = 1e-9 * max(values)
    assert min(values) - slack <= percentile(values, share) <= max(values) + slack

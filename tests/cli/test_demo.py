"""The demo shows what it computes."""

import re
from itertools import pairwise

import pytest

from memfold import Memory
from memfold.cli.demo.story import sample
from memfold.cli.demo.wording import CHINESE, ENGLISH

GPU = "RTX 4090"
PLACES = re.compile(r"\{(\w+)")


@pytest.fixture(scope="module")
def figures(memfold):
    """Everything, computed once."""
    ran = memfold("demo", "--json")
    assert ran.code == 0, ran.err
    return ran.json


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_window_forgot_and_the_context_has_it(figures, language):
    story = figures["languages"][language]
    assert story["messages"] == len(sample(language).messages)
    assert story["window"]["holds_the_evidence"] is False
    question = story["question"]
    assert question["found"]
    assert question["tokens"] <= figures["budget"] == 1000
    assert question["full_tokens"] > 10 * question["tokens"]
    assert GPU in question["context"]["text"]
    assert {each["kind"] for each in story["other_questions"]} == {"update", "time", "multi"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_outline_covers_the_past_without_gaps(figures, language):
    outline = figures["languages"][language]["outline"]
    assert outline[0]["first"] == 0
    assert all(a["last"] + 1 == b["first"] for a, b in pairwise(outline))
    assert max(fold["level"] for fold in outline) == 2
    assert all(fold["tokens"] < fold["source_tokens"] for fold in outline)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_score_is_over_all_questions(figures, language):
    score = figures["scores"][language]
    assert score["questions"] == 40
    shares = score["evidence_in_context"]
    assert set(shares) == {"memfold", "window", "bm25", "full"}
    for budget in ("500", "1000", "2000"):
        assert shares["memfold"][budget] > shares["window"][budget] + 0.5
        assert shares["full"][budget] == 0, "longer than any of the budgets"


def test_facts_are_found_across_languages(figures):
    for crossed in figures["across"]:
        assert crossed["rank"] <= 10
        assert GPU in crossed["fact"]


@pytest.mark.parametrize(("language", "said"), [("en", ENGLISH), ("zh", CHINESE)])
def test_on_a_screen(memfold, tmp_path, language, said):
    ran = memfold("demo", "--lang", language, "--budget", "500")
    assert ran.code == 0
    for heading in ("happened", "forgot", "outline", "context", "more"):
        assert said[heading] in ran.out
    marked = [line for line in ran.out.splitlines() if "▶" in line]
    assert any(GPU in line for line in marked)
    assert said["found"] in ran.out
    assert said["cross"] not in ran.out, "one language alone has no other to ask"
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def test_plain_and_kept(memfold):
    ran = memfold("demo", "--lang", "en", "--plain", "--keep", "kept.db")
    assert not re.search(r"[\u2500-\u25ff\x1b]", ran.out), "ASCII but for the words"
    assert "> m6 user: The card is a single RTX 4090" in ran.out
    assert "memfold search --db kept.db --user demo-en" in ran.out
    with Memory("kept.db", embedder=None) as memory:
        assert [scope.user for scope in memory.owners()] == ["demo-en"]
    hits = memfold("search", "GPU", "--db", "kept.db", "--user", "demo-en", "--json").json["hits"]
    assert any(GPU in hit["text"] for hit in hits)
    again = memfold("demo", "--keep", "kept.db")
    assert again.code == 1
    assert "kept.db is there already" in again.err


def test_a_place_that_cannot_be_kept_at(memfold):
    assert memfold("demo", "--keep", "no/such/folder/x.db").code == 1


def test_a_budget_too_small(memfold):
    error = memfold("demo", "--budget", "5", "--json").json["error"]
    assert error["type"] == "BudgetTooSmall"


def test_both_languages_say_the_same_things():
    assert list(ENGLISH) == list(CHINESE)
    for name in ENGLISH:
        assert sorted(PLACES.findall(ENGLISH[name])) == sorted(PLACES.findall(CHINESE[name]))


def test_the_samples_questions_start_with_the_graphics_card():
    for language in ("en", "zh"):
        told = sample(language)
        (evidence,) = told.questions[0]["evidence"]
        (message,) = [m for m in told.messages if m["id"] == evidence]
        assert GPU in message["content"]

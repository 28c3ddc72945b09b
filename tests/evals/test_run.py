"""Whole runs, through a real memory on a file, with the real embedder."""

import json
from collections import Counter
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from tests.evals import published

from memfold import evals
from memfold.embedders.use import UniversalSentenceEncoder
from memfold.errors import InvalidInput
from memfold.evals.embedding import RememberingEmbedder
from memfold.evals.profiles import PROFILES
from memfold.evals.readers import READERS

SCHEMA = json.loads(
    resources.files("memfold.evals").joinpath("schema", "bench.schema.json").read_text("utf-8")
)
EMBEDDER = UniversalSentenceEncoder()


def sources(tmp_path: Path) -> dict[str, Path]:
    """A tiny data set of each kind."""
    return {
        "locomo": published.write(tmp_path / "talks.json", published.locomo()),
        "longmemeval": published.write(tmp_path / "questions.json.xz", published.longmemeval()),
        "beam": published.beam(tmp_path / "beam"),
        "memdaily": published.memdaily(tmp_path / "memdaily", streams=3),
    }


def run(name, path, **options):
    result = evals.run(evals.load(name, path), embedder=EMBEDDER, **options)
    # As it is printed.
    return json.loads(json.dumps(result, ensure_ascii=False, allow_nan=False))


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", READERS)
def test_a_result_has_the_form_of_the_schema(tmp_path, name):
    result = run(name, sources(tmp_path)[name])

    Draft202012Validator(SCHEMA).validate(result)
    assert result["dataset"] == name
    assert ("hit" in result) == (name == "memdaily")
    assert ("session_all" in result) == (name == "longmemeval")
    assert ("answer_in_context" in result) == (name != "beam")
    assert result["containment"] == PROFILES[name].containment
    assert sum(row["questions"] for row in result["by_category"].values()) == result["questions"]
    # So little that everything is found and shown.
    assert result["evidence_recall"]["20"] == 1
    assert result["evidence_in_context"]["4000"] == 1
    assert result["baselines"]["full"]["evidence_in_context"]["4000"] == 1


@pytest.mark.parametrize("strategy", evals.STRATEGIES)
def test_strategies(tmp_path, strategy):
    result = run("locomo", sources(tmp_path)["locomo"], strategy=strategy, budgets=[300])

    Draft202012Validator(SCHEMA).validate(result)
    assert result["strategy"] == strategy
    assert list(result["evidence_in_context"]) == ["300"]
    assert ("context_p50" in result["latency_ms"]) == (strategy == "memfold")
    assert bool(result["details"]["embedder"]) == (strategy != "lexical")


def test_a_run_is_repeatable(tmp_path):
    path = sources(tmp_path)["memdaily"]
    first, second = (run("memdaily", path, budgets=[200]) for _ in range(2))

    for result in (first, second):
        del result["seconds"], result["latency_ms"]
    assert first == second


def test_the_question_itself_is_no_evidence(tmp_path):
    talk = published.locomo()
    talk[0]["qa"] = [
        {
            "question": "Who is called Quentin Oberhausen?",
            "answer": "Quentin Oberhausen",
            "evidence": ["D1:2"],
            "category": 4,
        }
    ]
    result = run("locomo", published.write(tmp_path / "a.json", talk), budgets=[1000])

    assert result["answer_in_context"]["1000"] == 0


def test_too_small_a_budget_shows_nothing(tmp_path):
    result = run("locomo", sources(tmp_path)["locomo"], budgets=[1])

    assert result["evidence_in_context"] == {"1": 0}
    assert result["tokens"] == 0


def test_limit_and_progress(tmp_path):
    seen: list[tuple[int, int]] = []
    result = run(
        "memdaily",
        sources(tmp_path)["memdaily"],
        limit=2,
        budgets=[500],
        progress=lambda done, total: seen.append((done, total)),
    )

    assert result["questions"] == 2
    assert result["skipped"] == {"beyond the limit": 4}
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def test_containment_can_be_chosen(tmp_path):
    result = run("beam", sources(tmp_path)["beam"], containment="whole", budgets=[500])

    assert result["containment"] == "whole"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"strategy": "magic"}, "no strategy 'magic'"),
        ({"budgets": []}, "one or more positive"),
        ({"budgets": [500, 0]}, "one or more positive"),
        ({"containment": "partly"}, "no rule 'partly'"),
        ({"limit": 0}, "at least one question"),
    ],
)
def test_what_cannot_be_run_is_refused(tmp_path, options, said):
    with pytest.raises(InvalidInput, match=said):
        run("locomo", sources(tmp_path)["locomo"], **options)


def test_a_data_set_without_questions_is_refused(tmp_path):
    talk = published.locomo()
    talk[0]["qa"] = []

    with pytest.raises(InvalidInput, match=r"a\.json: no question that can be scored"):
        run("locomo", published.write(tmp_path / "a.json", talk))


class CountingEmbedder:
    """The real embedder, counting what it is asked."""

    fingerprint = EMBEDDER.fingerprint
    dimension = EMBEDDER.dimension

    def __init__(self):
        self.seen: Counter[str] = Counter()

    def embed(self, texts):
        self.seen.update(texts)
        return EMBEDDER.embed(texts)


def test_a_text_is_embedded_once():
    counting = CountingEmbedder()
    embedder = RememberingEmbedder(counting)

    first = embedder.embed(["a cat", "a dog", "a cat"])
    second = embedder.embed(["a dog", "一只猫"])

    assert set(counting.seen.values()) == {1}
    assert (embedder.asked, embedder.remembered) == (5, 2)
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(first[1], second[0])
    assert first.dtype == np.float32
    assert np.allclose(first, EMBEDDER.embed(["a cat", "a dog", "a cat"]), atol=1e-3)
    assert embedder.embed([]).shape == (0, EMBEDDER.dimension)


def test_nothing_is_remembered_while_something_is_timed():
    counting = CountingEmbedder()
    embedder = RememberingEmbedder(counting)
    embedder.embed(["a cat"])

    with embedder.live():
        embedder.embed(["a cat"])

    assert counting.seen["a cat"] == 2
    assert (embedder.asked, embedder.remembered) == (1, 0)


def test_queries_are_embedded_each_time(tmp_path):
    counting = CountingEmbedder()
    dataset = evals.load("memdaily", sources(tmp_path)["memdaily"], limit=1)

    result = evals.run(dataset, embedder=counting, budgets=[300, 600])

    (question,) = dataset.cases[0].questions
    assert counting.seen[question.text] == 3
    assert result["details"]["embedded"] > 0

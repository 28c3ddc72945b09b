"""``memfold bench compare``: tables, JSON and a page."""

import json
from importlib import resources

import jsonschema
import pytest
from tests.evals import published

from memfold.testing.llm_server import LLMServer

SCHEMA = json.loads(
    resources.files("memfold.evals").joinpath("schema/compare.schema.json").read_text("utf-8")
)


@pytest.fixture
def file(tmp_path):
    published.write(tmp_path / "talks.json", published.locomo())
    return "talks.json"


def test_json_and_a_page(memfold, tmp_path, file):
    ran = memfold(
        "bench", "compare", "locomo", file, "--budgets", "200,300", "--limit", "1",
        "--strategies", "window, memfold", "--html", "out.html", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    result = ran.json
    jsonschema.validate(result, SCHEMA)
    assert list(result["strategies"]) == ["window", "memfold"]
    assert list(result["strategies"]["memfold"]) == ["200", "300"]
    page = (tmp_path / "out.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "</html>" in page
    assert "out.html" in ran.err


def test_tables_of_the_samples(memfold):
    ran = memfold("bench", "compare", "demo", "--strategies", "full,window", "--limit", "2")
    assert ran.code == 0, ran.err
    assert "Questions with all evidence" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_a_model_reads_and_judges(memfold, file, monkeypatch):
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with LLMServer(lambda request: "CORRECT") as server:
        ran = memfold(
            "bench", "compare", "locomo", file, "--limit", "1", "--budgets", "200",
            "--strategies", "window", "--reader", "a", "--judge", "b", "--url", server.base_url,
        )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "reader: a; judge: b" in ran.out
    assert "answered rightly" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["locomo"], 2, "locomo needs a file"),
        (["demo", "talks.json"], 2, "demo needs no file"),
        (["locomo", "gone.json"], 1, "gone.json"),
        (["demo", "--budgets", "many"], 2, "'many' is not numbers"),
        (["demo", "--budgets", "5,0"], 2, "above zero"),
        (["demo", "--strategies", "magic"], 1, "not 'magic'"),
        (["demo", "--judge", "b"], 1, "--reader"),
        (["demo", "--url", "http://localhost:1"], 1, "--url"),
    ],
)
def test_what_cannot_be_compared(memfold, file, arguments, code, said):
    ran = memfold("bench", "compare", *arguments)
    assert ran.code == code
    assert said in ran.err

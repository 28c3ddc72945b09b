"""``memfold bench`` reads the published formats and prints their figures."""

import json
from importlib import resources

import jsonschema
import pytest
from tests.evals import published

SCHEMA = json.loads(
    resources.files("memfold.evals").joinpath("schema/bench.schema.json").read_text("utf-8")
)


@pytest.fixture
def files(tmp_path):
    """Each benchmark, tiny."""
    published.write(tmp_path / "locomo.json.xz", published.locomo())
    published.write(tmp_path / "longmemeval.json", published.longmemeval())
    published.beam(tmp_path / "beam")
    published.memdaily(tmp_path / "memdaily")
    return {
        "locomo": "locomo.json.xz",
        "longmemeval": "longmemeval.json",
        "beam": "beam",
        "memdaily": "memdaily",
    }


NAMES = ["locomo", "longmemeval", "beam", "memdaily"]


@pytest.mark.parametrize("name", NAMES)
def test_json(memfold, files, name):
    ran = memfold("bench", name, files[name], "--budget", "300", "--budget", "900", "--json")
    assert ran.code == 0, ran.err
    result = ran.json
    jsonschema.validate(result, SCHEMA)
    assert result["dataset"] == name
    assert list(result["evidence_in_context"]) == ["300", "900"]
    assert set(result["baselines"]) == {"full", "window", "bm25"}


@pytest.mark.parametrize("name", NAMES)
def test_tables(memfold, files, name):
    out = memfold("bench", name, files[name], "--limit", "1").out
    assert "plain BM25" in out
    assert "last messages" in out
    assert "[bold]" not in out


def test_strategies_and_limits(memfold, files):
    result = memfold(
        "bench", "locomo", files["locomo"], "--strategy", "lexical", "--limit", "2", "--json"
    ).json
    assert (result["strategy"], result["questions"]) == ("lexical", 2)


@pytest.mark.parametrize("name", [*NAMES, "stretches"])
def test_files_that_are_not_what_they_claim(memfold, tmp_path, name):
    (tmp_path / "other.json").write_text('{"nothing": "of the kind"}')
    (tmp_path / "empty").mkdir()
    for path in ("other.json", "empty", "gone"):
        ran = memfold("bench", name, path)
        assert ran.code == 1
        assert ran.err.startswith("memfold: ")
        assert memfold("bench", name, path, "--json").json["error"]["exit_code"] == 1


def test_stretches_need_conversations_that_are_long_enough(memfold, files):
    ran = memfold("bench", "stretches", files["locomo"])
    assert ran.code == 1
    assert "100 messages" in ran.err


def test_crosslingual(memfold):
    result = memfold("bench", "crosslingual", "--strategy", "lexical", "--json").json
    jsonschema.validate(result, SCHEMA)
    assert (result["dataset"], result["questions"]) == ("crosslingual", 50)


def test_folds(memfold, tmp_path):
    published.memdaily(tmp_path / "memdaily")
    assert memfold("bench", "folds", "locomo").code == 1
    out = memfold("bench", "folds", "memdaily", "memdaily", "--limit", "1").out
    assert "level 1:" in out
    assert "random" in out

"""Ways to remember, compared on conversations made up here."""

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from importlib import resources

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console
from tests.evals import published
from tests.evals.test_folds import PETS, TOWNS

from memfold import evals
from memfold.embedders.use import UniversalSentenceEncoder
from memfold.errors import InvalidInput
from memfold.evals.compare import plain
from memfold.evals.compare.drift import WAYS
from memfold.evals.compare.policies import POLICIES
from memfold.evals.compare.policy import Tools
from memfold.evals.compare.running import RecursiveSummary, Running
from memfold.evals.compare.tree import SummaryOnly
from memfold.evals.embedding import RememberingEmbedder
from memfold.evals.folds.talks import as_one
from memfold.text.entities import EntityExtractor
from memfold.text.tokens import TiktokenCounter

SCHEMA = json.loads(
    resources.files("memfold.evals").joinpath("schema", "compare.schema.json").read_text("utf-8")
)
EMBEDDER = UniversalSentenceEncoder()
COUNTER = TiktokenCounter()
BUDGETS = (120, 400)


def talk(turns, more=""):
    """A LoCoMo file of two people, who tell each other what they bought, and ``more``."""
    said = [
        {
            "speaker": ("Ines", "Tom")[turn % 2],
            "dia_id": f"D1:{turn + 1}",
            "text": f"My {PETS[turn % 7]} came from {TOWNS[turn % 5]}, {turn + 120} euros.{more}",
        }
        for turn in range(turns)
    ]
    asked = [("Which cost 122 euros?", "ferret", "D1:3"), ("多少钱？ parrot", "120 euros", "D1:1")]
    return [
        {
            "sample_id": "talk-1",
            "conversation": {
                "speaker_a": "Ines",
                "speaker_b": "Tom",
                "session_1_date_time": "1:00 pm on 8 May, 2023",
                "session_1": said,
            },
            "qa": [
                {"question": text, "answer": answer, "evidence": [place], "category": 4}
                for text, answer, place in asked
            ],
        }
    ]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    file = published.write(tmp_path_factory.mktemp("compare") / "talks.json", talk(170))
    return evals.load("locomo", file)


@pytest.fixture(scope="module")
def result(dataset):
    """All strategies on one conversation; as it is printed."""
    found = evals.compare(dataset, budgets=BUDGETS, embedder=EMBEDDER)
    return json.loads(json.dumps(found, ensure_ascii=False, allow_nan=False))


@pytest.fixture
def tools(tmp_path):
    return Tools(
        counter=COUNTER,
        embedder=RememberingEmbedder(EMBEDDER),
        extractor=EntityExtractor(),
        folder=tmp_path,
    )


def test_a_result_has_the_form_of_the_schema(result):
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(result)
    assert list(result["strategies"]) == list(POLICIES)
    assert (result["messages"], result["questions"]) == (170, 2)


def test_budgets_are_kept_by_all_but_the_full_history(result):
    assert list(result["strategies"]["full"]) == ["all"]
    assert result["strategies"]["full"]["all"]["tokens"] > 2_000
    assert result["strategies"]["full"]["all"]["evidence_in_context"] == 1
    for name, rows in result["strategies"].items():
        if name != "full":
            assert list(rows) == ["120", "400"]
            assert all(row["tokens"] <= int(budget) for budget, row in rows.items()), name


def test_what_is_old_is_found_by_searching_and_not_in_the_window(result):
    at = {name: rows.get("400") for name, rows in result["strategies"].items()}
    assert at["window"]["evidence_in_context"] == 0
    assert at["memfold"]["evidence_in_context"] > at["window"]["evidence_in_context"]


def test_only_what_summarises_has_figures_of_a_summary(result):
    having = {
        name for name, rows in result["strategies"].items() if "summary" in rows.get("400", {})
    }
    assert having == {"recursive-summary", "summary-only"}
    assert all(
        row["llm_calls"] == 0 for rows in result["strategies"].values() for row in rows.values()
    )


def test_drift_is_followed_for_five_rounds_and_expand_reaches_all(result):
    drift = result["drift"]
    assert drift["stretches"] == 1
    assert drift["expanded"] == [1.0] * 5
    assert drift["running_summary"][0] >= drift["running_summary"][4]
    assert all(None not in drift[way] for way in WAYS)


def test_the_printed_tables_fit_eighty_columns(result):
    out = Console(width=80, record=True, file=io.StringIO())
    evals.print_comparison(result, out)
    text = out.export_text()
    assert "recursive-summary" in text
    assert "generative-agents" in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_page_needs_nothing_from_elsewhere(result):
    page = evals.comparison_page(result)
    root = ElementTree.fromstring(re.sub(r"<meta [^>]*>", "", page.removeprefix("<!doctype html>")))
    assert not re.search(r"https?:|//|@import|url\(|<script|<link|<img|<iframe", page)
    assert len(list(root.iter("svg"))) == 6
    assert len(list(root.iter("polyline"))) == len(POLICIES) - 1 + len(WAYS) + 1
    for name, sum in result["files"].items():
        assert name in page
        assert sum in page
    assert all(name in page for name in (*POLICIES, result["version"], result["date"]))


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "记忆 & 对话",
        "\x00\ud800\u202e",
    ],
)
def test_no_name_becomes_markup(result, name):
    odd = {**result, "dataset": name, "files": {name: "0" * 64}, "models": {"llm": name}}
    page = evals.comparison_page(odd)
    page.encode("utf-8")
    root = ElementTree.fromstring(re.sub(r"<meta [^>]*>", "", page.removeprefix("<!doctype html>")))
    known = {each.tag for each in root.iter()}
    assert known.isdisjoint({"script", "img"})
    if name.isprintable():
        assert name in "".join(root.itertext())


def test_a_running_summary_keeps_its_limit_however_often_it_is_folded(dataset, tools):
    messages = as_one(dataset.cases[0], COUNTER)
    running = Running(tools, 100)
    for first in range(0, 60, 10):
        running.add(messages[first : first + 10])
        assert 0 < COUNTER.count(running.text) <= 100


def test_conversations_in_chinese(tmp_path):
    chinese = evals.load("memdaily", published.memdaily(tmp_path / "memdaily", streams=3))
    result = evals.compare(
        chinese,
        strategies=["recursive-summary", "summary-only", "chunk-bank", "memfold"],
        budgets=[80, 1_000],
        limit=2,
        embedder=EMBEDDER,
    )
    Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(result)))
    for rows in result["strategies"].values():
        assert rows["80"]["tokens"] <= 80
    assert result["strategies"]["memfold"]["1000"]["evidence_in_context"] == 1
    assert result["strategies"]["chunk-bank"]["1000"]["evidence_in_context"] == 1


def test_a_summary_with_a_buffer_tells_of_everything_once(dataset, tools):
    case = dataset.cases[0]
    policy = RecursiveSummary(case, tools)
    policy.prepare(400)
    given = policy.context(case.questions[0], 400)
    summary = policy.summary(400)
    assert summary is not None
    assert given.text.startswith(summary.text)
    assert case.items[-1].text in given.text
    assert given.tokens <= 400
    # With room for everything nothing is summarised.
    policy.prepare(20_000)
    assert policy.context(case.questions[0], 20_000).tokens < 20_000
    assert policy.summary(20_000) is None


def test_an_outline_alone_fills_the_budget(dataset, tools):
    case = dataset.cases[0]
    policy = SummaryOnly(case, tools)
    try:
        small, large = (policy.context(case.questions[0], budget) for budget in (150, 900))
        assert 0 < small.tokens <= 150 < large.tokens <= 900
        assert policy.context(case.questions[0], 5).text == ""
    finally:
        policy.close()


def test_the_oldest_chunks_leave_a_full_bank(dataset, tools, monkeypatch):
    monkeypatch.setattr(plain, "BANK", 3)
    case = dataset.cases[0]
    policy = plain.ChunkBank(case, tools)
    shown = policy.context(case.questions[0], 60_000)
    assert case.items[-1].text in shown.text
    # The newest messages have a quarter of the budget, here enough for all.
    assert case.items[0].text in shown.text
    shown = policy.context(case.questions[0], 800)
    assert shown.tokens <= 800
    assert case.items[0].text not in shown.text
    assert case.items[-1].text in shown.text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"strategies": ["magic"]}, "not 'magic'"),
        ({"strategies": []}, "not none"),
        ({"budgets": []}, "one or more positive"),
        ({"budgets": [0]}, "one or more positive"),
        ({"limit": 0}, "at least one question"),
    ],
)
def test_what_cannot_be_compared_is_refused(dataset, options, said):
    with pytest.raises(InvalidInput, match=said):
        evals.compare(dataset, **options)

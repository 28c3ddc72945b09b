"""What people see of a result."""

import io
from typing import Any

import pytest
from rich.console import Console

from memfold.evals.report import print_report, print_speed

SHARES = {"questions": 3, "evidence_recall": {"5": 0.25}, "evidence_in_context": {"1000": 0.5}}
BM25 = {"questions": 3, "evidence_recall": {"5": 0.125}, "evidence_in_context": {"1000": 0.375}}
RESULT: dict[str, Any] = {
    "dataset": "locomo",
    "files": {"talks.json": "0" * 64},
    "version": "9.9",
    "strategy": "memfold",
    "seconds": 12.34,
    "tokens": 4321,
    "questions": 3,
    "skipped": {"no evidence": 2},
    "evidence_recall": {"5": 0.25},
    "evidence_in_context": {"1000": 0.5},
    "containment": "whole",
    "by_category": {"[4] 单跳": SHARES},
    "baselines": {
        "full": {"evidence_in_context": {"1000": 0.0}, "by_category": {"[4] 单跳": SHARES}},
        "window": {**SHARES, "by_category": {"[4] 单跳": SHARES}},
        "bm25": {**BM25, "by_category": {"[4] 单跳": BM25}},
    },
    "latency_ms": {
        "add_p50": 1.25,
        "add_p95": 2.5,
        "context_p50": 10.0,
        "context_p95": 20.0,
        "search_p50": 5.0,
    },
    "details": {
        "cases": 1,
        "messages": 12,
        "history_tokens": 345,
        "context_tokens": {"1000": 987},
        "dropped_evidence_ids": 1,
        "embedder": "e",
        "embedded": 12,
        "cached_embeddings": 0,
    },
}
SPEED = {
    "version": "9.9",
    "machine": "a machine",
    "add_ms": {"p50": 1.0, "p95": 2.0},
    "ingest_per_second": {
        "messages": 3000,
        "with_vectors": 900.0,
        "with_folds": 800.0,
        "embedder_alone": 1000.0,
        "ratio": 0.9,
        "without_vectors": 6000.0,
    },
    "context_ms": {"1000": {"p50": 3.0, "p95": 4.0}},
    "resident": {"messages": 1000, "mb": 250},
    "seconds": 5.0,
}


def printed(show, result):
    out = io.StringIO()
    show(result, Console(file=out, width=160))
    return out.getvalue()


def test_a_report_says_it_all():
    text = printed(print_report, RESULT)

    for said in (
        "locomo, strategy memfold, memfold 9.9",
        "3 questions on 1 histories of 345 tokens",
        "not scored: 2 no evidence",
        "dropped: 1",
        "[4] 单跳",
        "recall",
        "@5",
        "1,000",
        "0.375",
        "full history",
        "last messages",
        "whole text",
        "add p50 1.2, p95 2.5; context p50 10.0, p95 20.0; search p50 5.0",
        "987 of 1,000",
        "of all contexts: 4,321",
    ):
        assert said in text


def test_what_there_is_not_is_not_reported():
    result = {
        **RESULT,
        "skipped": {},
        "latency_ms": {"add_p50": 1.0, "add_p95": 2.0, "search_p50": 5.0},
        "details": {**RESULT["details"], "dropped_evidence_ids": 0},
    }
    text = printed(print_report, result)

    assert "not scored" not in text
    assert "dropped" not in text
    assert "context p50" not in text
    # The whole history ranks nothing.
    (full,) = (line for line in text.splitlines() if "full history" in line and "–" in line)
    assert "0." not in full


def test_speed_is_reported():
    text = printed(print_speed, SPEED)

    assert "add, durable: p50 1.0 ms, p95 2.0 ms" in text
    assert "900/s, 0.90 of the embedder alone" in text
    assert "context over 1,000 messages: p50 3.0 ms" in text
    assert "250 MB" in text
    unknown = {**SPEED, "resident": {"messages": 1000, "mb": None}}
    assert "resident" not in printed(print_speed, unknown)


def test_reports_go_to_standard_output_by_default(capsys):
    print_speed(SPEED)
    assert "memfold 9.9" in capsys.readouterr().out


@pytest.mark.parametrize("width", [40, 80])
def test_figures_are_whole_on_a_narrow_terminal(width):
    out = io.StringIO()
    print_report(RESULT, Console(file=out, width=width))

    assert "0.125" in out.getvalue()
    assert "0.375" in out.getvalue()

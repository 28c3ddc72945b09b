"""The measurements run, and have the shape that is printed."""

import pytest

from memfold import evals
from memfold.errors import InvalidInput, MemfoldError
from memfold.evals.resident import resident_bytes, resident_with


def test_speed():
    seen: list[tuple[int, int]] = []

    result = evals.speed(
        sizes=[60, 20],
        adds=3,
        bulk=40,
        questions=2,
        progress=lambda done, total: seen.append((done, total)),
    )

    assert list(result["context_ms"]) == ["20", "60"]
    assert result["add_ms"]["p50"] > 0
    assert result["ingest_per_second"]["messages"] == 40
    assert min(result["ingest_per_second"].values()) > 0
    assert result["resident"]["messages"] == 60
    assert seen[-1][0] == seen[-1][1]


@pytest.mark.parametrize(
    "options", [{"sizes": []}, {"sizes": [0]}, {"adds": 0}, {"bulk": -1}, {"questions": 0}]
)
def test_nothing_cannot_be_timed(options):
    with pytest.raises(InvalidInput, match="positive"):
        evals.speed(**{"sizes": [10], **options})


def test_resident_memory():
    found = resident_bytes()

    assert found is None or found > 10_000_000


def test_a_measuring_process_that_fails_says_why(tmp_path):
    with pytest.raises(MemfoldError, match="measuring process failed"):
        resident_with(tmp_path, "nobody", "anything")

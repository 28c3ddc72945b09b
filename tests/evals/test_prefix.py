"""The unchanged beginning of prompts, on made-up talk."""

from datetime import UTC, datetime

from memfold.evals import print_prefixes
from memfold.evals.dataset import Case, Dataset, History, Item
from memfold.evals.prefix import prefixes

START = datetime(2024, 3, 4, tzinfo=UTC)


def case(count):
    items = tuple(
        Item(
            id=str(at),
            session="s",
            role=("user", "assistant")[at % 2],
            text=f"line {at} about the harbour and its {at * 7} boats",
            at=START,
            message={
                "role": ("user", "assistant")[at % 2],
                "content": f"line {at} about the harbour and its {at * 7} boats",
            },
        )
        for at in range(count)
    )
    return Case(id="c", sessions=(History(id="s", items=items),), questions=())


def test_a_session_that_fits_only_grows(capsys):
    dataset = Dataset(name="own", files={}, cases=(case(20),), skipped={})
    seen = []
    result = prefixes(dataset, progress=lambda done, total: seen.append((done, total)))
    assert result["prompts"] == 9
    # All but the last two messages of each prompt, and nothing else, is new.
    assert 0.6 < result["unchanged_prefix"] < result["unchanged_prefix_second_half"] < 1
    assert seen == [(1, 1)]
    print_prefixes(result)
    assert f"{result['unchanged_prefix']:.3f}" in capsys.readouterr().out


def test_a_long_session_changes_less_than_its_last_messages():
    dataset = Dataset(name="own", files={}, cases=(case(120),), skipped={})
    result = prefixes(dataset, messages=120, budget=1_200)
    assert result["tokens"] <= 1_200
    assert result["unchanged_prefix"] > 2 * result["unchanged_prefix_window"]

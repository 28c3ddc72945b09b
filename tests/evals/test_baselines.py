"""The baselines do what their names say, within the budget."""

from datetime import UTC, datetime, timedelta

import pytest

from memfold.evals.baselines import Baselines
from memfold.evals.bm25 import BM25
from memfold.evals.dataset import Case, History, Item, Question
from memfold.text.tokens import TiktokenCounter, count_messages

BEGAN = datetime(2024, 3, 1, tzinfo=UTC)
COUNTER = TiktokenCounter()
LINES = [
    ("s1", "My sister Ruth lives in Oslo."),
    ("s1", "The weather is awful."),
    ("s2", "我们的显卡是 RTX 4090。"),
    ("s2", "Let us talk about sisters and Oslo, then."),
    ("s3", "Good night."),
]


def item(number):
    session, text = LINES[number]
    return Item(
        id=str(number),
        session=session,
        role="user",
        speaker="Ines",
        text=text,
        at=BEGAN + timedelta(days=number),
        message={"role": "user", "content": text},
    )


CASE = Case(
    id="case",
    sessions=tuple(
        History(id=id, items=tuple(item(n) for n, (of, _) in enumerate(LINES) if of == id))
        for id in ("s1", "s2", "s3")
    ),
)


def question(text):
    return Question(id="q", text=text, category="", evidence=("0",), asked_at=BEGAN)


def there(shown):
    return [n for n, (_, text) in enumerate(LINES) if shown.holds(text, "", rule="whole")]


@pytest.mark.parametrize(
    ("text", "ranked"),
    [
        ("Where does my sister Ruth live?", ["0", "3"]),
        ("显卡型号？", ["2"]),
        ("zzz", []),
    ],
)
def test_bm25_ranks_what_shares_a_term(text, ranked):
    found = Baselines(CASE, COUNTER).outcomes(question(text), [500])["bm25"]

    assert found.ranked == ranked


def test_bm25_prefers_rare_terms_and_short_texts():
    texts = ["cat", "cat and a very long remark about other things", "cat dog", "dog dog"]

    assert BM25(texts).ranked("a cat?")[0] == 0
    assert BM25([*texts, "axolotl cat"]).ranked("axolotl cat")[0] == 4
    assert BM25([]).ranked("cat") == []


def test_window_ranks_the_last_first():
    found = Baselines(CASE, COUNTER).outcomes(question("Where?"), [500])["window"]

    assert found.ranked == ["4", "3", "2", "1", "0"]
    assert found.sessions == ["s3", "s2", "s1"]


def test_full_ranks_nothing_and_shows_all_or_nothing():
    baselines = Baselines(CASE, COUNTER)
    found = baselines.outcomes(question("Where?"), [20, baselines.tokens, 500])["full"]

    assert found.ranked is None
    assert [there(found.contexts[budget]) for budget in found.contexts] == [[], [], [0, 1, 2, 3, 4]]


@pytest.mark.parametrize("budget", [1, 20, 40, 60, 80, 100, 120])
@pytest.mark.parametrize("name", ["full", "window", "bm25"])
def test_what_is_shown_fits_the_budget(name, budget):
    asked = "Where does my sister Ruth live?"
    shown = Baselines(CASE, COUNTER).outcomes(question(asked), [budget])[name].contexts[budget]

    messages = [{"role": "user", "content": asked}]
    if lines := there(shown):
        text = "".join(f"{item(n).at:%Y-%m-%d} Ines: {item(n).text}\n" for n in lines)
        messages.insert(0, {"role": "system", "content": text})
        assert count_messages(COUNTER, messages) <= budget


def test_more_budget_shows_more():
    outcomes = Baselines(CASE, COUNTER).outcomes(question("Ruth in Oslo"), [45, 90])

    assert there(outcomes["bm25"].contexts[45]) == [0]
    assert there(outcomes["bm25"].contexts[90]) == [0, 3]
    assert there(outcomes["window"].contexts[45]) == [4]

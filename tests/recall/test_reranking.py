from datetime import UTC, datetime

import pytest

from memfold.recall.reranking import rerank
from memfold.types import Hit, Message


class ByTable:
    """Scores passages by a table; None for other questions."""

    def __init__(self, table):
        self.table = table
        self.asked = []

    def scores(self, query, passages):
        self.asked.append(list(passages))
        return [self.table[passage] for passage in passages] if query == "known" else None


def hit(text, score, *, name=None, passage=None):
    message = Message(
        id=f"m{text}",
        session="s",
        position=0,
        role="user",
        text=text,
        at=datetime(2024, 1, 1, tzinfo=UTC),
        tokens=1,
        raw={},
        name=name,
    )
    return Hit(message=message, score=score, parts={"a": score}, passage=passage or (0, len(text)))


def order(hits):
    return [each.message.text for each in hits]


def test_its_judgement_is_added_to_the_first_hits_only():
    table = {"a": 0.0, "b": 9.0, "c": 1.0, "d": 99.0}
    hits = [hit("a", 3.0), hit("b", 2.9), hit("c", 1.0), hit("d", 0.5)]
    found = rerank(hits, "known", ByTable(table), first=3)
    assert order(found) == ["b", "a", "c", "d"]
    assert found[0].parts["rerank"] > 0 > found[1].parts["rerank"]
    assert found[0].parts["a"] == 2.9
    assert found[3] == hits[3]


def test_it_does_not_decide_alone():
    table = {"a": 0.0, "b": 0.1, "c": 0.1}
    hits = [hit("a", 9.0), hit("b", 0.0), hit("c", 0.0)]
    assert order(rerank(hits, "known", ByTable(table), first=9)) == ["a", "b", "c"]


def test_where_it_has_no_opinion_all_stays():
    hits = [hit("a", 1.0), hit("b", 0.5)]
    assert rerank(hits, "unknown", ByTable({}), first=9) == hits


def test_it_reads_the_passage_and_who_said_it():
    reader = ByTable({})
    rerank([hit("red fox", 1.0, passage=(4, 7)), hit("owl", 1.0, name="Ann")], "x", reader, first=9)
    assert reader.asked == [["fox", "Ann: owl"]]


@pytest.mark.parametrize("scores", [[1.0, 1.0], [0.0, 5.0]])
def test_equal_judgements_change_nothing(scores):
    hits = [hit("a", scores[0]), hit("b", scores[1])]
    table = {"a": 7.0, "b": 7.0}
    best = max(hits, key=lambda each: each.score).message.text
    assert order(rerank(hits, "known", ByTable(table), first=9))[0] == best


def test_nothing_is_not_judged():
    reader = ByTable({})
    assert rerank([], "known", reader, first=9) == []
    assert reader.asked == []

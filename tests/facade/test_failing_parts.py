"""Parts that fail: what was written stays written and found by words, and is told of."""

import logging
import time

import numpy as np
import pytest
from tests.facade.driving import TinyEmbedder, ids

from memfold import EmbedderFailed, FoldConfig, InvalidInput

SMALL = FoldConfig(window=1, segment_messages=2)
LINES = [{"role": "user", "content": f"Crate {at} holds lamps. 第{at}箱。"} for at in range(8)]


class Failing(TinyEmbedder):
    """Fails as it is told to, until it is mended."""

    def __init__(self, how="raises"):
        super().__init__()
        self.how = how

    def embed(self, texts):
        found = super().embed(texts)
        if self.how == "raises":
            raise ConnectionError("no route to the embedder")
        return {
            "": found,
            "too few": found[:-1],
            "too short": found[:, 1:],
            "no numbers": found * np.nan,
            "no array": "vectors",
            "nothing": None,
        }[self.how]


class Nameless(TinyEmbedder):
    """Cannot tell its fingerprint at first."""

    how = "no name"

    @property
    def fingerprint(self):
        if self.how:
            raise OSError("no weights")
        return "named/64"

    @fingerprint.setter
    def fingerprint(self, value):
        pass


HOW = ["raises", "too few", "too short", "no numbers", "no array", "nothing"]
EMBEDDERS = [*(lambda how=how: Failing(how) for how in HOW), Nameless]


@pytest.mark.parametrize("make", EMBEDDERS, ids=[*HOW, "no name"])
def test_an_embedder_that_fails_costs_nothing_but_vectors(open_memory, make, caplog):
    embedder = make()
    memory = open_memory(embedder=embedder, fold=SMALL)
    ann = memory.user("ann")
    chat = ann.session("s")
    receipt = chat.extend(LINES)
    assert receipt.count("stored") == 8
    assert (receipt.indexed, receipt.pending) == ({"words"}, {"vectors"})
    assert "the embedder" in receipt.failure
    assert chat.folds()
    for mode in ("memfold", "lexical", "dense"):
        assert ids(ann.search("crate 5 第5箱", k=1, mode=mode)) == ["m6"]
    assert "Crate 5" in chat.context("crate 5", max_tokens=500).text
    assert "embedder" in chat.cut("m8").failure
    assert "embedder" in ann.forget(["m7"]).failure
    with pytest.raises(EmbedderFailed):
        memory.flush()
    embedder.how = ""
    receipt = chat.add("user", "One more.")
    assert (receipt.pending, receipt.failure) == (set(), "")
    assert ann.stats().pending == 0
    assert "dense" in ann.search("crate 5", k=1)[0].parts
    assert {record.levelno for record in caplog.records} == {logging.WARNING}


def test_an_embedder_that_fails_is_told_of_once(open_memory, caplog):
    ann = open_memory(embedder=Failing()).user("ann")
    for line in LINES:
        ann.session("s").extend([line])
        ann.search("lamps")
    assert caplog.text.count("no route") == 1


def test_the_background_tries_again_by_itself(open_memory, monkeypatch):
    monkeypatch.setattr("memfold.facade.worker._AGAIN", 0.05)
    embedder = Failing()
    memory = open_memory(embedder=embedder, background=True)
    ann = memory.user("ann")
    assert ann.session("s").extend(LINES).pending == {"vectors"}
    with pytest.raises(EmbedderFailed, match="no route"):
        memory.flush(30)
    embedder.how = ""
    until = time.monotonic() + 30
    while ann.stats().pending and time.monotonic() < until:
        time.sleep(0.02)
    assert ann.stats().pending == 0
    assert memory.flush(30)


def test_reindexing_drops_no_vectors_that_cannot_be_made_anew(open_memory, tmp_path):
    path = tmp_path / "m.db"
    with open_memory(path, embedder=TinyEmbedder()) as memory:
        memory.user("ann").session("s").extend(LINES)
    for embedder, error in ((None, InvalidInput), (Failing(), EmbedderFailed)):
        with open_memory(path, embedder=embedder) as memory:
            with pytest.raises(error):
                memory.reindex()
            assert memory.user("ann").stats().vectors == len(LINES)


@pytest.mark.parametrize("scores", [None, 5, [1.0], "abc", lambda: 1 / 0])
def test_a_reranker_that_fails_leaves_the_order(open_memory, scores):
    class Reranker:
        def scores(self, query, passages):
            return scores() if callable(scores) else scores

    ann = open_memory(reranker=Reranker()).user("ann")
    ann.session("s").extend(LINES)
    assert ids(ann.search("crate 5 第5箱", k=2))[0] == "m6"

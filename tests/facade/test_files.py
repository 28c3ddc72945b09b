"""Files that may only be read, that went away while open, and that another process holds."""

import os
import sys
import threading
import time

import apsw
import pytest
from tests.facade.driving import TinyEmbedder, ids, texts

from memfold import (
    EmbedderFailed,
    FoldConfig,
    StoreBusy,
    StoreError,
    StoreReadOnly,
)
from memfold.stores.sqlite import SQLiteStore

SMALL = FoldConfig(window=1, segment_messages=2)
LINES = [{"role": "user", "content": f"Crate {at} holds lamps. 第{at}箱。"} for at in range(8)]

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")


def fill(open_memory, path, embedder):
    with open_memory(path, embedder=embedder, fold=SMALL) as memory:
        memory.user("ann").session("s").extend(LINES)


@pytest.fixture
def read_only(monkeypatch):
    """Files may only be read; said to the store, as permissions do not hold for root."""
    return lambda: monkeypatch.setattr("memfold.stores.sqlite.file._may_write", lambda _: False)


@pytest.mark.parametrize("background", [False, True])
@pytest.mark.parametrize("embedder", [None, TinyEmbedder()], ids=["words", "vectors"])
@pytest.mark.parametrize("wanted", [None, TinyEmbedder()], ids=["by words", "by vectors"])
def test_what_may_only_be_read(open_memory, tmp_path, read_only, background, embedder, wanted):
    path = tmp_path / "m.db"
    fill(open_memory, path, embedder)
    read_only()
    before = path.read_bytes()
    memory = open_memory(path, embedder=wanted, fold=SMALL, background=background)
    ann = memory.user("ann")
    chat = ann.session("s")
    assert texts(chat.messages()) == [line["content"] for line in LINES]
    for _ in range(2):
        hits = ann.search("crate 5 第5箱", k=1)
        assert ids(hits) == ["m6"]
        assert ("dense" in hits[0].parts) == (None not in (embedder, wanted))
    assert "Crate 5" in chat.context("crate 5", max_tokens=500).text
    assert (ann.stats().messages, len(ann.sessions()), bool(chat.folds())) == (8, 1, True)
    for write in (
        lambda: chat.add("user", "x"),
        lambda: chat.edit("m1", "x"),
        lambda: chat.cut("m1"),
        lambda: ann.forget(["m1"]),
        lambda: ann.erase(everything=True),
    ):
        with pytest.raises(StoreReadOnly, match=r"m\.db"):
            write()
    memory.close()
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["m.db"]


@posix
@pytest.mark.parametrize("background", [False, True])
def test_a_file_that_went_away_takes_no_writes(open_memory, tmp_path, background):
    path = tmp_path / "m.db"
    memory = open_memory(path, background=background)
    chat = memory.user("ann").session("s")
    chat.extend(LINES)
    for end in ("", "-wal", "-shm"):
        os.unlink(f"{path}{end}")
    with pytest.raises(StoreError, match="deleted or replaced"):
        chat.add("user", "x")
    with open_memory(path) as other:
        other.user("ann").session("s").add("user", "another's")
        with pytest.raises(StoreError, match="deleted or replaced"):
            chat.add("user", "x")
        assert texts(other.user("ann").session("s").messages()) == ["another's"]


def test_a_write_waits_for_another_process_no_longer_than_told(open_memory, tmp_path, capfd):
    path = tmp_path / "m.db"
    gate = threading.Event()

    class Gated(TinyEmbedder):
        def embed(self, texts):
            gate.wait(30)
            return super().embed(texts)

    memory = open_memory(SQLiteStore(path, timeout=0.5), embedder=Gated(), background=True)
    chat = memory.user("ann").session("s")
    chat.extend(LINES)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    gate.set()  # now the background wants to write too
    time.sleep(0.1)
    began = time.monotonic()
    with pytest.raises(StoreBusy):
        chat.add("user", "x")
    assert time.monotonic() - began < 1.0
    with pytest.raises(StoreBusy):
        memory.flush(30)
    other.execute("ROLLBACK")
    other.close()
    assert memory.flush(30)
    assert memory.user("ann").stats().pending == 0
    assert chat.add("user", "x").id == "m9"
    sys.stderr.flush()
    assert capfd.readouterr().err == ""


def test_an_error_in_the_background_is_raised_by_flush_alone(open_memory, capfd):
    class Failing(TinyEmbedder):
        def embed(self, texts):
            raise ConnectionError("no route")

    memory = open_memory(embedder=Failing(), background=True)
    memory.user("ann").session("s").extend(LINES)
    with pytest.raises(EmbedderFailed):
        memory.flush(30)
    assert capfd.readouterr().err == ""

"""Writing is durable, the background resumes, and several memories share one file."""

import stat
import threading
import time

import pytest
from tests.facade.driving import TinyEmbedder, ids, texts

from memfold import EmbedderFailed, FoldConfig, Memory, StoreClosed

SMALL = FoldConfig(window=1, segment_messages=2)


class Slow(TinyEmbedder):
    """Waits for a sign before it embeds more than a query."""

    def __init__(self):
        super().__init__()
        self.go = threading.Event()

    def embed(self, texts):
        if len(texts) > 1:
            self.go.wait(30)
        return super().embed(texts)


def batch(count, first=0):
    return [
        {"role": "user", "content": f"Crate {at} holds {at * 7} lamps."}
        for at in range(first, first + count)
    ]


def test_what_was_written_is_there_after_reopening(open_memory, tmp_path):
    path = tmp_path / "m.db"
    for at in range(5):
        with open_memory(path, fold=SMALL) as memory:
            memory.user("ann").session("s").extend(batch(2, 2 * at))
    memory = open_memory(path)
    assert texts(memory.user("ann").session("s").messages()) == [m["content"] for m in batch(10)]
    assert memory.user("ann").stats().folds == 4
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_is_the_memory_whatever_process_wrote_it(open_memory, tmp_path):
    one, two = (open_memory(tmp_path / "m.db", fold=SMALL) for _ in range(2))
    first, second = one.user("ann").session("s"), two.user("ann").session("s")
    first.extend(batch(8))
    assert texts(second.messages()) == texts(first.messages())
    assert ids(two.user("ann").search("crate 7 49 lamps", k=1)) == ["m8"]
    assert [fold.id for fold in second.folds()] == [fold.id for fold in first.folds()]
    second.edit("m8", "Crate 7 is empty.")
    assert ids(one.user("ann").search("empty", k=1)) == ["m9"]
    assert "m8" not in ids(one.user("ann").search("crate 7", k=99))
    first.cut("m3")
    assert ids(two.user("ann").search("lamps", k=99)) == ["m2", "m1"]
    assert second.length == 2
    assert "Crate 5" not in "".join(fold.text for fold in second.folds())
    one.user("ann").forget(["m1"])
    assert ids(two.user("ann").search("lamps", k=99)) == ["m2"]
    two.user("ann").erase(everything=True)
    assert one.user("ann").search("lamps") == []
    assert first.folds() == []
    assert first.add("user", "again").id == "m10"
    assert ids(two.user("ann").search("again")) == ["m10"]


def test_the_background_makes_vectors_and_folds(open_memory):
    memory = open_memory(embedder=TinyEmbedder(), background=True, fold=SMALL)
    ann = memory.user("ann")
    ann.session("s").extend(batch(100))
    assert memory.flush(60)
    stats = ann.stats()
    assert (stats.vectors, stats.pending) == (stats.passages, 0)
    assert stats.folds == len(ann.session("s").folds()) > 49


def test_a_write_does_not_wait_for_the_embedder(open_memory):
    slow = Slow()
    memory = open_memory(embedder=slow, background=True)
    ann = memory.user("ann")
    ann.session("s").extend(batch(100))
    assert not memory.flush(0.01)
    ann.session("s").add("user", "The heron is in the garage.")
    assert ids(ann.search("heron garage", k=1)) == ["m101"]  # by its words, at once
    assert ann.stats().vectors == 0
    slow.go.set()
    assert memory.flush(60)
    assert ann.stats().pending == 0


def test_a_few_vectors_are_made_by_the_search_that_wants_them(open_memory, tmp_path):
    # With nothing but a search: another memory's background is not ours to wait for.
    with open_memory(tmp_path / "m.db") as memory:
        memory.user("ann").session("s").extend(batch(3))
    ann = open_memory(tmp_path / "m.db", embedder=TinyEmbedder(), background=True).user("ann")
    assert ann.stats().pending == 3
    assert "dense" in ann.search("lamp crates", k=1)[0].parts
    assert ann.stats().pending == 0


def test_work_that_was_pending_is_resumed(open_memory, tmp_path):
    with open_memory(tmp_path / "m.db") as memory:  # as if it had crashed before its background
        for user in ("ann", "bob"):
            memory.user(user).session("s").extend(batch(40))
    options = {"embedder": TinyEmbedder(), "background": True, "fold": SMALL}
    with open_memory(tmp_path / "m.db", **options) as memory:
        assert memory.user("ann").stats().pending == 40
        assert memory.flush(60)
        for user in ("ann", "bob"):
            assert memory.user(user).stats().pending == 0
            assert memory.user(user).session("s").folds()


def test_a_write_resumes_it_too_and_so_does_a_search(open_memory, tmp_path):
    for at, start in enumerate(
        [lambda ann: ann.session("t").add("user", "hi"), lambda ann: ann.search("lamps")]
    ):
        path = tmp_path / f"{at}.db"
        with open_memory(path) as memory:
            memory.user("ann").session("s").extend(batch(100))
        ann = open_memory(path, embedder=TinyEmbedder(), background=True).user("ann")
        start(ann)
        deadline = time.monotonic() + 30
        while ann.stats().pending and time.monotonic() < deadline:
            time.sleep(0.01)
        assert ann.stats().pending == 0


def test_closing_leaves_the_rest_for_later(open_memory, tmp_path):
    slow = Slow()
    memory = open_memory(tmp_path / "m.db", embedder=slow, background=True)
    memory.user("ann").session("s").extend(batch(200))
    time.sleep(0.2)  # the background has begun
    slow.go.set()
    memory.close()
    with open_memory(tmp_path / "m.db", embedder=TinyEmbedder(), background=True) as memory:
        ann = memory.user("ann")
        assert ann.session("s").length == 200
        assert memory.flush(60)
        assert ann.stats().pending == 0


def test_a_failing_embedder_loses_nothing_and_is_told(open_memory, caplog):
    class Failing(TinyEmbedder):
        broken = True

        def embed(self, texts):
            if self.broken:
                raise ConnectionError("no route to the embedder")
            return super().embed(texts)

    failing = Failing()
    memory = open_memory(embedder=failing, background=True, fold=SMALL)
    memory.user("ann").session("s").extend(batch(30))
    with pytest.raises(EmbedderFailed, match="no route"):
        memory.flush(60)
    assert "no route" in caplog.text
    failing.broken = False
    assert memory.flush(60)
    assert memory.user("ann").stats().pending == 0


def test_after_closing_every_call_says_so(open_memory, tmp_path):
    memory = open_memory(tmp_path / "m.db", background=True)
    ann = memory.user("ann")
    chat = ann.session("s")
    chat.add("user", "hello")
    memory.close()
    memory.close()
    for call in [
        lambda: chat.add("user", "x"),
        lambda: chat.length,
        chat.messages,
        chat.folds,
        lambda: chat.context("x", max_tokens=99),
        lambda: ann.search("x"),
        lambda: ann.forget(["m1"]),
        ann.sessions,
        ann.stats,
        memory.owners,
        memory.size,
        memory.flush,
        memory.reindex,
    ]:
        with pytest.raises(StoreClosed):
            call()


def test_stats_count(open_memory):
    memory = open_memory(embedder=TinyEmbedder(), fold=SMALL)
    ann = memory.user("ann")
    empty = ann.stats()
    assert (empty.messages, empty.tokens, empty.sessions, empty.folds) == (0, 0, 0, 0)
    ann.session("s").extend([*batch(6), {"role": "user", "content": "long " * 2000}])
    stats = ann.stats()
    assert (stats.sessions, stats.messages) == (1, 7)
    assert stats.tokens == sum(message.tokens for message in ann.session("s").messages())
    assert stats.folds == len(ann.session("s").folds())
    assert stats.passages == stats.vectors > 7
    assert stats.embedder == "tiny-0/64"
    assert stats.bytes == memory.size() > 0


def test_a_store_can_be_given_in_place_of_a_path(tmp_path):
    from memfold.stores.sqlite import SQLiteStore

    with Memory(SQLiteStore(tmp_path / "m.db"), embedder=None) as memory:
        memory.user("ann").session("s").add("user", "hello")
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        assert memory.user("ann").session("s").length == 1

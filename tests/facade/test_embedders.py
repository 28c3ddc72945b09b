"""Vectors belong to one embedder; another one is noticed, and never mixed in."""

import sqlite3
from contextlib import closing

import pytest
from tests.facade.driving import TinyEmbedder, ids

from memfold import FoldConfig, Memory

SMALL = FoldConfig(window=1, segment_messages=2, segment_tokens=30)
LINES = [
    "My sister Lena moved to Porto last spring.",
    "我妹妹莉娜去年春天搬到了波尔图。",
    "The deployment runs on PostgreSQL 16 behind nginx.",
    "部署用的是 PostgreSQL 16，前面是 nginx。",
    "Lunch is at noon in the small kitchen.",
    "午饭中午在小厨房吃。",
]


def fill(memory, user="ann"):
    memory.user(user).session("s").extend([{"role": "user", "content": line} for line in LINES])


def scores(memory, query="Where does my sister Lena live? 妹妹在哪里？"):
    hits = memory.user("ann").search(query, k=9, now="2024-01-01T00:00:00Z")
    return [(hit.message.id, hit.score, dict(hit.parts)) for hit in hits]


def without_ids(folds):
    """What the folds say, whatever numbers they got."""
    numbers = {fold.id: (fold.level, fold.index) for fold in folds}
    return [
        (
            fold.level, fold.index, fold.first, fold.last, fold.text, fold.headline,
            fold.sentences, fold.required, fold.kept, fold.missing, dict(fold.quality),
            fold.since, fold.until, [numbers[child] for child in fold.children],
        )
        for fold in folds
    ]  # fmt: skip


def vectors(path):
    """All vectors on file, in the order of their passages."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute(
            "SELECT p.seq, p.part, v.vector FROM passages p JOIN vectors v ON v.id = p.vector"
            " ORDER BY p.seq, p.part"
        ).fetchall()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.db"


def test_another_embedder_searches_by_words_until_reindexed(open_memory, path):
    with open_memory(path, embedder=TinyEmbedder(seed=1)) as memory:
        fill(memory)
        assert "dense" in scores(memory)[0][2]
    other = TinyEmbedder(seed=2, dimension=48)
    with open_memory(path, embedder=other) as memory:
        assert all("dense" not in parts for _, _, parts in scores(memory))
        assert ids(memory.user("ann").search("nginx", k=2, mode="dense"))
        receipt = memory.user("ann").session("s").add("user", "Lena likes Porto.")
        assert not receipt.pending
        assert "vectors" not in receipt.indexed
        stats = memory.user("ann").stats()
        assert (stats.embedder, stats.vectors, stats.pending) == ("tiny-1/64", 6, 1)
        assert other.texts == []
        assert memory.reindex() == 7
        stats = memory.user("ann").stats()
        assert (stats.embedder, stats.vectors, stats.pending) == ("tiny-2/48", 7, 0)
        assert "dense" in scores(memory)[0][2]
    with open_memory(path, embedder=TinyEmbedder(seed=1)) as memory:
        assert all("dense" not in parts for _, _, parts in scores(memory))


def test_vectors_are_made_for_each_once(open_memory, path):
    embedder = TinyEmbedder()
    with open_memory(path, embedder=embedder) as memory:
        fill(memory)
    with open_memory(path, embedder=embedder) as memory:
        memory.flush()
        memory.user("ann").session("s").add("user", "one more")
    assert embedder.texts == [*LINES, "one more"]


def test_a_memory_left_open_when_another_changes_the_embedder(open_memory, path):
    old = open_memory(path, embedder=TinyEmbedder(seed=1))
    fill(old)
    before = scores(old)
    new = open_memory(path, embedder=TinyEmbedder(seed=2))
    assert new.reindex() == len(LINES)
    # Its vectors are gone, those of the other are not its own.
    old.user("ann").session("s").add("user", "Porto is sunny.")
    assert all(parts.get("dense", 0) == 0 for _, _, parts in scores(old))
    assert new.user("ann").stats().pending == 1
    new.flush()
    assert "dense" in scores(new)[0][2]
    old.user("ann").forget(["m7"])
    assert old.reindex() == len(LINES)
    assert scores(old) == before
    assert all(parts.get("dense", 0) == 0 for _, _, parts in scores(new))


def test_a_memory_opened_on_vectors_of_its_own_is_told_of_the_change_too(open_memory, path):
    with open_memory(path, embedder=TinyEmbedder(seed=1)) as memory:
        fill(memory)
    old = open_memory(path, embedder=TinyEmbedder(seed=1))
    assert "dense" in scores(old)[0][2]
    open_memory(path, embedder=TinyEmbedder(seed=2)).reindex()
    old.user("ann").session("s").add("user", "Porto is sunny.")
    assert old.user("ann").stats().vectors == len(LINES)  # none of the old one's among them
    assert all(parts.get("dense", 0) == 0 for _, _, parts in scores(old))


@pytest.mark.parametrize("with_vectors", [False, True], ids=["words", "vectors"])
def test_reindexing_changes_nothing_but_is_told(open_memory, with_vectors):
    memory = open_memory(embedder=TinyEmbedder() if with_vectors else None, fold=SMALL)
    fill(memory)
    fill(memory, "bob")
    memory.user("ann").session("s").edit("m2", "她搬到了里斯本。")
    memory.user("ann").session("s").fork("t", before="m4")
    memory.user("ann").session("s").cut("m6")
    before, folds = scores(memory), memory.user("ann").session("s").folds()
    assert folds
    for _ in range(2):
        told = []
        made = memory.reindex(progress=lambda done, total, told=told: told.append((done, total)))
        assert made == (11 if with_vectors else 0)
        assert told[-1] == (11, 11)
        assert told == sorted(told)
        assert scores(memory) == before
        assert without_ids(memory.user("ann").session("s").folds()) == without_ids(folds)
    assert ids(memory.user("bob").search("nginx", k=1)) in (["m3"], ["m4"])


def test_an_interrupted_reindex_is_gone_on_with(open_memory, path):
    def fill_long(memory):
        memory.user("ann").session("s").extend(
            [{"role": "user", "content": f"line {at}"} for at in range(150)]
        )

    with open_memory(path, embedder=TinyEmbedder(seed=1), fold=SMALL) as memory:
        fill_long(memory)
        before = without_ids(memory.user("ann").session("s").folds())

    def stop(done, total):
        if done >= 64:
            raise KeyboardInterrupt

    memory = open_memory(path, embedder=TinyEmbedder(seed=2), fold=SMALL)
    with pytest.raises(KeyboardInterrupt):
        memory.reindex(progress=stop)
    assert memory.user("ann").stats().vectors == 64
    memory.close()
    embedder = TinyEmbedder(seed=2)
    memory = open_memory(path, embedder=embedder, fold=SMALL)
    memory.flush()
    assert len(embedder.texts) == 150 - 64
    assert without_ids(memory.user("ann").session("s").folds()) == before


def test_reindexing_nothing(open_memory):
    told = []
    assert open_memory().reindex(progress=lambda *each: told.append(each)) == 0
    assert told == [(0, 0)]


def test_without_an_embedder_vectors_on_file_are_left_alone(open_memory, path):
    with open_memory(path, embedder=TinyEmbedder()) as memory:
        fill(memory)
    with open_memory(path, embedder=None) as memory:
        assert "dense" not in scores(memory)[0][2]
        assert memory.user("ann").stats().vectors == len(LINES)
        memory.user("ann").session("s").add("user", "one more")
    with open_memory(path, embedder=TinyEmbedder()) as memory:
        assert "dense" in scores(memory)[0][2]


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("In which city does my sibling live now?", {0, 1}),
        ("我家人现在住在哪个城市？", {0, 1}),
        ("When do we eat?", {4, 5}),
        ("什么时候吃饭？", {4, 5}),
        ("Which database do we use?", {2, 3}),
        ("我们用的是什么数据库？", {2, 3}),
    ],
)
def test_the_default_embedder_finds_what_other_words_say(default, query, answer):
    found = {int(hit.message.id[1:]) - 1 for hit in default.search(query, k=2)}
    assert found == answer
    dense = [hit.message.id for hit in default.search(query, k=2, mode="dense")]
    assert {int(id_[1:]) - 1 for id_ in dense} & answer


@pytest.fixture(scope="module")
def default():
    with Memory(background=False) as memory:
        fill(memory)
        yield memory.user("ann")


def test_a_huge_message_costs_a_bounded_number_of_vectors(open_memory, path):
    embedder = TinyEmbedder()
    lines = [
        f"On day {day} the boat left pier {day % 13}. 第{day}天船离港。" for day in range(20_000)
    ]
    lines[12_345] = "The heron nests under the crane."
    with open_memory(path, embedder=embedder) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        chat.add("user", "\n".join(lines))
        chat.add("user", "The password is walnut.")
        stats = ann.stats()
        assert stats.passages > 900
        assert stats.pending == 0
        assert len(set(embedder.texts)) <= 129
    made = vectors(path)
    with open_memory(path, embedder=embedder) as memory:
        memory.reindex()
        ann = memory.user("ann")
        hit = ann.search("Where does the heron nest?", k=1)[0]
        assert hit.message.id == "m1"
        assert "heron" in hit.message.text[slice(*hit.passage)], "words cover all of it"
        assert ann.search("walnut", k=1)[0].message.id == "m2"
    assert vectors(path) == made, "they depend on nothing but the text"


def test_a_huge_question_is_read_at_its_ends(open_memory):
    embedder = TinyEmbedder()
    with open_memory(embedder=embedder) as memory:
        fill(memory)
        embedder.texts.clear()
        hits = memory.user("ann").search(f"nginx {'and so on, ' * 20_000} PostgreSQL", k=1)
        assert hits[0].message.id == "m3"
        first, last = embedder.texts
        assert first.startswith("nginx")
        assert last.endswith("PostgreSQL")
        assert len(first + last) <= 2_400

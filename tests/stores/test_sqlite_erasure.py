"""What was erased is nowhere in the bytes of the file, its log, or its shared memory."""

import random
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from memfold.rows import Reindexed, VectorRow
from memfold.stores.sqlite import SQLiteStore
from memfold.testing.samples import ANN, CHAT, draft, fill, fold, passages, put_folds, texts
from memfold.types import Scope

# Every place that text can go to. The Chinese is long enough not to occur by chance.
MARKS = {
    "text": "the launch code is swordfish-7731",
    "chinese": "身份证号码一一零一零一",
    "metadata": "metadata-orchid-5512",
    "key": "key-import-line-8842",
    "name": "Dr. Strangelove-3306",
    "role": "role-whisperer-1123",
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


@pytest.fixture
def store(path):
    store = SQLiteStore(path)
    yield store
    store.close()


def on_disk(path):
    return b"".join(
        found.read_bytes()
        for found in (Path(f"{path}{end}") for end in ("", "-wal", "-shm", "-journal"))
        if found.exists()
    )


def found(path, needles):
    """Which of these are in the bytes, as UTF-8, as JSON escapes, or as they are."""
    raw = on_disk(path)
    ways = {
        needle: [needle]
        if isinstance(needle, bytes)
        else [needle.encode(), needle.encode("unicode_escape")]
        for needle in needles
    }
    return [needle for needle, forms in ways.items() if any(form in raw for form in forms)]


def secret():
    return draft(
        f"{MARKS['text']} {MARKS['chinese']}",
        role=MARKS["role"],
        name=MARKS["name"],
        key=MARKS["key"],
        metadata=MARKS["metadata"].encode(),
    )


def test_the_search_finds_what_is_there(path, store):
    fill(store, CHAT, 5)
    store.append(CHAT, [secret()])
    assert set(found(path, MARKS.values())) == set(MARKS.values()) - {MARKS["key"]}


@pytest.mark.parametrize("how", ["ids", "session", "owner", "after an edit", "after a cut"])
def test_erased_text_is_gone_when_remove_returns(path, store, how):
    other = replace(CHAT, user="bob")
    fill(store, CHAT, 5)
    fill(store, other, 5)
    (written,) = store.append(CHAT, [secret()])
    fill(store, CHAT, 5)
    if how == "after an edit":
        written = store.edit(CHAT, written.seq, draft("harmless"))
    if how == "after a cut":
        store.cut(CHAT, 5)
    if how == "owner":
        store.remove(ANN, None)
    elif how == "session":
        store.remove(CHAT, None)
    else:
        store.remove(ANN, [written.seq])
    assert found(path, MARKS.values()) == []
    assert len(store.span(other, 0)) == 5
    store.close()
    assert found(path, MARKS.values()) == []


def test_what_was_derived_is_gone_too(path, store):
    store.use_embedder("e")
    fill(store, CHAT, 2)
    (written,) = store.append(CHAT, [secret()])
    terms = [p.terms for p in secret().passages]
    vector = random.Random(1).randbytes(1024)
    store.put_vectors(ANN, [VectorRow(seq=written.seq, part=0, vector=vector)])
    put_folds(store, CHAT, [fold(0, 0, 2, text="summary of swordfish")])
    needles = [*terms, vector, "summary of swordfish"]
    assert found(path, needles) == needles
    store.remove(ANN, [written.seq])
    assert found(path, needles) == []


def test_names_of_sessions_and_owners_are_gone(path, store):
    eve = Scope(
        tenant="tenant-heron-42",
        user="用户-夜莺-四十二",
        agent="agent-ibis-42",
        session="case 99-XY",
    )
    fill(store, eve, 3)
    store.fork(eve, "fork of it", 2)
    store.edit(eve, 3, draft("x"))
    fill(store, CHAT, 3)
    assert len(found(path, ["case 99-XY", eve.tenant, eve.user, eve.agent])) == 4
    store.remove(eve, None)
    assert found(path, ["case 99-XY"]) == []
    store.remove(replace(eve, session=None), None)
    assert found(path, [eve.tenant, eve.user, eve.agent, "fork of it"]) == []


def test_replaced_passages_and_dropped_vectors_are_blanked(path, store):
    store.use_embedder("e")
    fill(store, CHAT, 3)
    (written,) = store.append(CHAT, [secret()])
    (old,) = secret().passages
    vector = random.Random(2).randbytes(1024)
    store.put_vectors(ANN, [VectorRow(seq=written.seq, part=0, vector=vector)])
    made = Reindexed(seq=written.seq, passages=passages("new"), question=False, first_person=False)
    store.put_passages(ANN, [made])
    store.remove(ANN, [1])
    assert found(path, [old.terms, vector]) == []


@pytest.mark.parametrize("seed", range(4))
def test_no_copies_are_left_by_any_history(path, store, seed):
    """Pages that split or merge leave copies of rows behind: content must never move."""
    rng = random.Random(seed)
    owners = [Scope(tenant="t", user=f"user {n}", session=f"session {n}") for n in range(3)]
    alive, erased = [], []
    for step in range(120):
        scope = rng.choice(owners)
        marks = [
            f"mark-{seed}-{step}-{i}-{rng.randrange(10**9)}" for i in range(rng.randint(1, 12))
        ]
        written = store.append(
            scope,
            [
                draft(mark * rng.choice([1, 1, 2, 10, 300]), name=f"n{mark}", key=f"k{mark}")
                for mark in marks
            ],
        )
        alive += [(scope, a.seq, mark) for a, mark in zip(written, marks, strict=True)]
        if step % 4 == 3:
            rng.shuffle(alive)
            count = rng.randint(1, len(alive) // 2)
            gone, alive = alive[:count], alive[count:]
            for scope, seq, mark in gone:
                erased.append(mark)
                if rng.random() < 0.3:
                    store.edit(scope, seq, draft("edited", key=f"e{mark}"))
            for owner in owners:
                store.remove(owner, [seq for scope, seq, _ in gone if scope == owner])
        if step % 40 == 39:
            raw = on_disk(path)
            assert [mark for mark in erased if mark.encode() in raw] == []
            assert all(mark.encode() in raw for _, _, mark in alive)


def test_space_is_given_back(path, store):
    fill(store, replace(CHAT, user="bob"), 20)
    store.append(CHAT, [replace(draft("large"), body=bytes(3_000_000)) for _ in range(2)])
    assert store.size() > 6_000_000
    store.remove(ANN, None)
    assert store.size() < 500_000
    assert len(texts(store.span(replace(CHAT, user="bob"), 0))) == 20


@pytest.mark.parametrize("then", ["write", "close", "open", "another process writes"])
def test_a_reader_that_holds_up_erasure_does_not_stop_it(path, store, then):
    """Its snapshot keeps the log; what remains to be done is noted in the file."""
    fill(store, CHAT, 3)
    (written,) = store.append(CHAT, [secret()])
    other = SQLiteStore(path)
    reader = apsw.Connection(str(path))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM texts").get == 4
    assert store.remove(ANN, [written.seq]) == [written.seq]
    assert store.read(ANN, [written.seq]) == []
    assert reader.execute("SELECT count(*) FROM texts").get == 4
    assert found(path, [MARKS["text"]]) == [MARKS["text"]]
    fill(store, CHAT, 1)
    reader.execute("COMMIT")
    if then == "write":
        fill(store, CHAT, 1)
    elif then == "close":
        store.close()
    elif then == "open":
        SQLiteStore(path).close()
    else:
        fill(other, CHAT, 1)
    assert found(path, MARKS.values()) == []
    reader.close()
    other.close()


def test_erasure_survives_a_crash_in_between(path, store):
    """The note is written with the erasure itself; the next one who opens the file acts on it."""
    fill(store, CHAT, 3)
    (written,) = store.append(CHAT, [secret()])
    reader = apsw.Connection(str(path))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM texts").get == 4
    store.remove(ANN, [written.seq])
    copies = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal")}
    reader.close()
    crashed = path.with_name("crashed.db")
    for end, content in copies.items():
        Path(f"{crashed}{end}").write_bytes(content)
    assert found(crashed, [MARKS["text"]]) == [MARKS["text"]]
    again = SQLiteStore(crashed)
    assert found(crashed, MARKS.values()) == []
    assert len(again.span(CHAT, 0)) == 3
    again.close()

"""What may be opened, what it is left like, and who may read it."""

import os
import sqlite3
import stat
import tempfile
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from memfold.errors import InvalidInput, NewerSchema, NotAMemfoldFile, StoreError, StoreReadOnly
from memfold.stores.sqlite import SQLiteStore
from memfold.stores.sqlite.schema import APPLICATION_ID, VERSION
from memfold.testing.samples import CHAT, draft, fill, seqs

NOBODY = 65534
COMPANIONS = ("", "-wal", "-shm")

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


@pytest.fixture
def ordinary_folder():
    """A folder of a user to whom permissions apply: root reads and writes everything."""
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def listing(folder):
    """Name, content and mode of everything in it."""
    return {
        found.name: (found.read_bytes() if found.is_file() else None, mode(found))
        for found in sorted(Path(folder).iterdir())
    }


def refused(path, error=NotAMemfoldFile):
    """Opening fails with this error of ours, and leaves the folder as it was."""
    before = listing(path.parent)
    with pytest.raises(error) as caught:
        SQLiteStore(path)
    assert path.name in str(caught.value)
    assert listing(path.parent) == before


@posix
def test_a_new_file_is_its_users_alone(path):
    former = os.umask(0)
    try:
        store = SQLiteStore(path)
    finally:
        os.umask(former)
    fill(store, CHAT, 3)
    assert [mode(f"{path}{end}") for end in COMPANIONS] == [0o600] * 3
    store.close()
    assert os.listdir(path.parent) == [path.name]
    assert mode(path) == 0o600


@posix
def test_a_looser_file_is_tightened_with_its_log(path):
    store = SQLiteStore(path)
    fill(store, CHAT, 3)
    for end in COMPANIONS:
        os.chmod(f"{path}{end}", 0o664)
    other = SQLiteStore(path)
    assert [mode(f"{path}{end}") for end in COMPANIONS] == [0o600] * 3
    assert len(other.span(CHAT, 0)) == 3
    other.close()
    store.close()


def test_paths_of_any_kind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("plain.db", "with space.db", "记忆 🧠.db", "file:odd?mode=ro", "100%.db"):
        store = SQLiteStore(name)
        fill(store, CHAT, 1)
        monkeypatch.chdir(tmp_path.parent)  # the path holds wherever the process goes
        assert store.size() > 0
        assert len(store.span(CHAT, 0)) == 1
        store.close()
        monkeypatch.chdir(tmp_path)
        assert Path(name).is_file()
    assert len(list(tmp_path.iterdir())) == 5


@posix
def test_an_empty_file_becomes_ours(path):
    path.touch(0o644)
    store = SQLiteStore(path)
    fill(store, CHAT, 1)
    store.close()
    assert mode(path) == 0o600


def test_a_link_leads_to_the_file(path, tmp_path):
    SQLiteStore(path).close()
    (tmp_path / "link").symlink_to(path)
    store = SQLiteStore(tmp_path / "link")
    fill(store, CHAT, 1)
    store.close()
    store = SQLiteStore(path)
    assert len(store.span(CHAT, 0)) == 1
    store.close()


def test_a_folder_is_refused(path):
    path.mkdir()
    refused(path)


def test_no_path_is_refused():
    with pytest.raises(InvalidInput):
        SQLiteStore("")


@pytest.mark.parametrize("name", ["nul\0byte.db", "x" * 300, "invalid-\udcff.db"])
def test_impossible_names_are_refused(tmp_path, name):
    with pytest.raises(NotAMemfoldFile):
        SQLiteStore(tmp_path / name)


@posix
def test_what_is_no_file_is_refused(path):
    os.mkfifo(path)
    with pytest.raises(NotAMemfoldFile, match="not an ordinary file"):
        SQLiteStore(path)
    with pytest.raises(NotAMemfoldFile):
        SQLiteStore("/dev/null")


@pytest.mark.parametrize(
    "content",
    [
        b"x",
        b"notes of mine\n" * 1000,
        "不是数据库".encode() * 500,
        b"SQLite format 3\0",
        b"SQLite format 3\0" + b"\0" * 5000,
        b"\0" * 4096,
        os.urandom(9000),
    ],
)
def test_other_files_are_refused_and_left_alone(path, content):
    path.write_bytes(content)
    path.chmod(0o644)
    refused(path)


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("statement", ["CREATE TABLE t (x)", "PRAGMA user_version = 1", "VACUUM"])
def test_other_databases_are_refused_and_left_alone(path, journal, statement):
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA journal_mode = {journal}")
    db.execute(statement)
    db.close()
    path.chmod(0o644)
    refused(path)


def test_the_log_of_another_database_is_not_moved_into_it(path, tmp_path):
    db = sqlite3.connect(tmp_path / "source.db")
    db.execute("PRAGMA journal_mode = wal")
    db.execute("CREATE TABLE t AS SELECT 1 AS x")
    db.commit()
    for end in ("", "-wal"):  # as after a crash of its application
        Path(f"{path}{end}").write_bytes((tmp_path / f"source.db{end}").read_bytes())
    db.close()
    refused(path)


def test_a_file_from_a_newer_version_is_refused_and_left_alone(path):
    SQLiteStore(path).close()
    db = apsw.Connection(str(path))
    db.pragma("user_version", VERSION + 1)
    db.close()
    refused(path, NewerSchema)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9])
def test_a_truncated_file_is_refused_and_left_alone(path, share):
    store = SQLiteStore(path)
    fill(store, CHAT, 500)
    store.close()
    os.truncate(path, int(path.stat().st_size * share))
    refused(path)


def test_a_damaged_file_gives_errors_of_ours(path):
    store = SQLiteStore(path)
    store.append(CHAT, [draft("x" * 5000) for _ in range(200)])
    store.close()
    damaged = bytearray(path.read_bytes())
    damaged[4096:] = os.urandom(len(damaged) - 4096)
    path.write_bytes(damaged)
    with pytest.raises(StoreError):  # noqa: PT012  # where it is noticed depends on the pages
        store = SQLiteStore(path)
        try:
            store.span(CHAT, 0)
        finally:
            store.close()


def test_a_missing_folder_is_refused_and_not_made(tmp_path):
    with pytest.raises(NotAMemfoldFile, match=r"memory\.db"):
        SQLiteStore(tmp_path / "none" / "memory.db")
    assert list(tmp_path.iterdir()) == []


def test_a_file_as_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotAMemfoldFile):
        SQLiteStore(tmp_path / "file" / "memory.db")


@posix
def test_a_file_that_cannot_be_made_is_refused(ordinary_folder):
    folder = ordinary_folder / "closed"
    folder.mkdir(0o500)
    refused(folder / "memory.db", StoreReadOnly)
    folder.chmod(0o700)
    (folder / "memory.db").touch(0o400)
    refused(folder / "memory.db", StoreReadOnly)


@posix
@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o400, 0o700), (0o600, 0o500)])
def test_what_may_only_be_read_is_read_and_left_alone(ordinary_folder, file_mode, folder_mode):
    folder = ordinary_folder / "kept? #1%"
    folder.mkdir()
    path = folder / "记忆.db"
    store = SQLiteStore(path)
    fill(store, CHAT, 3)
    store.close()
    path.chmod(file_mode)
    folder.chmod(folder_mode)
    before = listing(folder)
    store = SQLiteStore(path)
    assert len(store.span(CHAT, 0)) == 3
    assert store.counts(CHAT).messages == 3
    assert store.size() > 0
    for write in (
        lambda: fill(store, CHAT, 1),
        lambda: store.remove(CHAT, None),
        lambda: store.use_embedder("x/1"),
    ):
        with pytest.raises(StoreReadOnly, match="read but not written"):
            write()
    assert len(store.span(CHAT, 0)) == 3
    store.close()
    assert listing(folder) == before


@posix
def test_who_may_only_read_sees_what_others_write(ordinary_folder):
    path = ordinary_folder / "memory.db"
    writer = SQLiteStore(path)
    path.chmod(0o400)  # what is open may go on
    reader = SQLiteStore(path)
    for count in (1, 2, 3):
        fill(writer, CHAT, 1)
        assert len(reader.span(CHAT, 0)) == count
    writer.close()
    assert len(reader.span(CHAT, 0)) == 3
    reader.close()
    assert sorted(os.listdir(ordinary_folder)) == ["memory.db"]


@posix
def test_a_file_that_may_not_be_read_is_not_taken_for_another(ordinary_folder):
    path = ordinary_folder / "memory.db"
    SQLiteStore(path).close()
    path.chmod(0o200)
    with pytest.raises(StoreError, match="may not be read") as caught:
        SQLiteStore(path)
    assert not isinstance(caught.value, NotAMemfoldFile)
    assert mode(path) == 0o200


def gone(path):
    path.unlink()


def gone_whole(path):
    for end in COMPANIONS:
        Path(f"{path}{end}").unlink()


def replaced(path):
    gone_whole(path)
    SQLiteStore(path).close()


def moved(path):
    path.rename(path.with_name("elsewhere.db"))


def without_log(path):
    Path(f"{path}-wal").unlink()


@posix
@pytest.mark.parametrize("how", [gone, gone_whole, replaced, moved, without_log])
def test_nothing_is_written_to_a_file_that_is_no_longer_there(path, how):
    store = SQLiteStore(path)
    fill(store, CHAT, 1)
    how(path)
    with pytest.raises(StoreError, match="deleted or replaced"):
        fill(store, CHAT, 1)
    with pytest.raises(StoreError, match="deleted or replaced"):
        store.remove(CHAT, None)
    store.close()


def test_the_file_tells_whose_it_is_before_the_log_is_moved(path):
    store = SQLiteStore(path)
    header = path.read_bytes()[:100]
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID
    store.close()


def test_opening_twice_in_one_process_keeps_the_locks(path):
    """A descriptor opened and closed beside SQLite's own would drop them (POSIX)."""
    first = SQLiteStore(path)
    fill(first, CHAT, 1)
    for _ in range(3):
        SQLiteStore(path).close()
        assert Path(f"{path}-wal").exists(), "the second store took itself for the last one"
    fill(first, replace(CHAT, session="more"), 1)
    assert seqs(first.span(CHAT, 0)) == [1]
    first.close()

"""Many processes, many threads, one file; and what a process leaves that is killed."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import apsw
import pytest

from memfold.errors import InvalidInput, StoreBusy, StoreClosed
from memfold.stores.sqlite import SQLiteStore
from memfold.testing.samples import ANN, CHAT, draft, fill, seqs

SPAWN = multiprocessing.get_context("spawn")
BATCH = 3
ROUNDS = 15
THREADS = 3


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


def run_threads(tasks):
    """Run them all; the errors that came up."""
    errors = []

    def guarded(task):
        try:
            task()
        except Exception as error:
            errors.append(repr(error))

    threads = [threading.Thread(target=guarded, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def write_and_read(path, process, results):
    """One of the processes: threads that write, and one that looks for torn batches."""
    store = SQLiteStore(path)
    written: list[int] = []

    def write(thread):
        scope = replace(ANN, session=f"{process}-{thread}")
        for turn in range(ROUNDS):
            text = f"{process}-{thread}-{turn}"
            batch = [draft(text, key=f"{text}-{i}") for i in range(BATCH)]
            written.extend(appended.seq for appended in store.append(scope, batch))

    def read():
        for _ in range(ROUNDS * 2):
            for session in store.sessions(ANN):
                found = store.span(replace(ANN, session=session.id), 0)
                assert session.messages % BATCH == 0
                assert len(found) % BATCH == 0

    tasks = [lambda t=t: write(t) for t in range(THREADS)]
    errors = run_threads([*tasks, read])
    store.close()
    results.put((written, errors))


def open_and_write(path, process, gate, results):
    gate.wait()
    try:
        store = SQLiteStore(path)
        fill(store, replace(ANN, session=f"session {process}"), 1)
        store.close()
        results.put(None)
    except Exception as error:
        results.put(repr(error))


def write_until_killed(path):
    """Say of each message that it is stored, after it is."""
    store = SQLiteStore(path)
    number = 0
    while True:
        store.append(CHAT, [draft(f"message {number}", key=str(number))])
        print(number, flush=True)
        number += 1


def finish(processes):
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * len(processes)


def test_processes_and_threads_lose_nothing(path):
    results = SPAWN.Queue()
    processes = [SPAWN.Process(target=write_and_read, args=(path, n, results)) for n in range(2)]
    for process in processes:
        process.start()
    found = [results.get(timeout=60) for _ in processes]
    finish(processes)
    assert [errors for _, errors in found] == [[], []]
    total = 2 * THREADS * ROUNDS * BATCH
    assert sorted(seq for written, _ in found for seq in written) == list(range(1, total + 1))
    store = SQLiteStore(path)
    for session in store.sessions(ANN):
        span = store.span(replace(ANN, session=session.id), 0)
        assert [message.position for message in span] == list(range(ROUNDS * BATCH))
    assert store.counts(ANN).messages == total
    store.close()


def test_processes_may_open_a_new_file_at_the_same_time(tmp_path):
    count = 3
    for attempt in range(2):
        path = tmp_path / f"{attempt}.db"
        gate, results = SPAWN.Barrier(count), SPAWN.Queue()
        processes = [
            SPAWN.Process(target=open_and_write, args=(path, n, gate, results))
            for n in range(count)
        ]
        for process in processes:
            process.start()
        assert [results.get(timeout=60) for _ in processes] == [None] * count
        finish(processes)
        store = SQLiteStore(path)
        assert store.counts(ANN).messages == len(store.sessions(ANN)) == count
        store.close()


def test_threads_may_open_a_new_file_at_the_same_time(tmp_path):
    for attempt in range(5):
        path = tmp_path / f"{attempt}.db"
        gate = threading.Barrier(4)

        def task(path=path, gate=gate):
            gate.wait()
            store = SQLiteStore(path)
            fill(store, replace(ANN, session=str(threading.get_ident())), 1)
            store.close()

        assert run_threads([task] * 4) == []
        store = SQLiteStore(path)
        assert store.counts(ANN).messages == 4
        store.close()


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_what_was_acknowledged_survives_a_kill(path):
    code = f"from {__name__} import write_until_killed; write_until_killed({str(path)!r})"
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        time.sleep(0.1)
        output = process.stdout
        assert output is not None
        lines = [output.readline() for _ in range(20)]
        process.send_signal(signal.SIGKILL)
        lines += output.readlines()
        process.wait()
        output.close()
        acknowledged = int([line for line in lines if line.endswith("\n")][-1])
        store = SQLiteStore(path)
        span = store.span(CHAT, 0)
        # The last one may have been stored without the word getting out.
        assert len(span) in {acknowledged + 1, acknowledged + 2}
        assert seqs(span) == list(range(1, len(span) + 1))
        store.remove(ANN, None)
        store.close()
        path.unlink()


def test_threads_do_not_wait_behind_each_others_wait(path):
    """Each has the whole time-out for itself, and none waits any longer."""
    store = SQLiteStore(path, timeout=0.5)
    fill(store, CHAT, 1)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    waited = []

    def write():
        began = time.monotonic()
        with pytest.raises(StoreBusy):
            fill(store, CHAT, 1)
        waited.append(time.monotonic() - began)

    assert run_threads([write] * 4) == []
    assert min(waited) >= 0.4
    assert max(waited) < 1.0
    other.execute("ROLLBACK")
    other.close()
    fill(store, CHAT, 1)
    assert len(store.span(CHAT, 0)) == 2
    store.close()


def test_a_lock_held_for_too_long_gives_store_busy(path):
    store = SQLiteStore(path, timeout=0.05)
    fill(store, CHAT, 1)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match=r"memory\.db"):
        store.append(CHAT, [draft("x")])
    assert len(store.span(CHAT, 0)) == 1, "readers do not wait for the writer"
    other.execute("ROLLBACK")
    other.close()
    fill(store, CHAT, 1)
    assert len(store.span(CHAT, 0)) == 2
    store.close()


def test_closing_lets_reads_finish_and_turns_waiting_ones_away(path):
    store = SQLiteStore(path)
    fill(store, CHAT, 200)
    errors = []

    def read():
        try:
            while True:
                assert len(store.span(CHAT, 0)) == 200
        except StoreClosed:
            errors.append("closed")

    threads = [threading.Thread(target=read) for _ in range(8)]  # more than there are readers
    for thread in threads:
        thread.start()
    time.sleep(0.05)
    store.close()
    for thread in threads:
        thread.join(10)
    assert errors == ["closed"] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_store_is_not_used_across_a_fork(path):
    code = (
        "import os, sys\n"
        "from memfold.errors import StoreError\n"
        "from memfold.stores.sqlite import SQLiteStore\n"
        "store = SQLiteStore(sys.argv[1])\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try:\n"
        "        store.owners()\n"
        "    except StoreError as error:\n"
        "        store.close()\n"
        "        os._exit(0 if 'fork' in str(error) else 1)\n"
        "    os._exit(2)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "store.owners()\n"
        "store.close()\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, env=environment)


def test_a_failed_write_leaves_nothing(path):
    store = SQLiteStore(path)
    fill(store, CHAT, 1)
    broken = replace(draft("never"), tokens=2**70)
    with pytest.raises(InvalidInput):
        store.append(CHAT, [draft("first of the batch", key="k"), broken])
    assert len(store.span(CHAT, 0)) == 1
    assert store.append(CHAT, [draft("again", key="k")])[0].outcome == "stored"
    store.close()

"""Folding by a model that is killed in the middle, and two processes that fold the same session."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.facade.scripted import by_model, check_tree, opened, retold, said, serving, tell

from memfold.testing.llm_server import Answer

pytestmark = pytest.mark.extra("llm")
SPAWN = multiprocessing.get_context("spawn")


def settled(folds):
    return bool(folds) and not any(fold.retry_at for fold in folds)


def undisturbed(url, spoken, count):
    with opened(url) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, count))
        return [tell(fold) for fold in chat.folds()]


WRITER = """
import sys
from tests.facade.scripted import opened, said
path, url, spoken = sys.argv[1:]
with opened(url, path, background=True) as memory:
    memory.user("ann").session("s").extend(said(spoken, 24))
    print("written", flush=True)
    memory.flush()
    print("done", flush=True)
"""


@pytest.mark.parametrize(("spoken", "calls"), [("en", 1), ("zh", 4)])
def test_killed_in_the_middle_of_a_call_it_goes_on_and_ends_the_same(tmp_path, spoken, calls):
    path = tmp_path / "m.db"
    hung = [False]

    def script(request):
        if len(server.requests) >= calls and not hung[0]:
            hung[0] = True
            return Answer.silence()
        return retold(request)

    with serving(script) as server:
        command = [sys.executable, "-c", WRITER, str(path), server.base_url, spoken]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=os.getcwd()) as process:
            until = time.monotonic() + 30
            while not hung[0] and time.monotonic() < until:
                time.sleep(0.01)
            assert hung[0]
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        asked = len(server.requests)
        with opened(server, path) as memory:
            chat = memory.user("ann").session("s")
            assert [message.raw for message in chat.messages()] == said(spoken, 24)
            check_tree(chat.folds())
            memory.flush()
            found = [tell(fold) for fold in chat.folds()]
            assert settled(chat.folds())
        again = len(server.requests)
        assert found == undisturbed(server.base_url, spoken, 24)
        # What was answered before the end is on record.
        assert asked - 1 + again - asked == len(server.requests) - again


def test_killed_at_any_moment_no_fold_is_torn(tmp_path):
    path = tmp_path / "m.db"
    with serving(lambda request: Answer(text=retold(request), delay=0.01)) as server:
        for after in (0.1, 0.3):
            command = [sys.executable, "-c", WRITER, str(path), server.base_url, "en"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=os.getcwd()) as process:
                assert process.stdout.readline() == b"written\n"
                time.sleep(after)
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
            with opened(server, path, background=True) as memory:
                check_tree(memory.user("ann").session("s").folds())
        with opened(server, path) as memory:
            memory.flush()
            folds = memory.user("ann").session("s").folds()
            check_tree(folds)
            assert settled(folds)
            assert len(by_model(folds)) == len(folds)


def write_and_fold(path, url, number, results):
    with opened(url, path, background=True) as memory:
        chat = memory.user("ann").session("s")
        torn = []
        for at in range(number, 26, 2):
            chat.extend(said("en", 1, first=at), keys=[str(at)])
            try:
                check_tree(chat.folds())
            except AssertionError as error:
                torn.append(repr(error))
        results.put((memory.flush(60), torn))


def test_two_processes_that_fold_one_session_make_each_fold_once(tmp_path):
    path = tmp_path / "m.db"
    with serving(lambda request: Answer(text=retold(request), delay=0.01)) as server:
        results = SPAWN.Queue()
        arguments = [(str(path), server.base_url, number, results) for number in range(2)]
        processes = [SPAWN.Process(target=write_and_fold, args=each) for each in arguments]
        for process in processes:
            process.start()
        found = [results.get(timeout=90) for _ in processes]
        for process in processes:
            process.join(60)
        assert found == [(True, []), (True, [])]
        with opened(server, path) as memory:
            memory.flush()
            chat = memory.user("ann").session("s")
            assert len(chat.messages()) == 26
            before = [tell(fold) for fold in chat.folds()]
            check_tree(chat.folds())
            assert settled(chat.folds())
            memory.reindex()  # made anew by one alone
            assert [tell(fold) for fold in chat.folds()] == before

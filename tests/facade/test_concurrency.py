"""Many threads and processes on one file (invariant 12): nothing lost, nothing torn, no lock."""

import asyncio
import multiprocessing
import threading
import time

import pytest
from tests.facade.driving import TinyEmbedder, check_openai

from memfold import AsyncMemory, FoldConfig, Memory

SPAWN = multiprocessing.get_context("spawn")
SMALL = FoldConfig(window=2, segment_messages=3, fan_out=2)
ROUNDS = 6


def round_of(who, turn):
    name = f"call-{who}-{turn}"
    calls = [{"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    return [
        {"role": "user", "content": f"quokka{who}x{turn} what is the state? 状态如何？"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": name, "content": f"state {turn} of {who}"},
    ]


def use(memory, who, errors):
    """Write whole rounds to a session of one's own and to a shared one, and read all the while."""
    try:
        ann = memory.user("ann")
        for turn in range(ROUNDS):
            for session in (f"own-{who}", "shared"):
                keys = [f"{session}-{who}-{turn}-{at}" for at in range(3)]
                ann.session(session).extend(round_of(f"{who}{session}", turn), keys=keys)
                assert ann.session(session).length % 3 == 0
            hits = ann.search(f"quokka{who}sharedx{turn}", k=5)
            assert any(f"quokka{who}sharedx{turn}" in hit.message.text for hit in hits)
            context = ann.session("shared").context("And now? 现在呢？", max_tokens=600)
            assert context.tokens <= 600
            check_openai(context.messages)
            ann.session("shared").folds()
            if turn == 2:
                ann.session(f"own-{who}").edit(ann.session(f"own-{who}").messages()[0].id, "hm")
                ann.session(f"own-{who}").cut(ann.session(f"own-{who}").messages()[-3].id)
    except BaseException as error:
        errors.append(f"{type(error).__name__}: {error}")


def run(path, process, results):
    errors = []
    with Memory(path, embedder=TinyEmbedder(), fold=SMALL) as memory:
        tasks = [
            threading.Thread(target=use, args=(memory, f"{process}{thread}", errors))
            for thread in range(2)
        ]
        for task in tasks:
            task.start()
        for task in tasks:
            task.join()
    results.put(errors)


def check(path, writers):
    with Memory(path, embedder=TinyEmbedder(), fold=SMALL) as memory:
        ann = memory.user("ann")
        assert memory.flush(60)
        assert ann.stats().pending == 0
        shared = ann.session("shared").messages()
        assert len(shared) == 3 * ROUNDS * writers
        assert [message.position for message in shared] == list(range(len(shared)))
        check_openai([message.raw for message in shared])  # no round came between another's
        for info in ann.sessions():
            messages = ann.session(info.id).messages()
            assert len(messages) == info.messages
            if info.id != "shared":
                assert info.messages == 3 * (ROUNDS - 1)
        again = ann.session("again")
        again.extend([message.raw for message in shared])
        memory.flush(60)
        assert [fold.text for fold in ann.session("shared").folds()] == [
            fold.text for fold in again.folds()
        ]


def test_threads_of_one_memory(tmp_path):
    errors = []
    with Memory(tmp_path / "m.db", embedder=TinyEmbedder(), fold=SMALL) as memory:
        tasks = [threading.Thread(target=use, args=(memory, f"t{n}", errors)) for n in range(5)]
        for task in tasks:
            task.start()
        for task in tasks:
            task.join()
    assert errors == []
    check(tmp_path / "m.db", writers=5)


def test_processes_with_threads(tmp_path):
    results = SPAWN.Queue()
    workers = [SPAWN.Process(target=run, args=(tmp_path / "m.db", n, results)) for n in range(3)]
    for worker in workers:
        worker.start()
    errors = [results.get(timeout=120) for _ in workers]
    for worker in workers:
        worker.join()
    assert errors == [[], [], []]
    check(tmp_path / "m.db", writers=6)


def test_tasks_of_one_loop(tmp_path):
    async def main():
        async with AsyncMemory(tmp_path / "m.db", embedder=TinyEmbedder(), fold=SMALL) as memory:
            ann = memory.user("ann")

            async def talk(who):
                for turn in range(ROUNDS):
                    await ann.session("shared").extend(round_of(who, turn))
                    context = await ann.session("shared").context("And now?", max_tokens=600)
                    check_openai(context.messages)

            await asyncio.gather(*(talk(f"a{n}") for n in range(5)))
            assert await ann.session("shared").length() == 3 * ROUNDS * 5
            assert await memory.flush(60)

    asyncio.run(main())


@pytest.mark.parametrize("background", [True, False])
def test_closing_while_others_are_at_it(tmp_path, background):
    """Whoever comes too late is told; what was told to be stored is."""
    memory = Memory(tmp_path / "m.db", embedder=TinyEmbedder(), background=background, fold=SMALL)
    stored, errors = [], []

    def write():
        try:
            for at in range(10_000):
                stored.append(memory.user("ann").session("s").add("user", f"line {at}").id)
                memory.user("ann").search("line", k=1)
        except Exception as error:
            errors.append(type(error).__name__)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    while len(stored) < 30 and not errors:
        time.sleep(0.005)
    memory.close()
    for writer in writers:
        writer.join()
    assert errors == ["StoreClosed"] * 3
    with Memory(tmp_path / "m.db", embedder=None) as again:
        kept = [message.id for message in again.user("ann").session("s").messages()]
        assert {*stored} <= {*kept}

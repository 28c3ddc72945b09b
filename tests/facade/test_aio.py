"""The async twins lack nothing, take the same, and do not hold up their loop."""

import asyncio
import inspect
import threading

import pytest
from tests.facade.driving import TinyEmbedder

from memfold import (
    AsyncMemory,
    AsyncSession,
    AsyncUser,
    Memory,
    Receipt,
    Session,
    StoreClosed,
    User,
)

TWINS = [(Memory, AsyncMemory), (User, AsyncUser), (Session, AsyncSession)]
HANDLES = {"user", "session"}  # nothing is read to make one


def public(owner):
    return {name: value for name, value in vars(owner).items() if not name.startswith("_")}


@pytest.mark.parametrize(("sync", "twin"), TWINS)
def test_every_public_member_has_its_twin(sync, twin):
    assert {*public(twin)} == {*public(sync)}
    for name, value in public(sync).items():
        other = vars(twin)[name]
        if isinstance(value, property):
            assert isinstance(other, property) or inspect.iscoroutinefunction(other)
            continue
        assert inspect.iscoroutinefunction(other) == (name not in HANDLES)
        assert inspect.signature(other).parameters == inspect.signature(value).parameters
        assert inspect.getdoc(other) == inspect.getdoc(value)
    assert (
        inspect.signature(twin.__init__) == inspect.signature(sync.__init__) or sync is not Memory
    )


def test_a_slow_call_does_not_hold_up_the_loop(tmp_path):
    class Waiting(TinyEmbedder):
        def __init__(self):
            super().__init__()
            self.began, self.go = threading.Event(), threading.Event()

        def embed(self, texts):
            self.began.set()
            assert self.go.wait(30)
            return super().embed(texts)

    async def main():
        waiting = Waiting()
        async with AsyncMemory(tmp_path / "m.db", embedder=waiting, background=False) as memory:
            chat = memory.user("ann").session("s")
            adding = asyncio.create_task(chat.add("user", "hello"))
            while not waiting.began.is_set():
                await asyncio.sleep(0.001)
            assert await chat.length() == 1  # meanwhile
            assert not adding.done()
            waiting.go.set()
            assert isinstance(await adding, Receipt)

    asyncio.run(main())


def test_a_cancelled_write_is_written_all_the_same(tmp_path):
    async def main():
        async with AsyncMemory(tmp_path / "m.db", embedder=None) as memory:
            adding = asyncio.create_task(memory.user("ann").session("s").add("user", "hello"))
            await asyncio.sleep(0)
            adding.cancel()
            with pytest.raises(asyncio.CancelledError):
                await adding

    asyncio.run(main())
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        assert memory.user("ann").session("s").length == 1


def test_errors_reach_the_caller_and_leaving_closes(tmp_path):
    async def main():
        async with AsyncMemory(tmp_path / "m.db", embedder=None) as memory:
            with pytest.raises(ValueError, match="role"):
                await memory.user("ann").session("s").add("narrator", "x")
        with pytest.raises(StoreClosed):
            await memory.size()

    asyncio.run(main())

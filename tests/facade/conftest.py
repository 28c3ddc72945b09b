import asyncio
from contextlib import ExitStack

import pytest
from tests.facade.driving import Driven

from memfold import AsyncMemory, Memory


@pytest.fixture(params=["sync", "async"])
def open_memory(request):
    """Open a ``Memory``, or an ``AsyncMemory`` that is driven like one; closed after the test."""
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner()) if request.param == "async" else None

        def open_(path=":memory:", **options):
            options = {"embedder": None, "background": False, **options}
            if runner is None:
                memory = Memory(path, **options)
            else:
                memory = Driven(AsyncMemory(path, **options), runner)
            stack.callback(memory.close)
            return memory

        yield open_


@pytest.fixture
def memory(open_memory):
    return open_memory()


@pytest.fixture
def ann(memory):
    return memory.user("ann")


@pytest.fixture
def chat(ann):
    return ann.session("chat")

"""An event loop in a thread of its own.

Only an event loop can end a call at any point (looking up a name, waiting for a byte), which is
what makes a time limit hold. It cannot be the caller's: whoever calls may run inside one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from threading import Thread, current_thread
from typing import Any, TypeVar

T = TypeVar("T")

_CLOSING = 5.0
"""Seconds that saying goodbye to a server may take."""


class Background:
    """Runs coroutines for callers in any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._run, name="memfold-llm", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """False after `stop`, and in a forked process, which has no such thread."""
        return self._thread.is_alive()

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin `work` and return at once."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def stop(self, last: Callable[[], Awaitable[None]]) -> None:
        """Cancel what runs, await `last`, and end the thread."""
        if not self.alive:
            return
        self.start(self._end(last))
        if current_thread() is not self._thread:  # a garbage collector runs in any thread
            self._thread.join()

    def _run(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    async def _end(self, last: Callable[[], Awaitable[None]]) -> None:
        running = asyncio.all_tasks() - {asyncio.current_task()}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        try:
            async with asyncio.timeout(_CLOSING):
                await last()
        finally:
            self._loop.stop()

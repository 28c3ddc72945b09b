"""Async twins of ``Memory``, ``User`` and ``Session``: the same code, each call in a thread.

Every method takes what its twin takes, returns what it returns and raises what it raises; the
docstrings are the twin's own. What only makes a handle is no coroutine, as nothing is read for
it. A call that is cancelled is not waited for any more, but goes on to its end: what it wrote
is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from memfold.facade.memory import Memory
from memfold.facade.session import Session
from memfold.facade.user import User
from memfold.types import Scope

_P = ParamSpec("_P")
_T = TypeVar("_T")

# The parameters are found by way of ``__wrapped__``.
_TAKEN_OVER = ("__name__", "__doc__")


def _in_thread(
    method: Callable[Concatenate[Any, _P], _T],
) -> Callable[Concatenate[Any, _P], Coroutine[Any, Any, _T]]:
    """``method`` as a coroutine function of the handle that wraps the method's own."""

    @wraps(method, assigned=_TAKEN_OVER)
    async def call(self: Any, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await asyncio.to_thread(method, self._twin, *args, **kwargs)

    return call


def _signature_of(
    method: Callable[Concatenate[Any, _P], Any],
) -> Callable[[Callable[..., _T]], Callable[Concatenate[Any, _P], _T]]:
    """Give a method the parameters and the docstring of ``method``."""

    def give(forward: Callable[..., _T]) -> Callable[Concatenate[Any, _P], _T]:
        given: Callable[Concatenate[Any, _P], _T] = wraps(method, assigned=_TAKEN_OVER)(forward)
        return given

    return give


class AsyncSession:
    """A handle on one session, made by :meth:`AsyncUser.session`; the twin of ``Session``."""

    def __init__(self, twin: Session) -> None:
        self._twin = twin

    @property
    def id(self) -> str:
        """Its name."""
        return self._twin.id

    async def length(self) -> int:
        """How many messages it has."""
        return await asyncio.to_thread(lambda: self._twin.length)

    add = _in_thread(Session.add)
    extend = _in_thread(Session.extend)
    messages = _in_thread(Session.messages)
    context = _in_thread(Session.context)
    edit = _in_thread(Session.edit)
    cut = _in_thread(Session.cut)
    end = _in_thread(Session.end)
    folds = _in_thread(Session.folds)
    erase = _in_thread(Session.erase)

    @_signature_of(Session.fork)
    async def fork(self, *args: Any, **kwargs: Any) -> AsyncSession:  # noqa: D102
        return AsyncSession(await asyncio.to_thread(self._twin.fork, *args, **kwargs))


class AsyncUser:
    """A handle on one user's memory, made by :meth:`AsyncMemory.user`; the twin of ``User``."""

    def __init__(self, twin: User) -> None:
        self._twin = twin

    @property
    def scope(self) -> Scope:
        """Tenant, user and agent that this handle stands for."""
        return self._twin.scope

    @_signature_of(User.session)
    def session(self, *args: Any, **kwargs: Any) -> AsyncSession:  # noqa: D102
        return AsyncSession(self._twin.session(*args, **kwargs))

    sessions = _in_thread(User.sessions)
    search = _in_thread(User.search)
    get = _in_thread(User.get)
    known = _in_thread(User.known)
    expand = _in_thread(User.expand)
    forget = _in_thread(User.forget)
    erase = _in_thread(User.erase)
    stats = _in_thread(User.stats)
    quality = _in_thread(User.quality)
    renew_passages = _in_thread(User.renew_passages)


class AsyncMemory:
    """The twin of ``Memory``. Use it with ``async with``, or await :meth:`close`.

    The constructor opens the file at once; all else is done in threads.
    """

    @_signature_of(Memory.__init__)
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._twin = Memory(*args, **kwargs)

    @_signature_of(Memory.user)
    def user(self, *args: Any, **kwargs: Any) -> AsyncUser:  # noqa: D102
        return AsyncUser(self._twin.user(*args, **kwargs))

    erase = _in_thread(Memory.erase)
    flush = _in_thread(Memory.flush)
    reindex = _in_thread(Memory.reindex)
    owners = _in_thread(Memory.owners)
    size = _in_thread(Memory.size)
    close = _in_thread(Memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

"""The background: one thread that makes vectors and folds when nobody is waiting.

There is no queue of its own to lose: what is due is what the store lacks, so that work goes on
after a crash, and doing it twice changes nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from memfold.errors import MemfoldError, StoreClosed, StoreReadOnly
from memfold.facade.complaints import Complaints
from memfold.types import Scope

_QUIET = 0.05  # seconds without a caller before work begins
_PATIENCE = 10.0  # seconds after which it begins in any case: an import goes first
_FAREWELL = 1.0  # seconds that what is waited for outside gets when the worker is stopped
_COURTESY = 0.25  # seconds to wait, at most, for a caller to be served

_A_DAY = 86400.0  # seconds, the longest that is waited before looking again
_AGAIN, _LONGEST = 5.0, 300.0  # seconds after a failure, doubled with each that follows


class Worker:
    """Runs ``work(scope)`` for the sessions, or whole owners, that were written to."""

    def __init__(
        self, work: Callable[[Scope], None], owners: Callable[[], Sequence[Scope]]
    ) -> None:
        """``owners`` are looked through once, for what an earlier process left undone."""
        self._work = work
        self._owners = owners
        self._state = threading.Condition()
        self._due: dict[Scope, None] = {}
        self._later: dict[Scope, float] = {}
        self._last = self._first = 0.0
        self._busy = False
        self._hurried = 0
        self._served = 0
        self._stopped = self._ended = self._outside = False
        self._errors: dict[Scope, Exception] = {}
        self._failed: dict[Scope, int] = {}
        self._complaints = Complaints()
        self._thread: threading.Thread | None = None

    def notify(self, scope: Scope) -> None:
        """Something was written in ``scope``: a session, or an owner's."""
        with self._state:
            if self._stopped:
                return
            self._last = time.monotonic()
            if not self._due:
                self._first = self._last
            self._due[scope] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="memfold", daemon=True)
                self._thread.start()
            self._state.notify_all()

    def later(self, scope: Scope, seconds: float) -> None:
        """There will be something to do in ``scope`` after so many seconds."""
        with self._state:
            at = time.monotonic() + min(max(seconds, 0.0), _A_DAY)
            self._later[scope] = min(at, self._later.get(scope, at))
            self._state.notify_all()

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until nothing is due; False when ``timeout`` seconds were not enough.

        Raises what made the work fail, unless it was done since.
        """
        with self._state:
            for owner in self._owners():
                self._due[owner] = None
        if self._due:
            self.notify(next(iter(self._due)))
        with self._state:
            self._hurried += 1
            self._state.notify_all()
            try:
                done = self._state.wait_for(
                    lambda: self._stopped or not (self._due or self._busy), timeout
                )
            finally:
                self._hurried -= 1
            errors, self._errors = self._errors, {}
        for error in errors.values():
            raise error
        return done

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A caller is being served meanwhile."""
        with self._state:
            self._served += 1
        try:
            yield
        finally:
            with self._state:
                self._served -= 1
                self._last = time.monotonic()  # one who called just now is likely to call again
                self._state.notify_all()

    def breathe(self) -> None:
        """Called between small pieces of work: lets callers go first, and stops when told to."""
        if threading.current_thread() is not self._thread:
            return
        with self._state:
            self._state.wait_for(lambda: self._stopped or not self._served, _COURTESY)
            if self._stopped:
                raise StoreClosed("the memory was closed")

    @contextmanager
    def outside(self) -> Iterator[None]:
        """While something slow is waited for that touches nothing of ours: nobody waits for it.

        Raises StoreClosed at its end when the worker was stopped meanwhile. In other threads
        than the worker's it does nothing.
        """
        if threading.current_thread() is not self._thread:
            yield
            return
        self._set_outside(True)
        try:
            yield
        finally:
            self._set_outside(False)

    def _set_outside(self, is_outside: bool) -> None:
        with self._state:
            self._outside = is_outside
            self._state.notify_all()
            if self._stopped:
                raise StoreClosed("the memory was closed")

    def _next(self) -> Scope | None:
        """The next owner to work for; None when stopped."""
        with self._state:
            while not self._stopped:
                now = time.monotonic()
                self._take_up(now)
                latest = self._first + _PATIENCE
                rest = (latest if self._served else min(self._last + _QUIET, latest)) - now
                if self._due and (rest <= 0 or self._hurried):
                    owner = next(iter(self._due))
                    del self._due[owner]
                    self._busy = True
                    return owner
                soonest = min(self._later.values(), default=None)
                rests = [rest] if self._due else []
                self._state.wait(min([*rests, *([soonest - now] if soonest else [])], default=None))
            return None

    def _take_up(self, now: float) -> None:
        """What was to be done later and is due by now."""
        for scope in [scope for scope, at in self._later.items() if at <= now]:
            del self._later[scope]
            self._due.setdefault(scope)

    def _run(self) -> None:
        try:
            self._work_on()
        finally:
            with self._state:
                self._ended = True
                self._state.notify_all()

    def _work_on(self) -> None:
        self._look_back()
        while (owner := self._next()) is not None:
            error: Exception | None = None
            try:
                self._work(owner)
            except StoreClosed:
                pass
            except Exception as raised:  # a plugged-in part may raise anything; it must not end us
                error = raised
            with self._state:
                self._note(owner, error)
                self._busy = False
                self._state.notify_all()

    def _note(self, scope: Scope, error: Exception | None) -> None:
        """Keep a failure for ``flush``, and have the work done again later; the caller locks."""
        if error is None:
            self._complaints.over()
            # An owner's work is that of all the owner's sessions.
            for each in list(self._errors):
                if scope in (each, replace(each, session=None)):
                    del self._errors[each]
            self._failed.pop(scope, None)
            return
        self._complaints.about(error)
        self._errors[scope] = error
        if not isinstance(error, StoreReadOnly):  # that will not pass
            failed = self._failed[scope] = self._failed.get(scope, 0) + 1
            self.later(scope, min(_AGAIN * 2 ** min(failed - 1, 9), _LONGEST))

    def _look_back(self) -> None:
        try:
            owners = self._owners()
        except MemfoldError:
            return
        with self._state:
            for owner in owners:
                self._due.setdefault(owner)

    def stop(self) -> None:
        """End the thread after the piece of work it is at.

        What it waits for outside gets a moment, and is left to itself after that.
        """
        with self._state:
            self._stopped = True
            self._state.notify_all()
            if self._thread is None or self._thread is threading.current_thread():
                return
            self._state.wait_for(lambda: self._ended, _FAREWELL)
            self._state.wait_for(lambda: self._ended or self._outside)

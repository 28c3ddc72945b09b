"""Connections to one SQLite file: opening it, sharing it between threads, cleaning up behind.

One connection writes, under a lock, so that threads queue here instead of inside SQLite;
a few more read, and never wait for the writer (write-ahead logging). A memory-only store has
a single connection for both.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import apsw

from memfold.errors import (
    InvalidInput,
    NotAMemfoldFile,
    StoreBusy,
    StoreClosed,
    StoreError,
    StoreReadOnly,
)
from memfold.stores.sqlite import chores, file, schema
from memfold.stores.sqlite.marks import Database
from memfold.stores.sqlite.query import one
from memfold.text.given import number, string

_READERS = 4
_MEMORY = ":memory:"
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.001, 0.05  # seconds between looks at another's lock
_PATIENCE_MS = 1000  # how long an erasure waits for readers before it leaves the log for later
_LONGEST = 1e6  # seconds: as long as SQLite can wait
_LOG_LIMIT = 16 << 20  # bytes that an idle write-ahead log may keep


def _translate(error: apsw.Error, path: str) -> StoreError:
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StoreBusy(f"{path} was locked by another process for too long")
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return NotAMemfoldFile(f"{path} is not a memfold file, or is damaged: {error}")
    if isinstance(error, apsw.ReadOnlyError):
        return _read_only(path)
    return StoreError(f"{path}: {error}")


def _read_only(path: str) -> StoreReadOnly:
    return StoreReadOnly(f"{path} or its folder may be read but not written; nothing was written")


class Connections:
    """The pool for one file."""

    def __init__(self, path: str | os.PathLike[str], *, timeout: float) -> None:
        """``timeout``: seconds to wait for another process's write lock before StoreBusy."""
        given: Any = path
        given = string(
            os.fspath(given) if isinstance(given, os.PathLike) else given, "the path of the store"
        )
        if not given:
            raise InvalidInput("the path of the store is empty")
        self.in_memory = given == _MEMORY
        self.path = given if self.in_memory else file.resolve(given)
        self._timeout = min(number(timeout, "timeout"), _LONGEST)
        if self._timeout < 0:
            raise InvalidInput(f"timeout is at least 0, not {timeout}")
        self._process = os.getpid()
        self._writing = threading.RLock()
        self._reading = threading.Condition()
        self._idle: list[Database] = []
        self._readers = 0
        self._closed = False
        self._may_write = self.in_memory or file.prepare(self.path)
        self._writer = self._open()
        if not self._may_write:
            self._writer.close()  # it was to see that the file can be used
            return
        # Whoever writes waits outside of the lock between threads: see _begin.
        self._writer.set_busy_timeout(0)
        self._identity = file.identity(self.path)
        self._tidy()

    def _open(self) -> Database:
        """A new connection; patient while another process sets up the same file."""
        deadline = time.monotonic() + self._timeout
        with self._errors():
            while True:
                db = self._connect()
                try:
                    self._configure(db)
                    return db
                except apsw.BusyError:
                    # Changing to write-ahead logging does not wait by itself.
                    db.close(True)
                    if time.monotonic() >= deadline:
                        raise
                    time.sleep(0.005)
                except BaseException:
                    db.close(True)
                    raise

    def _connect(self) -> Database:
        if self.in_memory:
            return Database(_MEMORY)
        name, flags = self.path, apsw.SQLITE_OPEN_READWRITE
        if not self._may_write:
            name, flags = file.address(self.path)
        try:
            db = Database(name, flags=flags)
        except UnicodeEncodeError as error:
            raise NotAMemfoldFile(f"{self.path!r} is no path that SQLite can open") from error
        if self._may_write and db.readonly("main"):
            db.close()
            raise _read_only(self.path)
        return db

    def _configure(self, db: Database) -> None:
        db.set_busy_timeout(int(self._timeout * 1000))
        db.pragma("secure_delete", True)
        # FULL: a commit is on disk when it returns, power loss included.
        db.pragma("synchronous", "full")
        # Before there is a log, so that the file's own header names the application.
        schema.migrate(db, self.path)
        if self._may_write:
            db.pragma("journal_mode", "wal")
            db.pragma("journal_size_limit", _LOG_LIMIT)
        db.pragma("cache_size", -16_000)
        db.pragma("temp_store", "memory")
        db.salt = one(db, "SELECT value FROM meta WHERE name = 'salt'")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise _translate(error, self.path) from error
        except OverflowError as error:
            raise InvalidInput("a number does not fit 64 bits; nothing was written") from error

    @contextmanager
    def write(self) -> Iterator[Database]:
        """One transaction: committed on leaving, rolled back on an error."""
        self._begin()
        try:
            with self._errors():
                try:
                    left_over = chores.are_left(self._writer)
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                    raise
            if left_over:
                self._tidy()
        finally:
            self._writing.release()

    def _begin(self) -> None:
        """Take the locks of this process and of the file, or raise StoreBusy after the time-out.

        The file's is waited for without holding the other: a thread that waits keeps no other
        thread waiting, each has the whole time-out for itself, and none more than that.
        """
        deadline = time.monotonic() + self._timeout
        pause = _SHORTEST_PAUSE
        while True:
            if not self._writing.acquire(timeout=max(deadline - time.monotonic(), 0.0)):
                raise StoreBusy(f"{self.path} was being written for too long")
            try:
                self._check_open()
                self._check_writable()
                with self._errors():
                    self._writer.execute("BEGIN IMMEDIATE")
                return
            except StoreBusy:
                self._writing.release()
                if time.monotonic() >= deadline:
                    raise
            except BaseException:
                self._writing.release()
                raise
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _check_writable(self) -> None:
        """StoreReadOnly, or StoreError when what is open is no longer what the path names."""
        if not self._may_write:
            raise _read_only(self.path)
        if not self.in_memory and file.identity(self.path) != self._identity:
            raise StoreError(
                f"{self.path} was deleted or replaced while it was open; nothing was written:"
                " close it and open it anew"
            )

    @contextmanager
    def read(self) -> Iterator[Database]:
        """One consistent view for as long as it is held."""
        if self.in_memory:
            with self._writing:
                self._check_open()
                with self._errors():
                    yield self._writer
            return
        db = self._take()
        try:
            with self._errors():
                db.execute("BEGIN")
                try:
                    yield db
                finally:
                    if db.in_transaction:
                        db.execute("ROLLBACK")
        finally:
            self._give(db)

    def _take(self) -> Database:
        with self._reading:
            while True:
                self._check_open()
                if self._idle:
                    return self._idle.pop()
                if self._readers < _READERS:
                    self._readers += 1
                    break
                self._reading.wait()
        try:
            if self._may_write:
                self._check_writable()  # or it would be another file that is read
            return self._open()
        except BaseException:
            with self._reading:
                self._readers -= 1
                self._reading.notify()
            raise

    def _give(self, db: Database) -> None:
        with self._reading:
            if self._may_write:
                self._idle.append(db)
            else:
                # Others may write it meanwhile: each reading looks anew whether there is a log.
                db.close()
                self._readers -= 1
            self._reading.notify_all()

    def clean_up(self) -> None:
        """Take what was erased or blanked in the last transaction off the disk.

        The write-ahead log is moved into the file and cut to nothing. A reader that began
        before holds that up; then it is tried again after every write, on closing and on
        opening, by whichever process comes first.
        """
        self._tidy(wait_ms=_PATIENCE_MS)

    def _tidy(self, *, wait_ms: int = 0) -> None:
        if self.in_memory or not self._may_write:
            return
        with self._writing:
            self._writer.set_busy_timeout(wait_ms)
            try:
                chores.do(self._writer)
            except apsw.Error:
                pass  # a busy or full disk: noted in the file, and tried again
            finally:
                self._writer.set_busy_timeout(0)

    def check_open(self) -> None:
        """StoreClosed after close()."""
        self._check_open()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed(f"{self.path} was closed")
        if os.getpid() != self._process:
            raise StoreError(f"{self.path} was opened before a fork; open it in each process")

    def close(self) -> None:
        """Close every connection; waits for reads in progress."""
        with self._writing:
            if self._closed:
                return
            if os.getpid() != self._process:
                self._closed = True  # a forked child: the connections are its parent's to close
                return
            self._tidy()
            with self._reading:
                self._closed = True
                self._reading.notify_all()
                while len(self._idle) < self._readers:
                    self._reading.wait()
                for db in self._idle:
                    db.close()
            self._writer.close()

"""What the parts of the SQLite store share: finding owners and sessions, and keeping count."""

from __future__ import annotations

import json
import secrets
import time
from typing import Any

import apsw

from memfold.errors import InvalidScope, NotFound
from memfold.stores.sqlite.connection import Connections
from memfold.stores.sqlite.content import add_name
from memfold.stores.sqlite.marks import Database, encode, mark
from memfold.stores.sqlite.query import fetch, one
from memfold.types import Scope

LAST = (1 << 63) - 1
"""The largest number that SQLite holds."""


class Part:
    """Base of the store's parts."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._embedder: str | None = None  # the one that this object works with, once told


def now() -> int:
    """Microseconds since the Unix epoch, for the store's own records."""
    return time.time_ns() // 1000


def clamp(number: int) -> int:
    """The nearest number, from 0 up, that a row can hold."""
    return max(0, min(number, LAST))


def owner_mark(db: Database, scope: Scope) -> bytes:
    """The mark by which the scope's owner is found."""
    return mark(db, "owner", scope.tenant, scope.user, scope.agent)


def owner_of(db: Database, scope: Scope) -> int | None:
    """The owner's row id, or None when nothing is stored for it."""
    found: int | None = one(db, "SELECT id FROM owners WHERE mark = ?", (owner_mark(db, scope),))
    return found


def make_owner(db: Database, scope: Scope) -> int:
    """The owner's row id, made on first use."""
    found = owner_of(db, scope)
    if found is not None:
        return found
    known = owner_mark(db, scope)
    head, folds = _used(db, known)
    name = add_name(db, encode(scope.tenant, scope.user, scope.agent))
    db.execute(
        "INSERT INTO owners (mark, name, head, folds, generation) VALUES (?, ?, ?, ?, ?)",
        (known, name, head, folds, secrets.randbits(62)),
    )
    return db.last_insert_rowid()


def _used(db: Database, known: bytes) -> tuple[Any, ...]:
    """Numbers of an erased owner, not to be given out again: an old id never names a new thing."""
    found = fetch(db, "SELECT head, folds FROM tombstones WHERE mark = ?", (known,))
    return found[0] if found else (0, 0)


def head_of(db: Database, scope: Scope, owner: int | None) -> int:
    """The last seq given out, 0 before the first."""
    if owner is None:
        return int(_used(db, owner_mark(db, scope))[0])
    return int(one(db, "SELECT head FROM owners WHERE id = ?", (owner,)))


def need_owner(db: Database, scope: Scope) -> int:
    """The owner's row id; NotFound when nothing is stored for it."""
    found = owner_of(db, scope)
    if found is None:
        raise NotFound(f"nothing is stored for user {scope.user!r}")
    return found


def session_name(scope: Scope) -> str:
    """The scope's session. InvalidScope when it names none."""
    if scope.session is None:
        raise InvalidScope("this call needs a session")
    return scope.session


def session_mark(db: Database, owner: int, name: str) -> bytes:
    """The mark by which a session of this owner is found."""
    return mark(db, "session", owner, name)


def session_of(db: Database, owner: int | None, name: str) -> int | None:
    """The session's row id, or None when the owner has no such session."""
    if owner is None:
        return None
    sql = "SELECT id FROM sessions WHERE owner = ? AND mark = ?"
    found: int | None = one(db, sql, (owner, session_mark(db, owner, name)))
    return found


def make_session(
    db: Database, owner: int, name: str, *, length: int = 0, parent: int | None = None
) -> int:
    """A new session's row id."""
    # The first revision is random: folds made from an erased session of the same name must
    # not pass for its own.
    db.execute(
        "INSERT INTO sessions (owner, mark, name, length, messages, revision, parent)"
        " VALUES (?, ?, ?, ?, 0, ?, ?)",
        (
            owner,
            session_mark(db, owner, name),
            add_name(db, encode(name)),
            length,
            secrets.randbits(52),
            parent,
        ),
    )
    return db.last_insert_rowid()


def need_session(db: Database, scope: Scope) -> tuple[int, int]:
    """Row ids of the scope's owner and session; NotFound when there is none."""
    name = session_name(scope)
    owner = need_owner(db, scope)
    session = session_of(db, owner, name)
    if session is None:
        raise NotFound(f"there is no session {name!r}")
    return owner, session


def record(
    db: apsw.Connection, owner: int, kind: str, session: int | None, subject: int, object_: int
) -> int:
    """Note an operation and return its number.

    edit: the old and the new seq; cut: the position and the number of messages that left;
    fork: the new session's row id and its length; forget: the number of messages, and 0.
    """
    db.execute("UPDATE owners SET operation = operation + 1 WHERE id = ?", (owner,))
    number = int(one(db, "SELECT operation FROM owners WHERE id = ?", (owner,)))
    db.execute(
        "INSERT INTO operations (owner, number, at, kind, session, subject, object)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (owner, number, now(), kind, session, subject, object_),
    )
    return number


def new_generation(db: apsw.Connection, owner: int) -> None:
    """Tell readers of the index that what they hold no longer stands."""
    # Random, so that no cursor from before an erasure fits what comes later under that name.
    db.execute("UPDATE owners SET generation = ? WHERE id = ?", (secrets.randbits(62), owner))


class Names:
    """Looks names up, each once."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._sessions: dict[int, str] = {}
        self._speakers: dict[int, tuple[str, str | None]] = {}

    def session(self, id_: int) -> str:
        """A session's own id."""
        found = self._sessions.get(id_)
        if found is None:
            (found,) = self._text("sessions", id_)
            self._sessions[id_] = found
        return found

    def speaker(self, id_: int) -> tuple[str, str | None]:
        """Role and name of a speaker."""
        found = self._speakers.get(id_)
        if found is None:
            role, name = self._text("speakers", id_)
            found = self._speakers[id_] = (role, name)
        return found

    def _text(self, table: str, id_: int) -> list[str]:
        sql = f"SELECT n.text FROM {table} t JOIN names n ON n.id = t.name WHERE t.id = ?"
        return list(json.loads(one(self._db, sql, (id_,))))

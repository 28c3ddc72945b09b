"""Marks: keyed hashes by which names and keys are found again without being kept in an index.

The key is random for each file, so that marks cannot be matched across files. What was erased
leaves its mark as a tombstone, which says "this was erased" and nothing of what.
"""

from __future__ import annotations

import hashlib
import json

import apsw

from memfold.stores.sqlite.query import one


class Database(apsw.Connection):
    """A connection that knows its file's salt."""

    salt: bytes = b""


def encode(*parts: str | int | None) -> str:
    """The parts as one JSON array: unambiguous, and plain ASCII whatever is in them."""
    return json.dumps(parts, separators=(",", ":"))


def mark(db: Database, *parts: str | int | None) -> bytes:
    """BLAKE2b of the parts, 128 bits, keyed with the file's salt."""
    return hashlib.blake2b(encode(*parts).encode(), digest_size=16, key=db.salt).digest()


def is_erased(db: Database, key: bytes) -> bool:
    """Whether what had this mark was erased."""
    return one(db, "SELECT 1 FROM tombstones WHERE mark = ?", (key,)) is not None

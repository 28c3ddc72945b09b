"""Content that can be erased for good.

SQLite's ``secure_delete`` zeroes what is deleted, but a b-tree that splits or merges its pages
leaves copies of rows that moved in the unused part of the pages they left, and nothing zeroes
those when the row is deleted later (docs/decisions/0002-content-never-moves.md).
So content never moves: its tables are filled in the order of their ids, which never splits a
page, and their rows are not deleted but blanked in place, which never merges any. When enough
has been blanked, ``drop_blanked`` and VACUUM give the space back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from memfold.stores.sqlite.query import one


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A content table: its columns, and the (table, column) pairs that refer to its rows."""

    name: str
    columns: tuple[str, ...]
    references: tuple[tuple[str, str], ...]


NAMES = Table(
    name="names",
    columns=("text",),
    references=(("owners", "name"), ("sessions", "name"), ("speakers", "name")),
)
TEXTS = Table(name="texts", columns=("body", "metadata"), references=(("messages", "text"),))
GRAMS = Table(name="grams", columns=("terms", "header"), references=(("passages", "gram"),))
VECTORS = Table(name="vectors", columns=("vector",), references=(("passages", "vector"),))
SUMMARIES = Table(
    name="summaries", columns=("body",), references=(("folds", "summary"), ("outputs", "summary"))
)

TABLES = (NAMES, TEXTS, GRAMS, VECTORS, SUMMARIES)

_WORTH_IT = 1 << 20  # bytes blanked before giving space back is worth rewriting the file
_SHARE = 3  # and one part in so many of the whole


def numbers(values: Iterable[int]) -> str:
    """Whole numbers as one parameter, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(values))


def next_id(db: apsw.Connection, table: Table) -> int:
    """The id after the last: rows are added in this order only."""
    return int(one(db, f"SELECT coalesce(max(id), 0) + 1 FROM {table.name}"))


def add_name(db: apsw.Connection, text: str) -> int:
    """Keep a name; returns its id."""
    id_ = next_id(db, NAMES)
    db.execute("INSERT INTO names (id, text) VALUES (?, ?)", (id_, text))
    return id_


def blank(db: apsw.Connection, table: Table, ids: Iterable[int]) -> None:
    """Overwrite these rows with zeros of the same length."""
    listed = numbers(ids)
    if listed == "[]":
        return
    which = "id IN (SELECT value FROM json_each(?))"
    length = " + ".join(f"octet_length({column})" for column in table.columns)
    zeros = ", ".join(f"{column} = zeroblob(octet_length({column}))" for column in table.columns)
    db.execute(
        "UPDATE meta SET value = value + coalesce("
        f"(SELECT sum({length}) FROM {table.name} WHERE {which}), 0) WHERE name = 'waste'",
        (listed,),
    )
    db.execute(f"UPDATE {table.name} SET {zeros} WHERE {which}", (listed,))


def size(db: apsw.Connection) -> int:
    """Bytes of all pages."""
    return int(one(db, "PRAGMA page_count")) * int(one(db, "PRAGMA page_size"))


def is_wasteful(db: apsw.Connection) -> bool:
    """Whether so much is blanked that rewriting the file pays."""
    waste = int(one(db, "SELECT value FROM meta WHERE name = 'waste'"))
    if waste < _WORTH_IT:
        return False
    return waste * _SHARE > size(db)


def drop_blanked(db: apsw.Connection) -> None:
    """Delete the rows that nothing refers to. Pages merge by this: VACUUM must follow."""
    for table in TABLES:
        used = " UNION ALL ".join(
            f"SELECT {column} FROM {other} WHERE {column} IS NOT NULL"
            for other, column in table.references
        )
        db.execute(f"DELETE FROM {table.name} WHERE id NOT IN ({used})")
    db.execute("UPDATE meta SET value = 0 WHERE name = 'waste'")

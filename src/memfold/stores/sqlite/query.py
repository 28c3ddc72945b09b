"""Queries with the types that the schema promises; SQLite itself has none to give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

Value = int | str | bytes | None


def fetch(
    db: apsw.Connection, sql: str, values: Sequence[Value] | Mapping[str, Value] = ()
) -> list[tuple[Any, ...]]:
    """All rows that a query finds."""
    return db.execute(sql, values).fetchall()


def column(db: apsw.Connection, sql: str, values: Sequence[Value] = ()) -> list[Any]:
    """The first column of all rows that a query finds."""
    return [row[0] for row in db.execute(sql, values)]


def one(db: apsw.Connection, sql: str, values: Sequence[Value] = ()) -> Any:
    """The first column of the first row, None when there is no row."""
    row = db.execute(sql, values).fetchone()
    return None if row is None else row[0]

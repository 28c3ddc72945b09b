"""The default store: everything in one SQLite file, used by any number of threads and processes."""

from __future__ import annotations

from memfold.stores.sqlite.store import SQLiteStore

__all__ = ["SQLiteStore"]

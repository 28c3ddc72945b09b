"""The store as one object."""

from __future__ import annotations

import os

from memfold.stores.sqlite.admin import AdminPart
from memfold.stores.sqlite.connection import Connections
from memfold.stores.sqlite.folds import FoldPart
from memfold.stores.sqlite.outputs import OutputPart
from memfold.stores.sqlite.passages import PassagePart
from memfold.stores.sqlite.reading import ReadPart
from memfold.stores.sqlite.removal import RemovalPart
from memfold.stores.sqlite.revising import RevisePart
from memfold.stores.sqlite.writing import AppendPart


class SQLiteStore(
    AppendPart,
    RevisePart,
    RemovalPart,
    ReadPart,
    PassagePart,
    FoldPart,
    OutputPart,
    AdminPart,
):
    """``protocols.Store`` on one SQLite file, private to its user (mode 0600).

    ``path`` is made when it does not exist, its folder is not; ``":memory:"`` keeps everything
    in memory. ``timeout`` is how long, in seconds, to wait for another process's write lock
    before StoreBusy. A file that may be read but not written can be read; writes raise
    StoreReadOnly, and StoreError once the file was deleted or replaced. Any number of threads may
    use one store, and any number of processes one file; a store opened before a fork is not to
    be used after it. Raises StoreError (NotAMemfoldFile, NewerSchema, StoreReadOnly) when the
    path cannot be used.
    """

    def __init__(self, path: str | os.PathLike[str], *, timeout: float = 30.0) -> None:
        super().__init__(Connections(path, timeout=timeout))

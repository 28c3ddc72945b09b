"""What is left to do after an erasure: noted in the file, so that a crash does not forget it.

The note (``meta.chores``) is a stage and a random token. *log*: the write-ahead log still
holds old images of pages, and the file itself may too until all of the log is moved into it.
*rewrite*: rows were dropped from content tables, so copies may stand in unused parts of pages
(see ``content.py``), until VACUUM writes all pages anew; *log* follows. The token keeps a
process from crossing off what another has noted meanwhile.
"""

from __future__ import annotations

import secrets

import apsw

from memfold.stores.sqlite.content import drop_blanked, is_wasteful
from memfold.stores.sqlite.query import one

_LOG = "log"
_REWRITE = "rewrite"


def _noted(db: apsw.Connection) -> str:
    return str(one(db, "SELECT value FROM meta WHERE name = 'chores'") or "")


def _note(db: apsw.Connection, stage: str) -> str:
    value = f"{stage} {secrets.token_hex(8)}"
    db.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('chores', ?)", (value,))
    return value


def are_left(db: apsw.Connection) -> bool:
    """Whether an earlier erasure is not finished."""
    return bool(_noted(db))


def note_erasure(db: apsw.Connection) -> None:
    """In the transaction that erases: the log has to go afterwards."""
    if not _noted(db).startswith(_REWRITE):
        _note(db, _LOG)


def do(db: apsw.Connection) -> None:
    """Do what is noted, and give space back when much of it is blank; between transactions."""
    if is_wasteful(db):
        with db:
            drop_blanked(db)
            _note(db, _REWRITE)
    noted = _noted(db)
    if noted.startswith(_REWRITE):
        db.execute("VACUUM")
        with db:
            if _noted(db) == noted:
                noted = _note(db, _LOG)
    if noted.startswith(_LOG) and _empty_log(db):
        db.execute("DELETE FROM meta WHERE name = 'chores' AND value = ?", (noted,))


def _empty_log(db: apsw.Connection) -> bool:
    """Move the write-ahead log into the file and cut it to nothing; False when readers hold it."""
    return not one(db, "PRAGMA wal_checkpoint(TRUNCATE)")

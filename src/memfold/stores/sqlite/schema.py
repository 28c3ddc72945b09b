"""The tables, and how a file of an older version is brought up to this one.

Two kinds of tables. The *content* tables at the top hold everything that was said or made
from it; their rows are only ever appended, and blanked in place (``content.py`` says why).
All other tables hold numbers, random ids and keyed hashes, which say nothing by themselves;
each starts with the owner, so that no statement can reach a row without naming one.
"""

from __future__ import annotations

import secrets

import apsw

from memfold.errors import NewerSchema, NotAMemfoldFile
from memfold.stores.sqlite.query import one

APPLICATION_ID = 0x6D666C64  # "mfld": how a memfold file is told from any other SQLite file

_V1 = """
CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL);    -- a JSON array
CREATE TABLE texts (id INTEGER PRIMARY KEY, body BLOB NOT NULL, metadata BLOB NOT NULL);
CREATE TABLE grams (id INTEGER PRIMARY KEY, terms BLOB NOT NULL, header BLOB NOT NULL);
CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE summaries (id INTEGER PRIMARY KEY, body BLOB NOT NULL);

-- salt, embedder, waste (bytes blanked), chores (see connection.py).
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE owners (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    mark BLOB NOT NULL UNIQUE,              -- of tenant, user, agent
    name INTEGER NOT NULL,                  -- the same, in names
    head INTEGER NOT NULL,                  -- seq of the last message written
    folds INTEGER NOT NULL,                 -- number of the last fold made
    operation INTEGER NOT NULL DEFAULT 0,   -- number of the last edit, cut, fork or removal
    generation INTEGER NOT NULL             -- see rows.Cursor
);

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,   -- in the order they were made
    owner INTEGER NOT NULL, mark BLOB NOT NULL, name INTEGER NOT NULL,
    length INTEGER NOT NULL, messages INTEGER NOT NULL, revision INTEGER NOT NULL,
    parent INTEGER,
    UNIQUE (owner, mark)
);

-- Role and name of whoever speaks: few for an owner, many times each.
CREATE TABLE speakers (
    id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, mark BLOB NOT NULL, name INTEGER NOT NULL,
    UNIQUE (owner, mark)
);

CREATE TABLE messages (
    owner INTEGER NOT NULL, seq INTEGER NOT NULL,
    uid BLOB NOT NULL,                      -- random, for the tombstone
    text INTEGER NOT NULL, speaker INTEGER NOT NULL,
    session INTEGER NOT NULL,               -- its home: the session it was written to, while there
    previous INTEGER NOT NULL,              -- the seq before it at home, 0 for none
    replaces INTEGER NOT NULL,              -- the seq that it replaced by an edit, 0 for none
    at INTEGER NOT NULL, recorded INTEGER NOT NULL, tokens INTEGER NOT NULL,
    key BLOB,                               -- mark of the idempotency key
    question INTEGER NOT NULL, first_person INTEGER NOT NULL,
    gone INTEGER,                           -- the operation by which it left its last session
    PRIMARY KEY (owner, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX messages_by_key ON messages (owner, key) WHERE key IS NOT NULL;
CREATE INDEX messages_gone ON messages (owner, gone) WHERE gone IS NOT NULL;

-- Which message stands where: a fork shares its parent's messages, an edit swaps one.
CREATE TABLE entries (
    owner INTEGER NOT NULL, session INTEGER NOT NULL, position INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (owner, session, position)
) WITHOUT ROWID;
CREATE INDEX entries_by_seq ON entries (owner, seq);

-- Only those of messages that stand in a session.
CREATE TABLE passages (
    owner INTEGER NOT NULL, seq INTEGER NOT NULL, part INTEGER NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, gram INTEGER NOT NULL, vector INTEGER,
    PRIMARY KEY (owner, seq, part)
) WITHOUT ROWID;
CREATE INDEX passages_pending ON passages (owner, seq, part) WHERE vector IS NULL;

CREATE TABLE folds (
    owner INTEGER NOT NULL, session INTEGER NOT NULL,
    level INTEGER NOT NULL, place INTEGER NOT NULL, number INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, summary INTEGER NOT NULL,
    PRIMARY KEY (owner, session, level, place)
) WITHOUT ROWID;

-- What people did to their memory. ``subject`` and ``object`` are numbers: see base.record.
CREATE TABLE operations (
    owner INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
    kind TEXT NOT NULL, session INTEGER, subject INTEGER NOT NULL, object INTEGER NOT NULL,
    PRIMARY KEY (owner, number)
) WITHOUT ROWID;

-- What was erased, by random id or keyed hash; for an owner, the numbers that it had used.
CREATE TABLE tombstones (
    mark BLOB PRIMARY KEY, at INTEGER NOT NULL,
    head INTEGER NOT NULL DEFAULT 0, folds INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
"""

_V2 = """
-- Where sessions were said to have ended.
CREATE TABLE ends (
    owner INTEGER NOT NULL, session INTEGER NOT NULL, position INTEGER NOT NULL,
    PRIMARY KEY (owner, session, position)
) WITHOUT ROWID;

-- Where segments ended when they were folded: they are cut there again.
CREATE TABLE borders (
    owner INTEGER NOT NULL, session INTEGER NOT NULL, position INTEGER NOT NULL,
    PRIMARY KEY (owner, session, position)
) WITHOUT ROWID;
INSERT INTO borders SELECT owner, session, last + 1 FROM folds WHERE level = 1;

-- What models answered, by a mark of what they were asked; the answer is in summaries.
CREATE TABLE outputs (
    owner INTEGER NOT NULL, mark BLOB NOT NULL, session INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, summary INTEGER NOT NULL,
    PRIMARY KEY (owner, mark, session)
) WITHOUT ROWID;
CREATE INDEX outputs_by_session ON outputs (owner, session, last);

-- What models have cost.
CREATE TABLE spent (
    owner INTEGER PRIMARY KEY, calls INTEGER NOT NULL, failures INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, seconds REAL NOT NULL
);
"""

MIGRATIONS: tuple[str, ...] = (_V1, _V2)
VERSION = len(MIGRATIONS)


def _version(db: apsw.Connection, path: str) -> int:
    """Version of the schema, 0 for an empty file; the caller holds a transaction."""
    version = int(one(db, "PRAGMA user_version"))
    application = int(one(db, "PRAGMA application_id"))
    tables = int(one(db, "SELECT count(*) FROM sqlite_schema"))
    if not (tables or version or application):
        return 0
    if application != APPLICATION_ID:
        raise NotAMemfoldFile(f"{path} is a SQLite file, but not one of memfold's")
    if version > VERSION:
        raise NewerSchema(
            f"{path} has schema version {version}, this memfold knows {VERSION}; upgrade memfold"
        )
    return version


def migrate(db: apsw.Connection, path: str) -> None:
    """Bring the file up to VERSION; safe when several processes start at once.

    Raises NotAMemfoldFile for another application's file, NewerSchema for a later version;
    nothing is written then.
    """
    db.execute("BEGIN")
    try:
        version = _version(db, path)
    finally:
        db.execute("ROLLBACK")
    if version == VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[_version(db, path) :]:
            db.execute(step)
        # Keys the hashes, so that they cannot be matched across files.
        db.execute(
            "INSERT OR IGNORE INTO meta (name, value) VALUES ('salt', ?)",
            (secrets.token_bytes(32),),
        )
        db.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('waste', 0)")
        db.pragma("application_id", APPLICATION_ID)
        db.pragma("user_version", VERSION)
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise

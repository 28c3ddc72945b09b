"""What a store keeps, as plain values: the vocabulary of ``protocols.Store``.

Rows are one step below the public types: times are integers (microseconds since the Unix
epoch, UTC), message bodies are the bytes of their JSON, and messages are known by ``seq``,
their number within the owner, counted from 1 in the order they were written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One searchable part of a message's text.

    ``terms`` and ``header`` are arrays of 32-bit term ids, native ``array('I')`` bytes in
    little-endian order, repetitions kept: the passage's own words, and those of the speaker's
    name and the date. ``start`` and ``end`` are character offsets into the message's text.
    """

    part: int
    start: int
    end: int
    terms: bytes
    header: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A message to append.

    ``key`` makes the write idempotent within the owner. ``question`` says that the text only
    asks, ``first_person`` that it speaks of its author: the ranking prior reads both.
    """

    role: str
    name: str | None
    at: int
    recorded: int
    tokens: int
    body: bytes
    metadata: bytes
    key: str | None
    passages: tuple[Passage, ...]
    question: bool
    first_person: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """What is derived from one message's text, made anew."""

    seq: int
    passages: tuple[Passage, ...]
    question: bool
    first_person: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What became of one draft.

    ``known``: its key had been written before, ``seq`` is that message. ``erased``: what its
    key named was erased on purpose and is not brought back; ``seq`` is 0.
    """

    seq: int
    outcome: Literal["stored", "known", "erased"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """A message as read back; ``session`` and ``position`` are where the read looked for it."""

    seq: int
    session: str
    position: int
    role: str
    name: str | None
    at: int
    recorded: int
    tokens: int
    body: bytes
    metadata: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    """One passage with what ranking needs to know of its message.

    ``previous`` is the seq of the message before it in its session (0 when it is the first),
    ``tokens`` what the whole message costs, ``vector`` half-precision little-endian bytes, or
    None while it has not been made.
    """

    seq: int
    part: int
    previous: int
    session: str
    role: str
    name: str | None
    at: int
    start: int
    end: int
    terms: bytes
    header: bytes
    question: bool
    first_person: bool
    tokens: int
    vector: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """How far a reader of the index has come: last seq and last operation number.

    ``generation`` changes whenever earlier rows no longer hold (messages erased, passages or
    embedder replaced): the reader then starts anew.
    """

    seq: int = 0
    operation: int = 0
    generation: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexDelta:
    """What changed in an owner's index since a cursor; ``cursor`` is where to go on from.

    ``reset`` says that what was read before no longer holds and ``rows`` are all there is.
    ``gone`` are the seqs that left since then by an edit or a cut.
    """

    rows: tuple[IndexRow, ...]
    gone: tuple[int, ...]
    cursor: Cursor
    reset: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRef:
    """A passage whose vector is missing; ``body`` is its message's JSON."""

    seq: int
    part: int
    start: int
    end: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorRow:
    """A passage's vector, half-precision little-endian bytes."""

    seq: int
    part: int
    vector: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldRow:
    """A fold as kept: what planning reads, and ``body``, the JSON of the rest."""

    session: str
    level: int
    index: int
    first: int
    last: int
    body: bytes
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputRow:
    """What a model answered, kept so that what was made of it can be made again without it.

    ``key`` names the model and what it was asked; ``first`` and ``last`` are the positions whose
    messages it was asked about.
    """

    key: str
    first: int
    last: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """A session; ``messages`` counts them, times are None while it is empty.

    ``length`` is the position that the next message gets: erased messages leave a gap.
    ``newest`` is the seq of its last message, 0 while it is empty. ``revision`` changes with
    every edit, cut or erasure in it, not with an append. ``ends`` are
    the positions at which it was said to have ended: that of the message which came next, if any.
    """

    id: str
    messages: int
    length: int
    revision: int
    began: int | None
    last: int | None
    parent: str | None
    newest: int
    ends: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What a store holds for a scope."""

    sessions: int
    messages: int
    tokens: int
    folds: int
    passages: int
    vectors: int

"""One owner's searchable memory, held in memory and brought up to date by deltas from the store.

Passages (parts of messages) are what words and vectors belong to; messages are what is found.
Nothing here depends on the order in which deltas arrived: an index that grew message by message
scores as one read whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memfold.recall.columns import Columns, Rows
from memfold.recall.postings import Postings
from memfold.rows import Cursor, IndexDelta, IndexRow, VectorRow

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class MemoryIndex:
    """Words, vectors and neighbours of one owner's live messages.

    ``messages`` and ``passages`` are columns; the words of passages are in ``body``, those of
    message headers (speaker, date) in ``header``. Rows are never moved: what left is not
    ``alive`` any more.
    """

    def __init__(self, dimension: int) -> None:
        """``dimension``: length of the vectors, 0 when there is no embedder."""
        self.cursor = Cursor()
        self.messages = Columns(
            seq=np.int64,
            at=np.int64,
            session=np.int32,
            role=np.int32,
            speaker=np.int32,
            question=np.bool_,
            first_person=np.bool_,
            named=np.bool_,
            alive=np.bool_,
            length=np.float32,
            header_length=np.float32,
            distinct=np.float32,
            tokens=np.int64,
            first=np.int64,
            previous=np.int64,
            next=np.int64,
        )
        self.passages = Columns(
            message=np.int64, start=np.int64, end=np.int64, length=np.float32, embedded=np.bool_
        )
        self.body = Postings()
        self.header = Postings()
        self.roles: dict[str, int] = {}
        self.speakers: dict[str, int] = {}
        self.names: set[str] = set()
        self.sessions: dict[str, int] = {}
        self._vectors = Rows(dimension)
        self._by_seq: dict[int, int] = {}
        self.without_vector = 0

    def __len__(self) -> int:
        """How many messages it holds, gone ones included."""
        return len(self.messages)

    @property
    def vectors(self) -> Floats:
        """One row a passage; zero where the vector has not been made."""
        return self._vectors.filled

    def apply(self, delta: IndexDelta) -> None:
        """Take in what changed. A delta with ``reset`` must go to a fresh index instead."""
        gone = [self._by_seq[seq] for seq in delta.gone if seq in self._by_seq]
        if gone:
            self._leave(gone)
        if delta.rows:
            self._add(delta.rows)
        self.cursor = delta.cursor

    def _leave(self, gone: Sequence[int]) -> None:
        """Let go of messages, and of all that is known only by them."""
        messages, passages = self.messages, self.passages
        alive, speaker = messages["alive"], messages["speaker"]
        alive[gone] = False
        # Backwards, so that of several (forks share a past) the line first written stays.
        linked = np.flatnonzero(alive & (messages["previous"] >= 0))[::-1]
        messages["next"][:] = -1
        messages["next"][messages["previous"][linked]] = linked
        heard = set(speaker[alive & messages["named"]].tolist())
        self.names = {name for name, code in self.speakers.items() if code in heard}
        self.without_vector = int(np.sum(~passages["embedded"] & alive[passages["message"]]))

    def _add(self, rows: Sequence[IndexRow]) -> None:
        starts = [i for i, row in enumerate(rows) if i == 0 or row.seq != rows[i - 1].seq]
        heads = [rows[i] for i in starts]
        base, first = len(self.messages), len(self.passages)
        lengths = np.array([len(row.terms) // 4 for row in rows], dtype=np.float32)
        self.messages.extend(
            seq=[row.seq for row in heads],
            at=[row.at for row in heads],
            session=[_code(self.sessions, row.session) for row in heads],
            role=[_code(self.roles, row.role) for row in heads],
            speaker=[_code(self.speakers, row.name or row.role) for row in heads],
            question=[row.question for row in heads],
            first_person=[row.first_person for row in heads],
            named=[bool(row.name) for row in heads],
            alive=np.ones(len(heads), dtype=np.bool_),
            length=np.add.reduceat(lengths, starts),
            header_length=[len(row.header) // 4 for row in heads],
            distinct=_distinct(rows, starts),
            tokens=[row.tokens for row in heads],
            first=[first + i for i in starts],
            previous=np.full(len(heads), -1),
            next=np.full(len(heads), -1),
        )
        counts = np.diff([*starts, len(rows)])
        self.passages.extend(
            message=np.repeat(np.arange(base, base + len(heads)), counts),
            start=[row.start for row in rows],
            end=[row.end for row in rows],
            length=lengths,
            embedded=[row.vector is not None for row in rows],
        )
        self.names.update(row.name for row in heads if row.name)
        self.body.add(first, [row.terms for row in rows])
        self.header.add(base, [row.header for row in heads])
        self._by_seq.update((row.seq, base + i) for i, row in enumerate(heads))
        self._link(base, heads)
        self._take_vectors(first, rows)

    def _link(self, base: int, heads: Sequence[IndexRow]) -> None:
        previous, following = self.messages["previous"], self.messages["next"]
        for at, row in enumerate(heads, base):
            before = self._by_seq.get(row.previous, -1) if row.previous else -1
            previous[at] = before
            # A fork's first message has the same one before it: the line first written stays.
            if before >= 0 and following[before] < 0:
                following[before] = at

    def _take_vectors(self, first: int, rows: Sequence[IndexRow]) -> None:
        self._vectors.grow(len(rows))
        self.without_vector += sum(row.vector is None for row in rows)
        width = 2 * self._vectors.filled.shape[1]
        made = [i for i, row in enumerate(rows) if row.vector is not None and width]
        if not made:
            return
        packed = b"".join(rows[i].vector or b"" for i in made)
        matrix = np.frombuffer(packed, dtype="<f2").reshape(len(made), -1)
        self._vectors.filled[np.array(made) + first] = matrix

    def take(self, rows: Sequence[VectorRow]) -> None:
        """Take in vectors made since their passages were indexed."""
        firsts, embedded = self.messages["first"], self.passages["embedded"]
        for row in rows:
            at = self._by_seq.get(row.seq)
            if at is None or not self.messages["alive"][at]:
                continue
            passage = int(firsts[at]) + row.part
            if not embedded[passage]:
                embedded[passage] = True
                self.without_vector -= 1
                self._vectors.filled[passage] = np.frombuffer(row.vector, dtype="<f2")

    def unembedded_span(self) -> tuple[int, int] | None:
        """First and last seq of the living messages with a passage without vector, or None."""
        if not self.without_vector:
            return None
        owners = self.passages["message"][~self.passages["embedded"]]
        seqs = self.messages["seq"][owners[self.messages["alive"][owners]]]
        return int(seqs.min()), int(seqs.max())


def _code(codes: dict[str, int], name: str) -> int:
    return codes.setdefault(name, len(codes))


def _distinct(rows: Sequence[IndexRow], starts: Sequence[int]) -> list[int]:
    """How many different terms each message has."""
    found: list[int] = []
    for i, start in enumerate(starts):
        end = starts[i + 1] if i + 1 < len(starts) else len(rows)
        raw = b"".join(row.terms for row in rows[start:end])
        found.append(len(set(np.frombuffer(raw, dtype="<u4").tolist())))
    return found

"""The parts memfold is built from, as small protocols that outsiders can implement.

Every store method takes a :class:`~memfold.types.Scope` and touches nothing outside its
owner (tenant, user, agent); there is no call without one but those of :class:`Admin`, which
are the operator's. All writes are atomic and on disk when they return. A backend proves
itself with ``memfold.testing.conformance``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from memfold.rows import (
    Appended,
    Counts,
    Cursor,
    Draft,
    FoldRow,
    IndexDelta,
    OutputRow,
    PassageRef,
    Reindexed,
    SessionRow,
    StoredMessage,
    VectorRow,
)
from memfold.types import JSON, Completion, Scope, Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TokenCounter(Protocol):
    """Counts tokens of a text as a model would."""

    @property
    def name(self) -> str:
        """Names the encoding; figures compare only within one."""
        ...

    def count(self, text: str) -> int:
        """Tokens in ``text``; never fails on odd text."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    @property
    def fingerprint(self) -> str:
        """Name, dimension and a hash of the weights: vectors compare only within one."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), dimension), each of length 1, for passages and queries."""
        ...


class Reranker(Protocol):
    """Judges how well passages answer a query, for the first few hits."""

    def scores(self, query: str, passages: Sequence[str]) -> Sequence[float] | None:
        """One score a passage, higher is better, or None to leave the order as it is."""
        ...


class LLM(Protocol):
    """A language model, for summaries and facts. It may be called from several threads."""

    @property
    def name(self) -> str:
        """The model's name; it is recorded with what the model made."""
        ...

    @property
    def context_tokens(self) -> int:
        """The most tokens that a prompt and its answer may have together."""
        ...

    def complete(
        self, messages: Sequence[JSON], *, max_tokens: int, schema: JSON | None = None
    ) -> Completion:
        """Answer a chat of OpenAI-style messages with at most ``max_tokens`` tokens.

        With ``schema`` (JSON Schema of an object) the model is asked for JSON of that shape, as
        well as its server can enforce it: the caller checks what comes back. Raises LLMError
        and its kinds, nothing else. A refusal, or an answer cut short, is not an error:
        ``Completion.finish`` says so.
        """
        ...


class Ledger(Protocol):
    """The conversation itself."""

    def append(self, scope: Scope, drafts: Sequence[Draft]) -> list[Appended]:
        """Append to the scope's session, creating it if need be.

        A draft whose key the owner has written before adds nothing and is ``known``; one
        whose key was erased is not brought back. Nothing is created when nothing is stored.
        Numbers go up by one and are never given out again, whatever is erased.
        """
        ...

    def known(self, scope: Scope, keys: Sequence[str]) -> list[Appended | None]:
        """What ``append`` would say of drafts with these keys; None where it would store one."""
        ...

    def edit(self, scope: Scope, seq: int, draft: Draft) -> Appended:
        """Put ``draft`` in the place of message ``seq`` in the scope's session.

        The replaced message stays in sessions forked before; folds over it are deleted. A
        key that the owner has written before changes nothing, as with ``append``.
        NotFound when the message is not there.
        """
        ...

    def cut(self, scope: Scope, position: int) -> list[int]:
        """End the scope's session before ``position``; returns the seqs that left it.

        Folds that reach ``position`` or beyond are deleted. NotFound without such a session.
        """
        ...

    def fork(self, scope: Scope, into: str, length: int) -> None:
        """Make session ``into`` of the positions below ``length`` of the scope's session.

        InvalidInput when ``into`` exists already, NotFound without such a session.
        """
        ...

    def end(self, scope: Scope) -> int:
        """Note that the scope's session has ended where it stands; returns that position.

        Noting it twice changes nothing, appending goes on as ever; a cut below takes the note
        along, a fork has those up to its length. NotFound without such a session.
        """
        ...

    def remove(self, scope: Scope, seqs: Sequence[int] | None) -> list[int]:
        """Erase messages for good, from every session, and all that was derived from them.

        None erases everything the scope names: its session, or the whole owner. Versions
        that an edit replaced go with what replaced them, unless a fork still holds them.
        Leaves tombstones without content. Returns the seqs that were there.
        """
        ...

    def read(self, scope: Scope, seqs: Sequence[int]) -> list[StoredMessage]:
        """The messages with these numbers, in the order asked for; unknown ones are left out.

        One that stands in no session any more (edited, cut off) has position -1.
        """
        ...

    def span(self, scope: Scope, first: int, last: int | None = None) -> list[StoredMessage]:
        """Positions ``first`` to ``last`` (inclusive; None: the end) of the scope's session."""
        ...

    def sessions(self, scope: Scope) -> list[SessionRow]:
        """The owner's sessions, oldest first; only the scope's own when it names one."""
        ...


class Derived(Protocol):
    """What was computed from the ledger: passages, vectors, folds. All of it can be rebuilt."""

    def index(self, scope: Scope, after: Cursor) -> IndexDelta:
        """Passages of live messages written since the cursor, and what left since then.

        Vectors are those of the store's current embedder.
        """
        ...

    def vectors(self, scope: Scope, first: int, last: int) -> list[VectorRow]:
        """Vectors of the current embedder for live messages ``first`` to ``last`` (seq)."""
        ...

    def without_vector(self, scope: Scope, after: int, limit: int) -> list[PassageRef]:
        """Up to ``limit`` passages with no vector of the current embedder, in order, of live
        messages whose seq is above ``after``.
        """
        ...

    def put_vectors(self, scope: Scope, rows: Sequence[VectorRow]) -> int:
        """Keep vectors of the current embedder; those of messages gone since are dropped."""
        ...

    def folds(self, scope: Scope, after: int = 0) -> list[FoldRow]:
        """The folds of the scope's session whose number is above ``after``, by number."""
        ...

    def borders(self, scope: Scope) -> list[int]:
        """Positions at which folds of level 1 that were ever put end (exclusive), in order.

        They outlive the folds, so that a session is cut in the same way again; a cut of the
        session takes those beyond it, a fork has those up to its length.
        """
        ...

    def put_folds(
        self, scope: Scope, rows: Sequence[FoldRow], revision: int, *, seen: int | None = None
    ) -> int:
        """Keep folds made from the scope's session as it stood at ``revision``.

        Returns how many were new; drops all when the session was revised meanwhile. One that
        exists already (same level and index) is kept. ``seen`` is the number of the last fold
        known to who made them: a row is dropped when a fold of its own or a lower level has come
        within its span since. To a row of level 0 that is any fold.
        """
        ...

    def replace_folds(
        self, scope: Scope, rows: Sequence[FoldRow], revision: int, *, seen: int | None = None
    ) -> int:
        """Put folds in the place of those of the same level and index, with new numbers.

        Folds of higher levels over their spans are deleted, and of level 0, which stands above
        all others. Returns how many were taken: none when the session was revised since
        ``revision``, and none that ``seen`` excludes as with ``put_folds``.
        """
        ...

    def output(self, scope: Scope, key: str) -> bytes | None:
        """What a model answered, if that is on record for the scope's owner."""
        ...

    def put_output(self, scope: Scope, row: OutputRow, revision: int) -> bool:
        """Record what a model answered about a span of the scope's session.

        It goes when a message of the span is edited, cut off or erased, and not otherwise.
        Returns False, and records nothing, when the session was revised since ``revision``.
        """
        ...

    def put_passages(self, scope: Scope, rows: Sequence[Reindexed]) -> None:
        """Replace what is derived from these messages' texts; their vectors go."""
        ...


class Admin(Protocol):
    """The operator's calls."""

    def owners(self) -> list[Scope]:
        """Every owner that has something stored."""
        ...

    def embedder(self) -> str:
        """Fingerprint of the embedder that the vectors belong to, '' before the first."""
        ...

    def use_embedder(self, fingerprint: str) -> None:
        """Make this embedder the current one; vectors of any other are deleted.

        From then on this store object reads and keeps vectors only while that embedder is
        the current one: when another process makes another current, it has none.
        """
        ...

    def counts(self, scope: Scope) -> Counts:
        """What is stored for the scope."""
        ...

    def spend(self, scope: Scope, usage: Usage) -> None:
        """Add to what models have cost the scope's owner; nothing when nothing is stored for it."""
        ...

    def spent(self, scope: Scope) -> Usage:
        """What models have cost the scope's owner."""
        ...

    def size(self) -> int:
        """Bytes on disk."""
        ...

    def drop_derived(self, scope: Scope) -> None:
        """Delete the owner's folds and vectors, to be made again from the ledger."""
        ...

    def close(self) -> None:
        """Release everything; later calls raise StoreClosed. Closing twice is fine."""
        ...


class Store(Ledger, Derived, Admin, Protocol):
    """A complete backend."""

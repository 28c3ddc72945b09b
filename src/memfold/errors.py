"""Every error memfold raises, as one tree.

::

    MemfoldError
    ├── InvalidInput            the caller's argument cannot be used (also a ValueError)
    │   ├── InvalidMessage      not a chat message memfold can keep
    │   ├── InvalidScope        an empty or malformed tenant, user, agent or session
    │   └── BudgetTooSmall      the obligatory part of a context does not fit
    ├── NotFound                no such id in this scope (also a LookupError)
    ├── ImportFailed            a file could be read only in part; says what was kept
    ├── MissingExtra            an optional dependency is absent; names the install command
    ├── EmbedderFailed          an embedder raised, or gave what are no vectors
    ├── LLMError                a language model gave no answer that can be used
    │   ├── LLMTimeout          none within the time allowed (also a TimeoutError)
    │   ├── LLMUnavailable      its server is down, unreachable or failing
    │   ├── LLMRateLimited      too many calls; says when to come back, where that is known
    │   ├── LLMRejected         wrong key, unknown model, bad request: trying again is useless
    │   └── LLMBadAnswer        an answer, but empty or malformed
    └── StoreError              the storage cannot be used
        ├── NotAMemfoldFile     a folder, no file at all, or some other file
        ├── NewerSchema         written by a newer memfold
        ├── StoreReadOnly       the file or its folder may be read, not written
        ├── StoreBusy           another process held the write lock for too long
        └── StoreClosed         used after close()
"""

from __future__ import annotations

import reprlib

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80


def shown(value: object) -> str:
    """``value`` for the text of an error: short, whatever it is and however deep."""
    try:
        return _SHORT.repr(value)
    except Exception:  # another's __repr__ may raise anything
        return f"<{type(value).__name__}>"


class MemfoldError(Exception):
    """Base of every error that memfold raises on purpose."""


class InvalidInput(MemfoldError, ValueError):
    """An argument cannot be used; nothing was written."""


class InvalidMessage(InvalidInput):
    """Not a chat message that can be kept; nothing of the batch was written."""


class InvalidScope(InvalidInput):
    """A tenant, user, agent or session name is empty or malformed."""


class BudgetTooSmall(InvalidInput):
    """The obligatory part of a context does not fit the budget.

    ``needed`` is the smallest ``max_tokens`` that would do, ``given`` what was asked for.
    """

    def __init__(self, *, needed: int, given: int) -> None:
        self.needed = needed
        self.given = given
        super().__init__(
            f"the obligatory part of the context needs {needed} tokens, max_tokens is {given}"
        )


class NotFound(MemfoldError, LookupError):
    """No such id in this scope."""


class ImportFailed(MemfoldError):
    """A file could be imported only in part.

    ``kept`` counts its messages that stand before ``line`` (1-based), where reading failed,
    and are in the memory now.
    """

    def __init__(self, reason: str, *, file: str, kept: int, line: int) -> None:
        self.reason = reason
        self.file = file
        self.kept = kept
        self.line = line
        super().__init__(f"{file}: line {line}: {reason} (messages kept before it: {kept})")


class MissingExtra(MemfoldError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, extra: str, package: str) -> None:
        self.extra = extra
        self.package = package
        super().__init__(
            f"{package} is not installed; install it with: pip install 'memfold[{extra}]'"
        )


class EmbedderFailed(MemfoldError):
    """An embedder raised, or gave what are no vectors; what it was asked about is stored."""


class LLMError(MemfoldError):
    """A language model gave no answer that can be used."""


class LLMTimeout(LLMError, TimeoutError):
    """No answer came within the time allowed, retries included."""


class LLMUnavailable(LLMError):
    """The server is down, unreachable or failing (5xx), after all retries."""


class LLMRateLimited(LLMError):
    """Too many calls (429), after all retries.

    ``retry_after`` is the number of seconds the server asked to wait, None when it named none.
    """

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(reason)


class LLMRejected(LLMError):
    """The request will never be served as it is (4xx): a wrong key, an unknown model.

    ``status`` is the HTTP status, None when it was refused before it was sent.
    """

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        self.status = status
        super().__init__(reason)

    @property
    def is_of_question(self) -> bool:
        """Whether it is due to what was asked, such as its length, and not to who asks."""
        return self.status in (400, 413, 422)


class LLMBadAnswer(LLMError):
    """The server answered, but the answer is empty, malformed or without choices."""


class StoreError(MemfoldError):
    """The storage cannot be used."""


class NotAMemfoldFile(StoreError):
    """The path is a folder, leads to no file, or holds something else."""


class NewerSchema(StoreError):
    """The file was written by a newer memfold; upgrade memfold to open it."""


class StoreReadOnly(StoreError):
    """The file or its folder may be read but not written; nothing was written."""


class StoreBusy(StoreError):
    """Another process held the write lock for longer than the time-out."""


class StoreClosed(StoreError):
    """The memory was used after ``close()``."""

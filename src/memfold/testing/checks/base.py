"""What the checks share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from memfold.protocols import Store


class StoreChecks(ABC):
    """Gives each check a new, empty store, and closes it afterwards."""

    @abstractmethod
    def make_store(self) -> Store:
        """A new, empty store; called once a check."""

    def open_again(self) -> Store | None:
        """A second store on what the first one keeps, as another process would open it.

        None where there is no such thing, as in memory; the checks that need one then pass.
        """
        return None

    @cached_property
    def store(self) -> Store:
        """The store of this check."""
        return self.make_store()

    @contextmanager
    def other(self) -> Iterator[Store | None]:
        """The second store, closed afterwards."""
        store = self.open_again()
        try:
            yield store
        finally:
            if store is not None:
                store.close()

    def teardown_method(self) -> None:
        """Close the store; pytest calls this after each check."""
        if "store" in self.__dict__:
            self.store.close()


@contextmanager
def raises(expected: type[Exception]) -> Iterator[None]:
    """The block has to raise this error."""
    try:
        yield
    except expected:
        return
    raise AssertionError(f"{expected.__name__} was not raised")

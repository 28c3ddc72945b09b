"""The checks that every store passes, whoever wrote it.

Subclass, say how a store is made, and let pytest collect the class::

    import pytest

    pytest.register_assert_rewrite("memfold.testing.checks")  # failures then show the values

    from memfold.testing.conformance import StoreConformance

    class TestMyStore(StoreConformance):
        @pytest.fixture(autouse=True)
        def folder(self, tmp_path):
            self.path = tmp_path / "memory"

        def make_store(self):
            return MyStore(self.path)

        def open_again(self):
            return MyStore(self.path)

The checks need nothing of pytest: they are methods named ``test_…`` without arguments, which
use plain ``assert`` (so not under ``python -O``). Another runner makes a new instance for each
and calls ``teardown_method()`` after it.
"""

from __future__ import annotations

from memfold.testing.checks.folds import FoldChecks
from memfold.testing.checks.histories import HistoryChecks
from memfold.testing.checks.index import IndexChecks
from memfold.testing.checks.isolation import IsolationChecks
from memfold.testing.checks.ledger import LedgerChecks
from memfold.testing.checks.lifecycle import LifecycleChecks
from memfold.testing.checks.outputs import OutputChecks
from memfold.testing.checks.removal import RemovalChecks
from memfold.testing.checks.revision import RevisionChecks
from memfold.testing.checks.vectors import VectorChecks


class StoreConformance(
    LedgerChecks,
    RevisionChecks,
    RemovalChecks,
    IndexChecks,
    VectorChecks,
    FoldChecks,
    OutputChecks,
    IsolationChecks,
    HistoryChecks,
    LifecycleChecks,
):
    """Everything that ``memfold.protocols.Store`` promises."""

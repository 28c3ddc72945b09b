import pytest

from memfold.stores.sqlite import SQLiteStore
from memfold.testing.conformance import StoreConformance


class TestSQLiteFile(StoreConformance):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.path = tmp_path / "memory.db"

    def make_store(self):
        return SQLiteStore(self.path)

    def open_again(self):
        return SQLiteStore(self.path)


class TestSQLiteInMemory(StoreConformance):
    def make_store(self):
        return SQLiteStore(":memory:")

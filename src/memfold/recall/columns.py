"""Arrays that grow at the end, doubling their room as they go."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Columns:
    """Named columns of equal length; ``columns["x"]`` is a view of the filled part."""

    def __init__(self, **dtypes: DTypeLike) -> None:
        self._dtypes = dtypes
        self._room = 0
        self._size = 0
        self._data: dict[str, NDArray[Any]] = {
            name: np.empty(0, dtype=dtype) for name, dtype in dtypes.items()
        }

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._data[name][: self._size]

    def extend(self, **values: Any) -> None:
        """Append rows: one sequence a column, all of one length."""
        count = len(next(iter(values.values())))
        end = self._size + count
        if end > self._room:
            self._room = max(64, end, 2 * self._room)
            for name, old in self._data.items():
                new = np.empty(self._room, dtype=self._dtypes[name])
                new[: self._size] = old[: self._size]
                self._data[name] = new
        for name, column in self._data.items():
            column[self._size : end] = values[name]
        self._size = end


class Rows:
    """A matrix that grows by rows; unset rows are zero."""

    def __init__(self, width: int) -> None:
        self._data: NDArray[np.float32] = np.zeros((0, width), dtype=np.float32)
        self._size = 0

    @property
    def filled(self) -> NDArray[np.float32]:
        """All rows so far, as a view."""
        return self._data[: self._size]

    def grow(self, count: int) -> None:
        """Append ``count`` zero rows."""
        end = self._size + count
        if end > len(self._data):
            # A quarter more, not double: at 2 KB a row the slack is what memory goes to.
            room = max(64, end, len(self._data) * 5 // 4)
            new = np.zeros((room, self._data.shape[1]), dtype=np.float32)
            new[: self._size] = self._data[: self._size]
            self._data = new
        self._size = end

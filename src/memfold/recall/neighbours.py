"""What stands around each message in its session, and how much that says about it.

In a conversation a line often makes sense only with the one it answers ("Yes, last Tuesday!").
How far a message leans on its neighbours is read from the text itself: a line by somebody else
counts more than one's own next remark, and a long text needs nobody to explain it and says
too much to explain others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.recall.index import Floats, Ints, MemoryIndex
from memfold.recall.sessions import Sessions, sessions_of

_OTHER_SPEAKER, _SAME_SPEAKER = 0.4, 0.1  # weight of a neighbour's words beside the own ones
_SMOOTHING = (1.0, 0.5)  # share of a direct and of a next-but-one neighbour's similarity
_SAME_SMOOTHING = 0.1
_B_OWN, _B_NEIGHBOURS = 0.5, 0.75  # BM25's b of the two fields
_SHORT = 40.0  # terms; up to here a message leans fully on its neighbours


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """What of the index does not depend on the question, worked out once after a change.

    For the offsets −1, −2, +1, +2, which message stands there, and its weights: ``at`` holds
    message numbers (0 where there is none; the weights are 0 there), ``words`` weighs a
    neighbour's term counts, ``vectors`` its similarity; ``total`` is one plus the sum of
    ``vectors``. ``own_norm`` (a passage) and ``near_norm`` (a message) are BM25's length norms
    of the own words and of the neighbours', 1 for an average length. ``living`` counts the
    messages that are alive, ``mean_length`` is theirs in terms, ``spread`` their standardised
    log number of different terms. ``lean`` is how far a message needs what stands around it, 0
    to 1, ``answers`` the same where the one before is somebody else's question. ``sessions`` is
    what there is to know of those.
    """

    at: Ints
    words: Floats
    vectors: Floats
    total: Floats
    own_norm: Floats
    near_norm: Floats
    living: int
    mean_length: float
    spread: Floats
    lean: Floats
    answers: Floats
    sessions: Sessions


def _second(first: Ints) -> Ints:
    """The next but one, −1 where there is none."""
    return np.where(first >= 0, first[first], -1)


def neighbours(index: MemoryIndex) -> Neighbours:
    """Read the neighbourhood of every message of ``index``."""
    messages = index.messages
    previous, following = messages["previous"], messages["next"]
    at = np.stack([previous, _second(previous), following, _second(following)])
    there = at >= 0
    at = np.where(there, at, 0)
    speaker, length = messages["speaker"], messages["length"]
    other: NDArray[np.bool_] = speaker[at] != speaker
    words = np.where(there, np.where(other, _OTHER_SPEAKER, _SAME_SPEAKER), 0.0)
    lean = np.minimum(1.0, (_SHORT / np.maximum(length, 1.0)) ** 2)
    near, far = _SMOOTHING
    share = np.array([near, far, near, far])[:, None] * np.where(other, 1.0, _SAME_SMOOTHING)
    vectors = np.where(there, share * lean * lean[at], 0.0)
    alive = messages["alive"]
    nearby = np.where(there, length[at], 0.0).sum(axis=0)
    return Neighbours(
        at=at,
        words=words.astype(np.float32),
        vectors=vectors.astype(np.float32),
        total=(1.0 + vectors.sum(axis=0)).astype(np.float32),
        own_norm=_own_norm(index),
        near_norm=_norm(nearby, alive, _B_NEIGHBOURS),
        living=int(alive.sum()),
        mean_length=float(length[alive].mean()) if alive.any() else 0.0,
        spread=standardise(np.log(2.0 + messages["distinct"]), alive),
        lean=lean.astype(np.float32),
        answers=(lean * (there[0] & other[0] & messages["question"][at[0]])).astype(np.float32),
        sessions=sessions_of(index),
    )


def _own_norm(index: MemoryIndex) -> Floats:
    owner = index.passages["message"]
    lengths = index.passages["length"] + index.messages["header_length"][owner]
    return _norm(lengths, index.messages["alive"][owner], _B_OWN)


def _norm(lengths: NDArray[np.floating], alive: NDArray[np.bool_], b: float) -> Floats:
    mean = max(float(lengths[alive].mean()), 1.0) if alive.any() else 1.0
    return (1 - b + b * lengths / mean).astype(np.float32)


def standardise(values: NDArray[np.floating], alive: NDArray[np.bool_]) -> Floats:
    """Subtract the mean and divide by the deviation of the living; zeros when all are alike."""
    living = values if alive.all() else values[alive]
    if not len(living):
        return np.zeros(len(values), dtype=np.float32)
    mean = living.mean(dtype=np.float64)
    deviation = float(living.std(dtype=np.float64))
    if deviation <= 1e-9:
        return np.zeros(len(values), dtype=np.float32)
    result: Floats = ((values - mean) / deviation).astype(np.float32)
    return result

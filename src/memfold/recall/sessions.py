"""What a message's session says about it: on one occasion people mostly speak of few things.

A question often names what only the messages around its answer name, farther off than neighbours
are ("the conference that I mentioned": where, in one remark; with whom, in another).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.recall.index import Floats, Ints, MemoryIndex

_K1, _B = 1.0, 0.75  # BM25's, for a session's words as one text
_MOST = 8.0  # deviations beyond which a message stands out no further


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """What of the sessions does not depend on the question.

    ``of`` is the session of each message. By session: ``sizes`` counts its living messages (1
    where none lives, for dividing by), ``norm`` is BM25's length norm of what they say. ``living``
    counts the sessions with a living message.
    """

    of: Ints
    sizes: Floats
    norm: Floats
    living: int


def sessions_of(index: MemoryIndex) -> Sessions:
    """Read the sessions of ``index``."""
    messages = index.messages
    of, alive = messages["session"], messages["alive"]
    count = len(index.sessions)
    sizes = np.bincount(of, weights=alive, minlength=count)
    lengths = np.bincount(of, weights=np.where(alive, messages["length"], 0.0), minlength=count)
    living = int(np.count_nonzero(sizes))
    mean = max(float(lengths.sum()) / max(living, 1), 1.0)
    return Sessions(
        of=of,
        sizes=np.maximum(sizes, 1.0).astype(np.float32),
        norm=(1 - _B + _B * lengths / mean).astype(np.float32),
        living=living,
    )


def told(counts: Floats, sessions: Sessions) -> Floats:
    """What one term of the question says for each session, given its count in each message."""
    inside = np.bincount(sessions.of, weights=counts, minlength=len(sessions.sizes))
    holders = int(np.count_nonzero(inside))
    idf = float(np.log1p((sessions.living - holders + 0.5) / (holders + 0.5)))
    weight = inside / sessions.norm
    return (idf * (_K1 + 1) * weight / (weight + _K1)).astype(np.float32)


def company(relevance: Floats, alive: NDArray[np.bool_], sessions: Sessions) -> Floats:
    """How far the other messages of its session stand out, for each message.

    ``relevance`` is in deviations. The logarithm of the mean of its exponential, so that a few
    that stand out count, not many that are passable; the message itself counts as average.
    """
    strength = np.where(alive, np.exp(np.minimum(relevance, _MOST)), 0.0)
    total = np.bincount(sessions.of, weights=strength, minlength=len(sessions.sizes))
    others = np.maximum(total[sessions.of] - strength, 0.0) + 1.0
    return np.log(others / sessions.sizes[sessions.of]).astype(np.float32)

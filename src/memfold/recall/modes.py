"""The published scores that memfold's own can be compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from memfold.protocols import TokenCounter
from memfold.recall.index import Floats, MemoryIndex
from memfold.text.entities import EntityExtractor
from memfold.text.importance import five_factor, on_ten
from memfold.types import Hit

_DECAY = 0.995  # per hour: Park et al. 2023, "Generative Agents", section 4.1
_TAU = 3600.0 * 1_000_000  # microseconds: the time decay's default, one hour


def time_decay(relevance: Floats, index: MemoryIndex, *, now: int) -> dict[str, Floats]:
    """relevance · exp(−Δt / τ) with τ = 3600 s; relevance is scaled to 0..1 first.

    The logarithm of the decay keeps old messages apart that the exponential would round to 0.
    """
    alive = index.messages["alive"]
    living = relevance[alive]
    low, high = (float(living.min()), float(living.max())) if len(living) else (0.0, 0.0)
    scaled = (relevance - low) / (high - low) if high > low else np.ones_like(relevance)
    age = np.maximum(0, now - index.messages["at"]) / _TAU
    decayed = np.log(np.maximum(scaled, 1e-6)) - age
    return {"relevance": scaled.astype(np.float32), "decayed": decayed.astype(np.float32)}


def generative_agents(hits: Sequence[Hit], *, now: datetime, counter: TokenCounter) -> list[Hit]:
    """Order candidates by recency + importance + relevance, each min–max scaled over them.

    Recency is 0.995 to the power of the hours since the message, importance 1 to 10 (the
    five-factor score stands for the paper's question to a model), relevance the cosine.
    """
    if not hits:
        return []
    extractor = EntityExtractor()
    hours = np.array([max(0.0, (now - hit.message.at).total_seconds() / 3600) for hit in hits])
    importance = np.array([_importance(hit, extractor, counter) for hit in hits])
    relevance = np.array([hit.parts.get("dense", hit.parts.get("lexical", 0.0)) for hit in hits])
    parts = {
        "recency": _scaled(_DECAY**hours),
        "importance": _scaled(importance),
        "relevance": _scaled(relevance),
    }
    scores = sum(parts.values(), start=np.zeros(len(hits)))
    scored = [
        replace(
            hit,
            score=float(scores[at]),
            parts={name: float(values[at]) for name, values in parts.items()},
        )
        for at, hit in enumerate(hits)
    ]
    return sorted(scored, key=lambda hit: -hit.score)


def _importance(hit: Hit, extractor: EntityExtractor, counter: TokenCounter) -> float:
    message = hit.message
    entities = len({entity.key for entity in extractor.extract(message.text)})
    tokens = counter.count(message.text)
    return on_ten(five_factor(message.text, role=message.role, tokens=tokens, entities=entities))


def _scaled(values: np.ndarray) -> np.ndarray:
    spread = values.max() - values.min()
    return (values - values.min()) / spread if spread > 0 else np.zeros_like(values)

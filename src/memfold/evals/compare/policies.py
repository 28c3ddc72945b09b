"""The strategies by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memfold.evals.compare.plain import ChunkBank, Full, VectorOnly, Window
from memfold.evals.compare.policy import Build
from memfold.evals.compare.remembering import GenerativeAgents, Memfold
from memfold.evals.compare.running import RecursiveSummary
from memfold.evals.compare.tree import SummaryOnly

POLICIES: Final[Mapping[str, Build]] = {
    "full": Full,
    "window": Window,
    "recursive-summary": RecursiveSummary,
    "summary-only": SummaryOnly,
    "vector-only": VectorOnly,
    "generative-agents": GenerativeAgents,
    "chunk-bank": ChunkBank,
    "memfold": Memfold,
}

FOLDING: Final = frozenset({"recursive-summary", "summary-only", "memfold"})
"""Those in whose contexts folds stand: drift says something of them."""

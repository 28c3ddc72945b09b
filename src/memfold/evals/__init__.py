"""Benchmarks on published data and of speed: what ``memfold bench`` runs.

>>> from memfold import evals
>>> dataset = evals.load("locomo", "locomo10.json", limit=60)  # doctest: +SKIP
>>> evals.print_report(evals.run(dataset))  # doctest: +SKIP
"""

from __future__ import annotations

import os
from typing import Any

from memfold.evals.agents import ROOMS, agents, transcripts
from memfold.evals.compare import POLICIES, Models, compare, comparison_page, print_comparison
from memfold.evals.crosslingual import pairs
from memfold.evals.dataset import Case, Dataset, History, Item, Question
from memfold.evals.folds import folds, print_folds
from memfold.evals.folds.talks import samples
from memfold.evals.prefix import prefixes
from memfold.evals.profiles import BUDGETS, Containment
from memfold.evals.readers import READERS, detect, load
from memfold.evals.report import print_agents, print_prefixes, print_report, print_speed
from memfold.evals.run import run
from memfold.evals.speed import SIZES, speed
from memfold.evals.stretches import BUDGETS as STRETCH_BUDGETS
from memfold.evals.stretches import stretches as cut
from memfold.evals.subject import STRATEGIES, Strategy
from memfold.evals.tally import Progress

__all__ = [
    "BUDGETS",
    "POLICIES",
    "READERS",
    "ROOMS",
    "SIZES",
    "STRATEGIES",
    "Case",
    "Containment",
    "Dataset",
    "History",
    "Item",
    "Models",
    "Progress",
    "Question",
    "Strategy",
    "agents",
    "compare",
    "comparison_page",
    "crosslingual",
    "detect",
    "folds",
    "load",
    "prefixes",
    "print_agents",
    "print_comparison",
    "print_folds",
    "print_prefixes",
    "print_report",
    "print_speed",
    "run",
    "samples",
    "speed",
    "stretches",
    "transcripts",
]


def stretches(
    path: str | os.PathLike[str],
    *,
    strategy: Strategy = "memfold",
    limit: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """How much evidence 500 tokens hold of each 100 messages in a LoCoMo file.

    The result has the form of :func:`run`'s. Raises InvalidInput as ``load`` and ``run`` do.
    """
    dataset = cut(load("locomo", path))
    return run(dataset, strategy=strategy, budgets=STRETCH_BUDGETS, limit=limit, progress=progress)


def crosslingual(
    *, strategy: Strategy = "memfold", progress: Progress | None = None
) -> dict[str, Any]:
    """How often a fact told in one language is found by a question in the other.

    The result has the form of :func:`run`'s.
    """
    return run(pairs(), strategy=strategy, progress=progress)

"""Ways to fit a history into a budget of tokens, compared on the same questions."""

from __future__ import annotations

from memfold.evals.compare.counting import Models
from memfold.evals.compare.page import comparison_page
from memfold.evals.compare.policies import POLICIES
from memfold.evals.compare.report import print_comparison
from memfold.evals.compare.run import compare

__all__ = ["POLICIES", "Models", "compare", "comparison_page", "print_comparison"]

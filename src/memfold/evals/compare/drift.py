"""What of a conversation's beginning is left after it has been folded again and again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from memfold.evals.compare.policy import Tools
from memfold.evals.compare.running import SEGMENT, Running
from memfold.evals.compare.tree import Tree
from memfold.evals.dataset import Case
from memfold.fold.config import FoldConfig
from memfold.text.entities import Entity, retained

ROUNDS: Final = 5
FAN_OUT: Final = 2
"""Folds that make one of the next level: so few that five levels need some 160 messages only."""
LIMIT: Final = 200
"""Tokens of the running summary: those of a fold of level 1."""
CHAPTER: Final = 100
"""Tokens of the one that stands for as much as the tree's fold: those of a higher level."""
RUNNING, AS_FAR, TREE, EXPANDED = "running_summary", "running_as_far", "tree", "expanded"
WAYS: Final = (RUNNING, AS_FAR, TREE, EXPANDED)
LENGTH: Final = SEGMENT * FAN_OUT ** (ROUNDS - 1) * 3 // 2
"""Messages of a stretch: segments vary in length."""
_DIGITS: Final = 4


class Drift:
    """Follows the protected details of first segments through five rounds.

    Each conversation is cut into stretches of ``LENGTH`` messages, which are folded each by itself.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._config = FoldConfig(window=0, fan_out=FAN_OUT)
        self._found: Mapping[str, list[list[float]]] = {
            way: [[] for _ in range(ROUNDS)] for way in WAYS
        }

    def add(self, case: Case) -> None:
        """Fold the stretches of a conversation."""
        items = case.items
        for first in range(0, max(len(items) - LENGTH, 0) + 1, LENGTH):
            tree = Tree(items[first : first + LENGTH], self._tools, self._config)
            try:
                self._follow(tree)
            finally:
                tree.close()

    def _follow(self, tree: Tree) -> None:
        spans = [(fold.first, fold.last) for fold in tree.folds if fold.level == 1]
        messages = tree.messages()
        parts = [messages[first : last + 1] for first, last in spans]
        said = "\n|\n".join(message.text for message in parts[0]) if parts else ""
        wanted = self._tools.extractor.extract(said)
        if not wanted:
            return  # there is nothing to lose
        running = Running(self._tools, LIMIT)
        for number, part in enumerate(parts[:ROUNDS]):
            running.add(part)
            self._note(RUNNING, number, wanted, running.text)
        as_far = Running(self._tools, CHAPTER)
        reached = {FAN_OUT**number: number for number in range(ROUNDS)}
        for told, part in enumerate(parts[: FAN_OUT ** (ROUNDS - 1)], start=1):
            as_far.add(part)
            if told in reached:
                self._note(AS_FAR, reached[told], wanted, as_far.text)
        for number, own, whole in _levels(tree):
            self._note(TREE, number, wanted, own)
            self._note(EXPANDED, number, wanted, whole)

    def summary(self) -> dict[str, Any]:
        """By way, the share after each round; None where no stretch is long enough."""
        return {
            "stretches": len(self._found[RUNNING][0]),
            "fan_out": FAN_OUT,
            **{
                way: [round(fmean(each), _DIGITS) if each else None for each in rounds]
                for way, rounds in self._found.items()
            },
        }

    def _note(self, way: str, number: int, wanted: Sequence[Entity], text: str) -> None:
        share = len(retained(wanted, text)) / len({entity.key for entity in wanted})
        self._found[way][number].append(share)


def _levels(tree: Tree) -> Iterator[tuple[int, str, str]]:
    """Of each level the first fold: its text, and the messages that ``expand`` gives for it."""
    for fold in tree.folds:
        if fold.index == 0 and 1 <= fold.level <= ROUNDS:
            whole = "\n".join(message.text for message in tree.expand(fold))
            yield fold.level - 1, fold.text, whole

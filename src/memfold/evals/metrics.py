"""The figures of a benchmark: of one question, and their averages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memfold.evals.dataset import Question
from memfold.evals.profiles import HIT_AT, RECALL_AT, SESSIONS_AT, Profile
from memfold.evals.shown import Shown

Figures = Mapping[tuple[str, str], float]
"""The figures of one question: (metric, at what) to a share between 0 and 1."""

_DIGITS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What a system made of one question.

    ``ranked`` are ids of items, best first, None when the system does not rank; ``sessions``
    those of their sessions, each once, in the same order. ``contexts`` maps budgets to what was
    shown within them.
    """

    ranked: Sequence[str] | None
    sessions: Sequence[str]
    contexts: Mapping[int, Shown]


def figures(
    question: Question, outcome: Outcome, texts: Mapping[str, str], profile: Profile
) -> dict[tuple[str, str], float]:
    """Score one question; ``texts`` holds the text of every item of the case."""
    found = _retrieval(question, outcome, profile) if outcome.ranked is not None else {}
    for budget, shown in outcome.contexts.items():
        found["evidence_in_context", str(budget)] = float(
            all(
                shown.holds(texts[id], question.answer, rule=profile.containment)
                for id in question.evidence
            )
        )
        if question.answer and question.category in profile.answers:
            dated = question.category in profile.dates
            answered = shown.answers(question.answer, dated=dated)
            found["answer_in_context", str(budget)] = float(answered)
    return found


def _retrieval(
    question: Question, outcome: Outcome, profile: Profile
) -> dict[tuple[str, str], float]:
    ranked = outcome.ranked or ()
    wanted = set(question.evidence)
    found: dict[tuple[str, str], float] = {}
    for k in RECALL_AT:
        share = len(wanted.intersection(ranked[:k])) / len(wanted)
        found["evidence_recall", str(k)] = share
        found["all_recall", str(k)] = float(share == 1)
    if profile.hit:
        for k in HIT_AT:
            found["hit", str(k)] = float(not wanted.isdisjoint(ranked[:k]))
    if profile.sessions and question.answer_sessions:
        for k in SESSIONS_AT:
            reached = set(question.answer_sessions).issubset(outcome.sessions[:k])
            found["session_all", str(k)] = float(reached)
    return found


def averages(all_figures: Iterable[Figures]) -> dict[str, dict[str, float]]:
    """The mean of every figure over the questions that have it, by metric and "at what"."""
    values: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for one in all_figures:
        for key, value in one.items():
            values[key].append(value)
    found: dict[str, dict[str, float]] = {}
    for (metric, at), each in values.items():
        found.setdefault(metric, {})[at] = round(sum(each) / len(each), _DIGITS)
    return found


def by_category(
    questions: Sequence[Question], all_figures: Sequence[Figures]
) -> dict[str, dict[str, Any]]:
    """The averages of each category, with its number of questions, in the categories' order."""
    groups: defaultdict[str, list[Figures]] = defaultdict(list)
    for question, one in zip(questions, all_figures, strict=True):
        groups[question.category].append(one)
    return {
        category: {"questions": len(groups[category]), **averages(groups[category])}
        for category in sorted(groups)
    }


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which ``share`` of the values lie, interpolated; 0 when there are none."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])

"""The demo's score: every question of the samples, with the baselines beside memfold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memfold import evals
from memfold.cli.console import Progress
from memfold.cli.demo.story import Sample, Story
from memfold.protocols import Embedder
from memfold.text.chat import readable

BUDGETS: Final = (500, 1000, 2000)
SYSTEMS: Final = ("memfold", "bm25", "window", "full")

_METRIC: Final = "evidence_in_context"


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """Shares of questions, by system and budget, of one language."""

    language: str
    questions: int
    history_tokens: int
    shares: Mapping[str, Mapping[int, float]]


def scores(stories: Iterable[Story], *, embedder: Embedder, progress: Progress) -> list[Score]:
    """Run every question of each story's sample, as ``memfold bench`` would."""
    return [_score(story, embedder, progress) for story in stories]


def _score(story: Story, embedder: Embedder, progress: Progress) -> Score:
    sample = story.sample
    result = evals.run(
        dataset(sample),
        budgets=BUDGETS,
        containment="excerpt",
        embedder=embedder,
        progress=progress,
    )
    systems = {"memfold": result, **result["baselines"]}
    return Score(
        language=sample.language,
        questions=result["questions"],
        # As messages, like everywhere in the demo; the baseline's lines have dates too.
        history_tokens=story.tokens,
        shares={
            name: {budget: systems[name][_METRIC][str(budget)] for budget in BUDGETS}
            for name in SYSTEMS
        },
    )


def dataset(sample: Sample) -> evals.Dataset:
    """A sample as a data set of one history."""
    items = tuple(
        evals.Item(
            id=told["id"],
            session="demo",
            role=told["role"],
            text=readable(message),
            at=datetime.fromisoformat(told["time"]),
            message=message,
        )
        for told, message in zip(sample.messages, sample.chat(), strict=True)
    )
    questions = tuple(
        evals.Question(
            id=each["id"],
            text=each["question"],
            category=each["kind"],
            evidence=tuple(each["evidence"]),
            asked_at=sample.asked_at,
            answer=each["answer"],
        )
        for each in sample.questions
    )
    history = evals.History(id="demo", items=items)
    case = evals.Case(id=f"demo-{sample.language}", sessions=(history,), questions=questions)
    return evals.Dataset(name=f"demo-{sample.language}", files={}, cases=(case,))

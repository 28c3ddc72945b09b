"""The demo's figures as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memfold.cli.demo.scoreboard import Score
from memfold.cli.demo.story import Asked, Crossed, Story
from memfold.cli.forms import context_form


def story_form(story: Story, asked: Asked, others: Sequence[Asked]) -> dict[str, Any]:
    """One language: what happened, the window, the outline, and the questions."""
    gone = story.evidence(story.sample.questions[0])[0]
    outline = story.outline()
    return {
        "title": story.sample.title,
        "messages": len(story.messages),
        "days": story.days,
        "tokens": story.tokens,
        "tool_results": story.tools,
        "stored_seconds": round(story.stored_seconds, 3),
        "derived_seconds": round(story.derived_seconds, 3),
        "window": {
            "messages": [message.id for message in story.window],
            "holds_the_evidence": gone in story.window,
        },
        "outline": [
            {
                "id": fold.id,
                "level": fold.level,
                "first": fold.first,
                "last": fold.last,
                "tokens": fold.tokens,
                "source_tokens": fold.source_tokens,
                "text": fold.text,
            }
            for fold in outline
        ],
        "question": {**asked_form(asked), "context": context_form(asked.context)},
        "other_questions": [asked_form(each) for each in others],
    }


def asked_form(asked: Asked) -> dict[str, Any]:
    """A question and what its context cost."""
    trace = asked.context.trace
    return {
        "question": asked.question,
        "answer": asked.answer,
        "kind": asked.kind,
        "evidence": [{"id": each.id, "shown": each.shown} for each in asked.evidence],
        "found": asked.found,
        "tokens": asked.context.tokens,
        "full_tokens": trace.full_tokens,
        "by_section": dict(trace.by_section),
        "milliseconds": round(asked.milliseconds, 1),
    }


def score_form(score: Score) -> dict[str, Any]:
    """The share of questions answered, by system and budget."""
    return {
        "questions": score.questions,
        "history_tokens": score.history_tokens,
        "evidence_in_context": {
            name: {str(budget): share for budget, share in shares.items()}
            for name, shares in score.shares.items()
        },
    }


def crossed_form(crossed: Crossed) -> dict[str, Any]:
    """A question in one language, asked of the other's memory."""
    return {
        "question": crossed.question,
        "fact": crossed.fact,
        "rank": crossed.rank or None,
        "messages": crossed.messages,
    }

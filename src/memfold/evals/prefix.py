"""How much of each prompt a provider has seen before: the unchanged beginning, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from statistics import fmean
from typing import Any, Final

from memfold import Memory, Session
from memfold.evals.dataset import Case, Dataset, Item
from memfold.evals.tally import Progress
from memfold.protocols import TokenCounter
from memfold.text.tokens import TiktokenCounter
from memfold.types import JSON

MESSAGES: Final = 200
"""Messages of the session that is gone through."""

BUDGET: Final = 4_000
"""Tokens of each context."""

_TURN = timedelta(minutes=1)  # from one message to the next: a session without a pause


def prefixes(
    dataset: Dataset,
    *,
    messages: int = MESSAGES,
    budget: int = BUDGET,
    limit: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure the share of each prompt's tokens that stood at the beginning of the one before.

    The first ``messages`` of each case are told as one session, a minute apart, with a context of
    at most ``budget`` tokens for each message of whoever spoke first. ``window`` is the same for
    a prompt of the newest messages that fit. The mean is over all prompts but the first.
    """
    counter = TiktokenCounter()
    cases = dataset.cases[:limit]
    shares: list[float] = []
    later: list[float] = []
    window: list[float] = []
    used: list[int] = []
    for number, case in enumerate(cases):
        prompts, plain = _prompts(case, messages, budget, counter)
        found = [_kept(one, two, counter) for one, two in pairwise(prompts)]
        shares += found
        later += found[len(found) // 2 :]
        window += [_kept(one, two, counter) for one, two in pairwise(plain)]
        used += [counter.count("".join(prompt)) for prompt in prompts]
        if progress is not None:
            progress(number + 1, len(cases))
    return {
        "dataset": dataset.name,
        "sessions": len(cases),
        "prompts": len(used),
        "budget": budget,
        "unchanged_prefix": round(fmean(shares), 3),
        "unchanged_prefix_second_half": round(fmean(later), 3),
        "unchanged_prefix_window": round(fmean(window), 3),
        "tokens": round(fmean(used)),
    }


def _prompts(
    case: Case, messages: int, budget: int, counter: TokenCounter
) -> tuple[list[list[str]], list[list[str]]]:
    """The prompts of a session as lists of texts, memfold's and those of the newest messages."""
    items = [item for history in case.sessions for item in history.items][:messages]
    prompts: list[list[str]] = []
    plain: list[list[str]] = []
    with Memory(counter=counter, background=False) as memory:
        session = memory.user("bench").session("one")
        for number, item in enumerate(items):
            at = items[0].at + number * _TURN
            if number and item.speaker == items[0].speaker and item.role == items[0].role:
                prompts.append(_asked(session, item, budget, at))
                plain.append(_newest(items[: number + 1], budget, counter))
            session.extend([item.message], at=at)
    return prompts, plain


def _asked(session: Session, item: Item, budget: int, at: Any) -> list[str]:
    context = session.context({"role": "user", "content": item.text}, max_tokens=budget, now=at)
    return [_text(message) for message in context.messages]


def _newest(items: Sequence[Item], budget: int, counter: TokenCounter) -> list[str]:
    texts: list[str] = []
    room = budget
    for item in reversed(items):
        text = _text(item.message)
        room -= counter.count(text)
        if room < 0:
            break
        texts.append(text)
    return texts[::-1]


def _text(message: JSON) -> str:
    return json.dumps(message, ensure_ascii=False, sort_keys=True) + "\n"


def _kept(before: Sequence[str], now: Sequence[str], counter: TokenCounter) -> float:
    """Share of the tokens of a prompt that begin it as they began the one before."""
    one, two = "".join(before), "".join(now)
    same = next(
        (at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b),
        min(len(one), len(two)),
    )
    return counter.count(two[:same]) / max(counter.count(two), 1)

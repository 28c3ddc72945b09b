"""Having a fold written by a model: what to ask, what to take, and what to try next.

No model is called here. :func:`climb` is a generator: it yields what to ask, is sent the answer
or the error that came instead, and returns the fold. So whoever calls models, and however, the
decisions are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from memfold.errors import LLMBadAnswer, LLMError
from memfold.fold.config import RUNNING
from memfold.fold.prompting import prompt
from memfold.fold.source import Source
from memfold.fold.verify import verify
from memfold.fold.written import written
from memfold.types import JSON, Attempt, Completion, Fold, Rung, Usage

if TYPE_CHECKING:
    from memfold.fold.config import FoldConfig
    from memfold.protocols import TokenCounter
    from memfold.text.entities import EntityExtractor

# A summary that fell short may have so many times the tokens on the next rung.
_LONGER = 2
# What an answer may have beyond the limit: it is shortened, not refused.
_SLACK = 1.5
# Tokens of a prompt without its source, at most.
_FRAME = 400
# So many missing details are named in the prompt of the next rung.
_NAMED = 40
# About how many words, or Han characters, a token makes.
_WORDS_A_TOKEN, _HAN_A_TOKEN = 0.75, 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question to a model: to the stronger one where ``strong``."""

    rung: Rung
    messages: tuple[JSON, ...]
    max_tokens: int
    version: str
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back: an answer or an error, from which model, at what cost."""

    model: str
    result: Completion | LLMError
    usage: Usage


Climb: TypeAlias = Generator[Ask, Answer, Fold]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the ladder needs to judge: limits and targets, and the parts that measure.

    ``similarity`` is the cosine of two texts, or None without an embedder. ``window`` is what
    the model reads and writes at once, in tokens; ``has_strong`` says that there is a stronger
    one to turn to.
    """

    config: FoldConfig
    counter: TokenCounter
    extractor: EntityExtractor
    similarity: Callable[[str, str], float] | None
    window: int
    has_strong: bool


class _Stop(Exception):
    """No model can be reached now."""


def climb(base: Fold, source: Source, rules: Rules) -> Climb:
    """Have ``base``, the fold made without a model, written by one.

    Rungs: a summary with a line of the details it lacks; one of twice the length that is told
    what was missing; one by topics; one by the stronger model. The first that reaches the
    targets is taken. Where none does, the best is: of equals the one without a model. The fold
    records every attempt. When no model can be reached the rest is not tried, and ``base`` comes
    back with what failed; the caller decides when to try again.
    """
    attempts: list[Attempt] = []
    best = base
    place: int | None = None
    try:
        for rung, limit, strong in _rungs(base, rules):
            missing = best.missing if attempts else ()
            fold = yield from _try(base, source, rules, rung, limit, strong, missing, attempts)
            if fold is None:
                continue
            if meets(fold, rules.config):
                attempts[-1] = replace(attempts[-1], outcome="taken")
                return replace(fold, attempts=tuple(attempts), retry_at=None)
            attempts[-1] = replace(
                attempts[-1], outcome="refused", reason=_short_of(fold, rules.config)
            )
            if _worth(fold) > _worth(best):
                best, place = fold, len(attempts) - 1
    except _Stop:
        return replace(base, attempts=tuple(attempts))
    if place is not None:
        attempts[place] = replace(attempts[place], outcome="taken")
    return replace(best, attempts=tuple(attempts), retry_at=None)


def meets(fold: Fold, config: FoldConfig) -> bool:
    """Whether a fold reaches the targets for the details it keeps and its nearness."""
    quality = fold.quality
    return (
        quality["entity_retention"] >= config.entity_target
        and quality.get("semantic_similarity", 1.0) >= config.similarity_target
    )


def _short_of(fold: Fold, config: FoldConfig) -> str:
    figures = (
        ("entity_retention", config.entity_target),
        ("semantic_similarity", config.similarity_target),
    )
    return ", ".join(
        f"{name.replace('_', ' ')} {fold.quality[name]:.2f} below {target}"
        for name, target in figures
        if name in fold.quality and fold.quality[name] < target
    )


def _worth(fold: Fold) -> float:
    quality = fold.quality
    return quality["entity_retention"] + quality.get("semantic_similarity", 0.0)


def _rungs(base: Fold, rules: Rules) -> list[tuple[Rung, int, bool]]:
    limit = rules.config.limit(base.level)
    first: Rung = "running" if base.level == RUNNING else "summary"
    rungs: list[tuple[Rung, int, bool]] = [
        (first, limit, False),
        ("longer", _LONGER * limit, False),
        ("topics", _LONGER * limit, False),
    ]
    if rules.has_strong:
        rungs.append(("strong", _LONGER * limit, True))
    return rungs


def _try(
    base: Fold,
    source: Source,
    rules: Rules,
    rung: Rung,
    limit: int,
    strong: bool,
    missing: Sequence[str],
    attempts: list[Attempt],
) -> Generator[Ask, Answer, Fold | None]:
    """One rung. Adds what was tried to ``attempts``; None when nothing can be taken."""
    read = yield from _readable(source, rules, limit, attempts)
    if read is None:
        return None
    asked = _ask(rung, read, source, limit=limit, strong=strong, missing=missing)
    completion = yield from _answer(asked, attempts)
    if completion is None:
        return None
    verdict = verify(completion, source, counter=rules.counter, extractor=rules.extractor)
    if verdict.refused:
        attempts[-1] = replace(
            attempts[-1], outcome="refused", reason=_because(verdict.refused, verdict.made_up)
        )
        return None
    fold = written(
        verdict.sentences,
        base,
        source,
        limit=limit,
        config=rules.config,
        counter=rules.counter,
        extractor=rules.extractor,
    )
    if verdict.made_up:
        attempts[-1] = replace(
            attempts[-1], reason=_because("sentences taken out that are made up", verdict.made_up)
        )
    return replace(measured(fold, source, rules.similarity), prompt_version=asked.version)


def measured(fold: Fold, source: Source, similarity: Callable[[str, str], float] | None) -> Fold:
    """The fold with its nearness to its source among its figures, where that can be told."""
    if similarity is None or not fold.text:
        return fold
    near = 1.0 if fold.verbatim else round(similarity(fold.text, source.text), 4)
    return replace(fold, quality={**fold.quality, "semantic_similarity": near})


def _because(reason: str, details: Sequence[str]) -> str:
    return f"{reason}: {'; '.join(details[:5])}" if details else reason


def _answer(asked: Ask, attempts: list[Attempt]) -> Generator[Ask, Answer, Completion | None]:
    """Ask, and note it; None when what came was no answer."""
    answer = yield asked
    failed = answer.result if isinstance(answer.result, LLMError) else None
    attempts.append(
        Attempt(
            rung=asked.rung,
            model=answer.model,
            outcome="failed" if failed is not None else "refused",
            reason=str(failed) if failed is not None else "",
            usage=answer.usage,
        )
    )
    if isinstance(answer.result, LLMBadAnswer):
        return None  # the next rung may fare better
    if isinstance(answer.result, LLMError):
        raise _Stop
    return answer.result


def _readable(
    source: Source, rules: Rules, limit: int, attempts: list[Attempt]
) -> Generator[Ask, Answer, str | None]:
    """The source as far as a model can read it at once.

    One that is too long is summarised part by part, and the summaries stand for it; as often as
    it takes. None when a part could not be summarised.
    """
    lines = source.lines
    room = rules.window - _FRAME - int(_SLACK * limit)
    count = rules.counter.count
    while sum(map(count, lines)) > room:
        parts = _parts(lines, room, rules)
        if len(parts) < 2:
            return None  # no part can be made small enough
        said: list[str] = []
        for part in parts:
            share = max(room // len(parts) // 2, limit // 2)
            asked = _ask("part", "\n".join(part), source, limit=share, strong=False, missing=())
            completion = yield from _answer(asked, attempts)
            if completion is None:
                return None
            attempts[-1] = replace(attempts[-1], outcome="taken")
            said.append(" ".join(completion.text.split()))
        if sum(map(count, said)) >= sum(map(count, lines)):
            return None
        lines = tuple(said)
    return "\n".join(lines)


def _parts(lines: Sequence[str], room: int, rules: Rules) -> list[list[str]]:
    """The lines in runs that fit; one that is too long by itself is cut to its beginning."""
    parts: list[list[str]] = [[]]
    used = 0
    for line in lines:
        cost = rules.counter.count(line)
        if cost > room:
            line = line[: len(line) * room // cost]
            cost = room
        if used + cost > room and parts[-1]:
            parts.append([])
            used = 0
        parts[-1].append(line)
        used += cost
    return parts


def _ask(
    rung: Rung, read: str, source: Source, *, limit: int, strong: bool, missing: Sequence[str]
) -> Ask:
    chosen = prompt(_PROMPTS.get(rung, "summary"), source.spoken)
    chinese = source.spoken == "zh"
    named = ("、" if chinese else "; ").join(missing[:_NAMED])
    label = "\n不要漏掉：" if chinese else "\nDo not leave out: "
    words = int(limit * (_HAN_A_TOKEN if chinese else _WORDS_A_TOKEN))
    return Ask(
        rung=rung,
        messages=chosen.filled(
            tokens=limit, words=words, details=label + named + "\n" if named else "", source=read
        ),
        max_tokens=int(_SLACK * limit),
        version=chosen.version,
        strong=strong,
    )


_PROMPTS = {"topics": "topics", "running": "running"}

"""Having a fold written by a model: what to ask, what to take, and what to try next."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memfold.fold.asking import Answer, Ask, Climb, Rules, wording
from memfold.fold.config import RUNNING, FoldConfig
from memfold.fold.reading import Unreachable, ask, readable
from memfold.fold.source import Source
from memfold.fold.units import Detail
from memfold.fold.verify import verify
from memfold.fold.written import details_of, written
from memfold.types import Attempt, Fold, Rung

# A summary that fell short may have so many times the tokens on the next rung.
_LONGER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rung:
    """One rung: what is asked for, in how many tokens, and of which model."""

    name: Rung
    limit: int
    prompt: str
    strong: bool = False


def climb(base: Fold, source: Source, rules: Rules) -> Climb:
    """Have ``base``, the fold made without a model, written by one.

    Rungs: a summary with a line of the details it lacks; one of twice the length that is told
    what was missing; one by topics; one by the stronger model. The first that reaches the
    targets is taken. Where none does, the best is: of equals the one without a model. The fold
    records every attempt. When a model cannot be reached, the rest is not tried: the best until
    then comes back, with ``retry_at`` as in ``base``, and the caller decides when to try again.
    Otherwise ``retry_at`` is None.
    """
    climber = _Climber(measured(base, source, rules.similarity), source, rules)
    try:
        yield from climber.go()
    except Unreachable:
        return replace(climber.taken(), retry_at=base.retry_at)
    return replace(climber.taken(), retry_at=None)


class _Climber:
    """One climb, with the best fold until now."""

    def __init__(self, base: Fold, source: Source, rules: Rules) -> None:
        self._base = base
        self._source = source
        self._rules = rules
        self._details = details_of(base, source, rules.counter, rules.extractor)
        self._best = base
        self._place: int | None = None  # of the best among the attempts
        self._read: dict[bool, str] = {}
        self._attempts: list[Attempt] = []

    def taken(self) -> Fold:
        """The best fold, with the account of how it came about."""
        attempts = list(self._attempts)
        if self._place is not None:
            attempts[self._place] = replace(attempts[self._place], outcome="taken")
        return replace(self._best, attempts=tuple(attempts))

    def go(self) -> Generator[Ask, Answer, None]:
        """Try rung after rung, until one reaches the targets. Raises Unreachable."""
        for rung in _rungs(self._base, self._rules):
            fold = yield from self._try(rung)
            if fold is None:
                continue
            place = len(self._attempts) - 1
            if meets(fold, self._rules.config):
                self._best, self._place = fold, place
                return
            self._note(_short_of(fold, self._rules.config))
            if _worth(fold) > _worth(self._best):
                self._best, self._place = fold, place

    def _try(self, rung: _Rung) -> Generator[Ask, Answer, Fold | None]:
        """One rung; None when nothing can be taken."""
        missing = _as_written(self._best.missing, self._details) if self._attempts else ()
        asked = wording(
            rung.name,
            self._rules,
            self._source.spoken,
            limit=rung.limit,
            name=rung.prompt,
            strong=rung.strong,
            missing=missing,
        )
        read = yield from self._readable(rung, asked.room)
        if read is None:
            return None
        completion = yield from ask(asked.of(read), self._attempts)
        if completion is None:
            return None
        counter, extractor = self._rules.counter, self._rules.extractor
        verdict = verify(completion, self._source, counter=counter, extractor=extractor)
        if verdict.refused:
            self._note(_because(verdict.refused, verdict.made_up))
            return None
        if verdict.made_up:
            self._note(_because("sentences taken out that are made up", verdict.made_up))
        fold = written(
            verdict.sentences,
            self._base,
            self._details,
            self._source,
            limit=rung.limit,
            config=self._rules.config,
            counter=counter,
            extractor=extractor,
        )
        fold = replace(fold, prompt_version=asked.chosen.version)
        return measured(fold, self._source, self._rules.similarity)

    def _readable(self, rung: _Rung, room: int) -> Generator[Ask, Answer, str | None]:
        """The source as this rung's model can read it; as read before, where that fits."""
        known = self._read.get(rung.strong)
        if known is not None and self._rules.counter.count(known) <= room:
            return known
        read = yield from readable(
            self._source,
            self._rules,
            room=room,
            limit=rung.limit,
            strong=rung.strong,
            attempts=self._attempts,
        )
        if read is not None:
            self._read[rung.strong] = read
        return read

    def _note(self, reason: str) -> None:
        last = self._attempts[-1]
        self._attempts[-1] = replace(last, reason="; ".join(filter(None, (last.reason, reason))))


def _rungs(base: Fold, rules: Rules) -> list[_Rung]:
    limit = rules.config.limit(base.level)
    first: Literal["running", "summary"] = "running" if base.level == RUNNING else "summary"
    rungs = [
        _Rung(name=first, limit=limit, prompt=first),
        _Rung(name="longer", limit=_LONGER * limit, prompt=first),
        _Rung(name="topics", limit=_LONGER * limit, prompt="topics"),
    ]
    if rules.strong_window is not None:
        rungs.append(_Rung(name="strong", limit=_LONGER * limit, prompt=first, strong=True))
    return rungs


def _as_written(keys: Sequence[str], details: Sequence[Detail]) -> tuple[str, ...]:
    """Details as their source writes them, the best first."""
    wanted = frozenset(keys)
    return tuple(detail.text for detail in details if detail.key in wanted)


def meets(fold: Fold, config: FoldConfig) -> bool:
    """Whether a fold reaches the targets for the details it keeps and its nearness."""
    return not _short_of(fold, config)


def _short_of(fold: Fold, config: FoldConfig) -> str:
    targets: Mapping[str, float] = {
        "entity_retention": config.entity_target,
        "semantic_similarity": config.similarity_target,
    }
    return ", ".join(
        f"{name.replace('_', ' ')} {fold.quality[name]:.3f} below {target}"
        for name, target in targets.items()
        if name in fold.quality and fold.quality[name] < target
    )


def _worth(fold: Fold) -> float:
    return fold.quality["entity_retention"] + fold.quality.get("semantic_similarity", 0.0)


def measured(fold: Fold, source: Source, similarity: Callable[[str, str], float] | None) -> Fold:
    """The fold with its nearness to its source among its figures, where that can be told.

    What is said is compared: who said it and when, before each line, makes any two texts unlike.
    """
    if similarity is None or not fold.sentences or not source.units:
        return fold
    said = " ".join(sentence.text for sentence in fold.sentences)
    near = 1.0 if fold.verbatim else round(similarity(said, source.said), 4)
    return replace(fold, quality={**fold.quality, "semantic_similarity": near})


def _because(reason: str, details: Sequence[str]) -> str:
    return f"{reason}: {'; '.join(details[:5])}" if details else reason

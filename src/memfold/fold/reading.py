"""Reading a source that is too long for a model: part by part, the summaries standing for it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memfold.errors import LLMBadAnswer, LLMError
from memfold.fold.asking import Answer, Ask, Rules, wording
from memfold.fold.source import Source
from memfold.fold.verify import prose
from memfold.text.truncation import truncate
from memfold.types import Attempt, Completion

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter

# In fewer tokens than this nothing can be read.
_LEAST_ROOM = 64
# The summaries of all parts have about this share of the room; one has that share at most.
_SHARE, _MOST = 0.5, 0.25


class Unreachable(Exception):
    """No model can be reached now."""


def readable(
    source: Source, rules: Rules, *, room: int, limit: int, strong: bool, attempts: list[Attempt]
) -> Generator[Ask, Answer, str | None]:
    """The source in at most ``room`` tokens, so that a summary of ``limit`` can be made of it.

    One that is too long is summarised part by part, as often as it takes. None when a part could
    not be summarised. What was tried is added to ``attempts``; raises Unreachable.
    """
    lines = source.lines
    count = rules.counter.count
    size = count("\n".join(lines))
    while size > room:
        if room < _LEAST_ROOM:
            return None
        # All parts together are to fit when they are summarised, with some room to spare.
        share = min(max(int(_SHARE * room * room / size), limit // 2), int(_MOST * room))
        asked = wording("part", rules, source.spoken, limit=share, strong=strong)
        said: list[str] = []
        for part in _parts(lines, min(room, asked.room), rules.counter):
            completion = yield from ask(asked.of("\n".join(part)), attempts)
            text = _taken(completion, source, attempts) if completion is not None else ""
            if not text:
                return None
            said.append(text)
        shorter = count("\n".join(said))
        if shorter >= size:
            return None
        lines, size = tuple(said), shorter
    return "\n".join(lines)


def ask(asked: Ask, attempts: list[Attempt]) -> Generator[Ask, Answer, Completion | None]:
    """Ask, and note it; None when what came was no answer. Raises Unreachable."""
    answer = yield asked
    failed = answer.result if isinstance(answer.result, LLMError) else None
    attempts.append(
        Attempt(
            rung=asked.rung,
            model=answer.model,
            outcome="failed" if failed is not None else "refused",
            reason=f"{type(failed).__name__}: {failed}" if failed is not None else "",
            usage=answer.usage,
        )
    )
    if isinstance(answer.result, LLMBadAnswer):
        return None  # the next rung may fare better
    if isinstance(answer.result, LLMError):
        raise Unreachable
    return answer.result


def _taken(completion: Completion, source: Source, attempts: list[Attempt]) -> str:
    text, refused = prose(completion, source.spoken)
    if refused:
        attempts[-1] = replace(attempts[-1], reason=refused)
        return ""
    attempts[-1] = replace(attempts[-1], outcome="taken")
    return " ".join(text.split())


def _parts(lines: Sequence[str], room: int, counter: TokenCounter) -> list[list[str]]:
    """The lines in runs that fit; one that is too long by itself goes in pieces."""
    parts: list[list[str]] = [[]]
    used = 0
    for piece in (piece for line in lines for piece in _pieces(line, room, counter)):
        cost = counter.count(piece) + 1
        if used + cost > room and parts[-1]:
            parts.append([])
            used = 0
        parts[-1].append(piece)
        used += cost
    return parts


def _pieces(line: str, room: int, counter: TokenCounter) -> list[str]:
    found: list[str] = []
    while counter.count(line) >= room:
        piece = truncate(line, room - 1, counter)
        if not piece:
            break
        found.append(piece)
        line = line[len(piece) :]
    return [*found, line] if line else found

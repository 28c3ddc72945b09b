"""What is asked of a model, and what comes back: the talk between decisions and who calls models.

A decision that needs a model is a generator: it yields what to ask, is sent the answer or the
error that came instead, and returns what it decided. So whoever calls models, and however, the
decisions are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from memfold.fold.prompting import Prompt, prompt
from memfold.types import JSON, Completion, Fold, Rung, Usage

if TYPE_CHECKING:
    from memfold.errors import LLMError
    from memfold.fold.config import FoldConfig
    from memfold.protocols import TokenCounter
    from memfold.text.entities import EntityExtractor
    from memfold.text.scripts import Language

# What an answer may have beyond its limit: it is shortened, not refused.
_SLACK = 1.5
# About how many words, or Han characters, a token makes.
_WORDS_A_TOKEN, _HAN_A_TOKEN = 0.75, 1.2
# What the roles and frames of a prompt's messages cost.
_FRAME = 16
# The source has at least this share of what a model takes at once, the answer what is left.
_LEAST_READ = 1 / 3
# Missing details are named as far as these tokens go, or that share of what a model takes.
_NAMED, _NAMED_SHARE = 200, 1 / 8


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
    """What is needed to ask and to judge: limits and targets, and the parts that measure.

    ``similarity`` is the cosine of two texts, or None without an embedder. ``window`` is what
    the model reads and writes at once, in tokens; ``strong_window`` that of the stronger one,
    None when there is none.
    """

    config: FoldConfig
    counter: TokenCounter
    extractor: EntityExtractor
    similarity: Callable[[str, str], float] | None
    window: int
    strong_window: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How one rung is asked: all of its prompt but the source.

    ``room`` is what the source may have, in tokens.
    """

    rung: Rung
    strong: bool
    limit: int
    details: str
    room: int
    answer: int
    chosen: Prompt
    words: int

    def of(self, source: str) -> Ask:
        """The question about a source that fits ``room``."""
        return Ask(
            rung=self.rung,
            messages=self.chosen.filled(
                tokens=self.limit, words=self.words, details=self.details, source=source
            ),
            max_tokens=self.answer,
            version=self.chosen.version,
            strong=self.strong,
        )


def wording(
    rung: Rung,
    rules: Rules,
    spoken: Language,
    *,
    limit: int,
    name: str = "summary",
    strong: bool = False,
    missing: Sequence[str] = (),
) -> Wording:
    """Word a question for a summary of ``limit`` tokens that does not leave out ``missing``.

    ``name`` is that of the prompt.
    """
    window = rules.window
    if strong and rules.strong_window is not None:
        window = rules.strong_window
    chosen = prompt(name, spoken)
    chinese = spoken == "zh"
    details = _details(missing, rules.counter, chinese, min(_NAMED, int(window * _NAMED_SHARE)))
    frame = _FRAME + sum(map(rules.counter.count, (chosen.system, chosen.user, details)))
    room = max(window - frame - int(_SLACK * limit), int(window * _LEAST_READ))
    return Wording(
        rung=rung,
        strong=strong,
        limit=limit,
        details=details,
        room=room,
        answer=max(min(int(_SLACK * limit), window - frame - room), 1),
        chosen=chosen,
        words=int(limit * (_HAN_A_TOKEN if chinese else _WORDS_A_TOKEN)),
    )


def _details(missing: Sequence[str], counter: TokenCounter, chinese: bool, room: int) -> str:
    """The line that names what was left out before, "" for nothing."""
    separator = "、" if chinese else "; "
    named: list[str] = []
    for each in missing:
        room -= counter.count(separator + each)
        if room < 0:
            break
        named.append(each)
    if not named:
        return ""
    label = "\n不要漏掉：" if chinese else "\nDo not leave out: "
    return label + separator.join(named) + "\n"

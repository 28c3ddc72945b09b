"""What every strategy is: told a case, then asked for contexts within a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol, TypeAlias

from memfold.evals.dataset import Case, Question
from memfold.evals.embedding import RememberingEmbedder
from memfold.protocols import LLM, TokenCounter
from memfold.text.entities import EntityExtractor
from memfold.types import Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Tools:
    """What strategies are made with. ``folder`` is theirs to keep files in; without ``llm``
    nothing is written by a model.
    """

    counter: TokenCounter
    embedder: RememberingEmbedder
    extractor: EntityExtractor
    folder: Path
    llm: LLM | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """What a context shows besides the question, and the tokens of all of it, question included.

    A context that shows nothing has no tokens.
    """

    text: str
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """A text that stands for messages."""

    text: str
    messages: Sequence[Message]


class Policy(Protocol):
    """One strategy, told one case when it is made. The language model it uses counts its calls."""

    bounded: ClassVar[bool] = True
    """Whether it keeps to budgets; one that does not is asked once, without any."""

    def prepare(self, budget: int) -> None:
        """Do what is done while messages come in, but depends on the budget."""
        return None

    def context(self, question: Question, budget: int) -> Given:
        """What to show for a question in at most ``budget`` tokens."""
        ...

    def summary(self, budget: int) -> Summary | None:
        """The summary that stood in the last context of this budget; None where there is none."""
        return None

    def close(self) -> None:
        """Release everything."""
        return None


Build: TypeAlias = Callable[[Case, Tools], Policy]

"""The tree of folds over a case told as one session, and the strategy of its outline alone."""

from __future__ import annotations

from collections.abc import Sequence

from memfold import Memory, Session, User
from memfold.evals.compare.policy import Given, Policy, Summary, Tools
from memfold.evals.dataset import Case, Item, Question
from memfold.evals.folds.talks import as_one
from memfold.evals.lines import Lines
from memfold.fold.config import FoldConfig
from memfold.fold.outline import OutlinePiece, outline
from memfold.types import Fold, Message

_OVERHEAD = 16  # tokens of the days of a piece and its line end


class Tree:
    """A memory that has folded messages as one session which is over; no window is left."""

    def __init__(self, items: Sequence[Item], tools: Tools, config: FoldConfig) -> None:
        self._memory = Memory(
            embedder=tools.embedder if tools.llm is not None else None,
            counter=tools.counter,
            extractor=tools.extractor,
            llm=tools.llm,
            fold=config,
        )
        try:
            self._user: User = self._memory.user("bench")
            self._session: Session = self._user.session("all")
            self._session.extend(
                [item.message for item in items],
                at=[item.at for item in items],
                metadata=[item.metadata or {} for item in items],
            )
            self._session.end()
            self._memory.flush()
            self.folds: Sequence[Fold] = self._session.folds()
        except BaseException:
            self._memory.close()
            raise

    def expand(self, fold: Fold) -> list[Message]:
        """The messages that a fold stands for, as the memory gives them back."""
        return self._user.expand(fold.id)

    def messages(self) -> list[Message]:
        """All messages."""
        return self._session.messages()

    def close(self) -> None:
        """Close the memory."""
        self._memory.close()


class SummaryOnly(Policy):
    """The outline of the tree in the whole budget: as finely as fits, nothing verbatim."""

    def __init__(self, case: Case, tools: Tools) -> None:
        self._config = FoldConfig(window=0)
        self._lines = Lines(case.items, tools.counter)
        self._counter = tools.counter
        self._messages = as_one(case, tools.counter)
        self._tree = Tree(case.items, tools, self._config)
        self._shown: dict[int, str] = {}

    def context(self, question: Question, budget: int) -> Given:
        """The folds that stand for everything."""
        room = budget - self._lines.overhead(question)
        pieces = outline(
            self._tree.folds, len(self._messages), max(room, 0), self._config, overhead=_OVERHEAD
        )
        parts = [_told(piece) for piece in pieces]
        text = "\n".join(parts)
        # The days may, rarely, take more than was set aside for them.
        while parts and (used := self._counter.count(text)) > room:
            parts = parts[1:]
            text = "\n".join(parts)
        self._shown[budget] = text
        if not text:
            return Given(text="", tokens=0)
        return Given(text=text, tokens=budget - room + used)

    def summary(self, budget: int) -> Summary | None:
        """The outline as it was last shown; it is the same for each question."""
        text = self._shown.get(budget)
        return Summary(text=text, messages=self._messages) if text else None

    def close(self) -> None:
        """Close the tree's memory."""
        self._tree.close()


def _told(piece: OutlinePiece[Fold]) -> str:
    fold = piece.fold
    days = f"{fold.since:%Y-%m-%d}"
    if fold.until.date() != fold.since.date():
        days += f" – {fold.until:%Y-%m-%d}"
    return f"{days}: {fold.text if piece.form == 'text' else fold.headline}"

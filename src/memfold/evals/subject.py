"""A case told to a real memory, to be asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from memfold import Memory, Session
from memfold.errors import BudgetTooSmall
from memfold.evals.dataset import Case, Item, Question
from memfold.evals.embedding import RememberingEmbedder
from memfold.evals.shown import Shown
from memfold.evals.stopwatch import Stopwatch
from memfold.protocols import LLM, TokenCounter
from memfold.text.chat import readable

Strategy = Literal["memfold", "lexical", "dense", "time-decay", "generative-agents"]
STRATEGIES: Final[tuple[Strategy, ...]] = (
    "memfold",
    "lexical",
    "dense",
    "time-decay",
    "generative-agents",
)

ADDED_ONE_BY_ONE: Final = 20
"""So many of a case's last messages are added singly, to time that; the others in bulk."""

ADD, SEARCH, CONTEXT = "add", "search", "context"
"""What is timed."""


class Subject:
    """One user's memory with all of a case's messages in it. A context manager."""

    def __init__(
        self,
        case: Case,
        path: Path,
        *,
        embedder: RememberingEmbedder | None,
        counter: TokenCounter,
        watch: Stopwatch,
        on_messages: Callable[[int], None],
        llm: LLM | None = None,
    ) -> None:
        self._case = case
        self._embedder = embedder
        self._watch = watch
        self._on_messages = on_messages
        self._memory = Memory(path, embedder=embedder, counter=counter, llm=llm)
        self._user = self._memory.user("bench")
        self._items: dict[str, Item] = {}

    def __enter__(self) -> Self:
        try:
            self._last = self._tell()
        except BaseException:
            self._memory.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._memory.close()

    def ranked(self, question: Question, k: int, strategy: Strategy) -> list[Item]:
        """The items that a search for the question returns, best first."""
        with self._live(), self._watch.timed(SEARCH):
            hits = self._user.search(question.text, k, mode=strategy, now=question.asked_at)
        return [self._items[hit.message.id] for hit in hits]

    def context(self, question: Question, budget: int) -> tuple[Shown, int]:
        """What a context shows besides the question itself, and its tokens.

        The question is put in the last session, after its last message.
        """
        try:
            with self._live(), self._watch.timed(CONTEXT):
                context = self._last.context(
                    question.text, max_tokens=budget, now=question.asked_at
                )
        except BudgetTooSmall:
            return Shown("", at=question.asked_at), 0
        # The question stands last. Its own words are no evidence, nor the answer.
        shown = "\n\n".join(readable(message) for message in context.messages[:-1])
        return Shown(shown, at=question.asked_at), context.tokens

    def _tell(self) -> Session:
        """Write the history, wait until all of it can be searched; the last session."""
        *earlier, last = (history for history in self._case.sessions if history.items)
        for history in earlier:
            self._extend(self._user.session(history.id), history.items)
            self._on_messages(len(history.items))
        session = self._user.session(last.id)
        single = last.items[-ADDED_ONE_BY_ONE:]
        self._extend(session, last.items[: -len(single)])
        self._memory.flush()
        with self._live():
            for item in single:
                self._add(session, item)
            self._memory.flush()
        self._on_messages(len(last.items))
        return session

    def _extend(self, session: Session, items: Sequence[Item]) -> None:
        if items:
            receipt = session.extend(
                [item.message for item in items],
                at=[item.at for item in items],
                metadata=[item.metadata or {} for item in items],
            )
            self._items.update(zip(receipt.ids, items, strict=True))

    def _add(self, session: Session, item: Item) -> None:
        with self._watch.timed(ADD):
            receipt = session.add(**item.message, at=item.at, metadata=item.metadata or {})
        self._items[receipt.id] = item

    def _live(self) -> AbstractContextManager[None]:
        """Nothing remembered meanwhile: what is timed costs what it costs a user."""
        return self._embedder.live() if self._embedder is not None else nullcontext()

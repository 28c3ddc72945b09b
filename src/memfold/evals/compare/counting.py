"""The language models of a comparison, with an account of their calls."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from memfold.errors import LLMError
from memfold.protocols import LLM
from memfold.types import JSON, Completion, Usage


@dataclass(frozen=True, kw_only=True, slots=True)
class Models:
    """Who writes summaries, who answers from contexts and who judges that; None for nobody.

    The reader judges itself where no other does; without a reader there is nothing to judge.
    """

    llm: LLM | None = None
    reader: LLM | None = None
    judge: LLM | None = None

    def counting(self) -> dict[str, Counting]:
        """The models by role, each with an account of its own."""
        judge = (self.judge or self.reader) if self.reader is not None else None
        roles = {"llm": self.llm, "reader": self.reader, "judge": judge}
        return {role: Counting(model) for role, model in roles.items() if model is not None}


class Counting:
    """Answers as another model does; ``usage`` is what that has cost until now."""

    def __init__(self, inner: LLM) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self.usage = Usage()

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    @property
    def context_tokens(self) -> int:
        """The inner model's."""
        return self._inner.context_tokens

    def complete(
        self, messages: Sequence[JSON], *, max_tokens: int, schema: JSON | None = None
    ) -> Completion:
        """Have the inner model answer."""
        began = time.monotonic()
        try:
            found = self._inner.complete(messages, max_tokens=max_tokens, schema=schema)
        except LLMError:
            self._spent(Usage(calls=1, failures=1, seconds=time.monotonic() - began))
            raise
        self._spent(
            Usage(
                calls=1,
                prompt_tokens=found.prompt_tokens,
                completion_tokens=found.completion_tokens,
                seconds=found.seconds,
            )
        )
        return found

    def _spent(self, usage: Usage) -> None:
        with self._lock:
            self.usage += usage

"""One conversation: writing to it, reading it back, and the context for its next call."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memfold.context.assemble import assemble
from memfold.errors import InvalidInput, NotFound
from memfold.facade.checks import (
    message_number,
    moment,
    one_each,
    scope_name,
    token_budget,
    tool_definitions,
    write_key,
)
from memfold.facade.drafting import restore, written
from memfold.facade.engine import Engine, Made
from memfold.facade.gathering import gather
from memfold.rows import Appended, Draft, StoredMessage
from memfold.text.given import listed, whole
from memfold.types import Context, Fold, Message, Receipt, ReceiptItem, Scope


class Session:
    """A handle on one session, made by :meth:`User.session`."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._engine = engine
        self._scope = scope

    @property
    def id(self) -> str:
        """Its name."""
        return str(self._scope.session)

    @property
    def length(self) -> int:
        """How many messages it has."""
        rows = self._engine.store.sessions(self._scope)
        return rows[0].messages if rows else 0

    def add(
        self,
        /,
        role: str,
        content: Any,
        *,
        at: datetime | str | None = None,
        metadata: Mapping[str, Any] | None = None,
        key: str | None = None,
        **fields: Any,
    ) -> Receipt:
        """Append one message; it is on disk when this returns.

        ``fields`` go into the message (``name``, ``tool_calls``, ``tool_call_id``, …). ``at``
        is its time (default: now), ``key`` makes the write idempotent. Raises InvalidMessage.
        """
        message = {"role": role, "content": content, **fields}
        return self._append([message], [at], [metadata], [key])

    def extend(
        self,
        messages: Iterable[Any],
        *,
        at: datetime | str | Sequence[datetime | str | None] | None = None,
        metadata: Sequence[Mapping[str, Any] | None] | None = None,
        keys: Sequence[str | None] | None = None,
    ) -> Receipt:
        """Append OpenAI- or Anthropic-shaped messages, all of them or (on an error) none.

        They are kept as they are and come back unchanged. ``at`` is one time for all or one
        each; ``metadata`` and ``keys``, when given, have one each. Raises InvalidMessage.
        """
        batch = listed(messages, "messages")
        times = list(at) if isinstance(at, list | tuple) else [at] * len(batch)
        return self._append(
            batch,
            times,
            one_each(metadata, len(batch), "metadata"),
            one_each(keys, len(batch), "keys"),
        )

    def _append(
        self,
        batch: Sequence[Any],
        times: Sequence[Any],
        metadata: Sequence[Any],
        keys: Sequence[Any],
    ) -> Receipt:
        if len(times) != len(batch):
            raise InvalidInput(f"at has {len(times)} times for {len(batch)} messages")
        if not batch:
            return Receipt(items=())
        with self._engine.foreground():
            recorded = self._engine.now()
            drafts = [
                self._draft(message, at, extra, key, recorded)
                for message, at, extra, key in zip(batch, times, metadata, keys, strict=True)
            ]
            outcomes = self._engine.store.append(self._scope, drafts)
        return self._wrote(outcomes)

    def _draft(self, message: Any, at: Any, metadata: Any, key: Any, recorded: datetime) -> Draft:
        key = None if key is None else write_key(key)
        when = recorded if at is None else moment(at, self._engine.zone, what="the message's time")
        return self._engine.drafter.draft(
            message, at=when, recorded=recorded, metadata=metadata, key=key
        )

    def _wrote(self, outcomes: Sequence[Appended]) -> Receipt:
        stored = any(outcome.outcome == "stored" for outcome in outcomes)
        made = self._engine.wrote(self._scope) if stored else Made()
        kept = any(outcome.outcome != "erased" for outcome in outcomes)
        due = stored and (self._engine.embedder is not None or bool(made.failure))
        done = due and not (self._engine.background or made.failure)
        return Receipt(
            items=tuple(map(written, outcomes)),
            indexed=frozenset(["words", "vectors"] if done else ["words"] if kept else []),
            pending=frozenset(["vectors"] if due and not done else []),
            failure=made.failure,
            usage=made.usage,
        )

    def messages(self, first: int = 0, last: int | None = None) -> list[Message]:
        """Messages at positions ``first`` to ``last`` (inclusive; None: to the end)."""
        whole(first, "first", least=0)
        if last is not None:
            whole(last, "last", least=0)
        return [restore(row) for row in self._engine.store.span(self._scope, first, last)]

    def context(
        self,
        query: str | Mapping[str, Any] | None = None,
        *,
        max_tokens: int,
        tools: Sequence[Any] | None = None,
        now: datetime | str | None = None,
    ) -> Context:
        """What the next model call should see, in at most ``max_tokens`` tokens.

        ``query`` is the user's new message; when it is the session's last message already, or
        None, the context ends with what stands there, so that it is there exactly once.
        ``tools`` are the tool definitions of the call, counted in. ``now`` is the time of
        asking, by default the clock's. Raises BudgetTooSmall, saying what is needed, when the
        query, open tool calls and system text do not fit.
        """
        budget = token_budget(max_tokens)
        definitions = tool_definitions(tools)
        engine = self._engine
        at = moment(now, engine.zone, what="now") if now is not None else engine.now()
        with engine.foreground():
            return assemble(
                gather(engine, self._scope, query, budget=budget, tools=definitions, now=at)
            )

    def edit(self, /, id: str, content: Any, **fields: Any) -> Receipt:
        """Put another text (or a whole message dict) in the place of message ``id``.

        The new message has an id of its own, the time of the old one, and its place here;
        sessions forked before keep the old one. What was derived of it is made anew.
        Raises NotFound, InvalidMessage.
        """
        row = self._standing(id)
        old = restore(row)
        message = dict(content) if isinstance(content, Mapping) else {**old.raw, "content": content}
        message.update(fields)
        draft = self._engine.drafter.draft(
            message,
            at=old.at,
            recorded=self._engine.now(),
            metadata=old.metadata,
            key=None,
        )
        new = self._engine.store.edit(self._scope, row.seq, draft)
        receipt = self._wrote([new])
        item = ReceiptItem(id=f"m{new.seq}", outcome="edited", reason=f"in the place of {id}")
        return replace(receipt, items=(item,))

    def cut(self, id: str) -> Receipt:
        """Take message ``id`` and all after it out of the session, as before regenerating.

        They can still be read by their ids, and stay in sessions forked before. Raises NotFound.
        """
        left = self._engine.store.cut(self._scope, self._standing(id).position)
        made = self._engine.wrote(self._scope)
        items = tuple(ReceiptItem(id=f"m{seq}", outcome="cut") for seq in left)
        return Receipt(items=items, failure=made.failure, usage=made.usage)

    def fork(self, into: str | None = None, *, before: str | None = None) -> Session:
        """A new session with this one's messages: all, or those before message ``before``.

        Both go on apart from each other. Raises InvalidInput when ``into`` exists, NotFound.
        """
        name = secrets.token_hex(6) if into is None else scope_name(into, "session")
        rows = self._engine.store.sessions(self._scope)
        if not rows:
            raise NotFound(f"there is no session {self.id!r}")
        length = rows[0].length if before is None else self._standing(before).position
        self._engine.store.fork(self._scope, name, length)
        forked = Session(self._engine, replace(self._scope, session=name))
        self._engine.wrote(forked._scope)
        return forked

    def _standing(self, id: str) -> StoredMessage:
        """The message as it stands in this session; NotFound when it does not."""
        rows = self._engine.store.read(self._scope, [message_number(id)])
        if not rows or rows[0].position < 0:
            raise NotFound(f"there is no message {id} in session {self.id!r}")
        return rows[0]

    def folds(self) -> list[Fold]:
        """The folds that stand now, by level and index."""
        return self._engine.folder.folds(self._scope)

    def end(self) -> None:
        """Say that the session is over for now: all of it is folded, the newest messages too.

        Adding to it later goes on as ever. Raises NotFound when nothing was ever added.
        """
        self._engine.store.end(self._scope)
        self._engine.wrote(self._scope)

    def erase(self) -> Receipt:
        """Erase the session and its messages for good, from forks too."""
        gone = self._engine.store.remove(self._scope, None)
        self._engine.forget_folds()
        # Sessions that shared messages with it lost them, and the folds over them.
        made = self._engine.wrote(replace(self._scope, session=None))
        items = tuple(ReceiptItem(id=f"m{seq}", outcome="erased") for seq in gone)
        return Receipt(items=items, failure=made.failure, usage=made.usage)

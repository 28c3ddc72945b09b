"""Which session the messages of a file go to when nobody has named one.

Such a session has the file's name, and other files may have that name too. So a session belongs
to the file whose messages it holds: the same file again, whole, shorter or longer at its end,
finds its own, and another file gets a session of its own with a number behind the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from memfold.adapters.shapes import Told
from memfold.errors import InvalidInput
from memfold.facade.user import User


@dataclass(kw_only=True, slots=True)
class _Open:
    """A session name that is being looked for: all messages so far are ``known`` in it."""

    names: Iterator[str]
    name: str
    told: list[Told] = field(default_factory=list)
    known: int = 0
    is_settled: bool = False


class Places:
    """Finds each unnamed session's own name while its messages come in.

    ``notes`` say which went elsewhere than to the session of their file's name.
    """

    def __init__(self, user: User, format: str) -> None:
        self._user = user
        self._format = format
        self._open: dict[str, _Open] = {}
        self.notes: list[str] = []

    def settle(self, session: str, told: Sequence[Told]) -> list[Told]:
        """The messages that can be stored now, with the session to store them in.

        Those that are known are held back until one is not, or ``rest`` is called.
        """
        if session not in self._open:
            names = _names(session)
            self._open[session] = _Open(names=names, name=next(names))
        state = self._open[session]
        if state.is_settled:
            return _moved(told, state.name)
        state.told += told
        fresh = list(told)
        while self._has_new(state, fresh):
            if self._goes_on(state):
                state.is_settled = True
                break
            state.name, state.known = next(state.names), 0
            fresh = state.told
        return self._released(session, state) if state.is_settled else []

    def rest(self) -> Iterator[Told]:
        """What is held back at the end: all of it is known."""
        for session, state in self._open.items():
            if not state.is_settled:
                yield from self._released(session, state)

    def _has_new(self, state: _Open, fresh: Sequence[Told]) -> bool:
        """Whether one of ``fresh`` is new to the session; counts the known ones before it."""
        moved = _moved(fresh, state.name)
        for item in self._user.known([told.key(self._format) for told in moved]):
            if item is None:
                return True
            state.known += item.outcome == "known"
        return False

    def _goes_on(self, state: _Open) -> bool:
        """Whether the session holds nothing but this file's messages, as far as they go."""
        try:
            return self._user.session(state.name).length <= state.known
        except InvalidInput:
            return True  # no name for a session: writing to it will say so

    def _released(self, session: str, state: _Open) -> list[Told]:
        if state.name != session:
            self.notes.append(
                f"session {session!r} holds another file's messages: this one is in"
                f" {state.name!r} (to add it to a session, name that)"
            )
        moved, state.told = _moved(state.told, state.name), []
        return moved


def _names(session: str) -> Iterator[str]:
    yield session
    yield from (f"{session}~{number}" for number in count(2))


def _moved(told: Sequence[Told], session: str) -> list[Told]:
    return [replace(each, session=session) for each in told]

"""Options that commands share: which memory, whose, and how to print."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, Final

import click

from memfold.cli.console import progress_bar, text
from memfold.errors import NotFound
from memfold.facade.checks import time_zone

if TYPE_CHECKING:
    from memfold import Memory, User

DEFAULT_SESSION: Final = "default"
MODES: Final = ("memfold", "lexical", "dense", "time-decay", "generative-agents")

_SLICE: Final = 0.2  # seconds between two looks at how far the background is

Command = Callable[..., Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Which memory a command is about, and how it prints."""

    db: str
    user: str
    tenant: str
    agent: str
    zone: str
    json: bool

    @property
    def clock_zone(self) -> tzinfo:
        """The zone as an object; InvalidInput when there is none of that name."""
        return time_zone(self.zone)

    def shown(self, at: datetime | None) -> str:
        """A time as people read it, in the zone."""
        # Not strftime: it leaves out the zeros of years before 1000 on some systems.
        return at.astimezone(self.clock_zone).isoformat(" ")[:16] if at else "-"

    @contextmanager
    def memory(self, *, make: bool = False) -> Iterator[Memory]:
        """The memory file, open; NotFound when there is none, unless it may be made."""
        if not make and not os.path.exists(self.db):
            raise NotFound(
                f"there is no memory file {self.db}: 'memfold import' or 'memfold add' makes it, "
                "--db names another"
            )
        from memfold import Memory  # here, for the sake of commands that need none, and of --help

        is_new = not os.path.exists(self.db)
        is_empty = False
        try:
            with Memory(self.db, zone=self.zone) as memory:
                try:
                    yield memory
                finally:
                    is_empty = is_new and not memory.owners()
        finally:
            if is_empty:
                _remove(self.db)

    @contextmanager
    def opened(self, *, make: bool = False) -> Iterator[tuple[Memory, User]]:
        """The memory file and the user's part of it."""
        with self.memory(make=make) as memory:
            yield memory, memory.user(self.user, tenant=self.tenant, agent=self.agent)


def _remove(path: str) -> None:
    """Take away a file that this process made and put nothing into, unless another has it open."""
    if not os.path.exists(f"{path}-wal"):
        with suppress(OSError):
            os.remove(path)


def settle(memory: Memory, user: User) -> None:
    """Wait for the vectors and folds that are due, behind a progress bar if it takes a while."""
    if memory.flush(timeout=_SLICE):
        return
    with progress_bar("making vectors") as advance:
        total = left = user.stats().pending
        while left and not memory.flush(timeout=_SLICE):
            left = user.stats().pending
            advance(max(0, total - left), total)
    with progress_bar("folding") as advance:
        while not memory.flush(timeout=_SLICE):
            advance(user.stats().folds, 0)


def latest_session(user: User, *, named: str | None) -> str:
    """The session named, or the one written to last; NotFound when there is none."""
    found = user.sessions()
    if named is not None:
        if all(session.id != named for session in found):
            raise NotFound(f"there is no session {named!r}")
        return named
    if not found:
        raise NotFound("there is no session yet")
    # By the order of writing, not by the messages' own times: an import may tell of last year.
    # Of a fork and its parent that end alike, the fork.
    return max(reversed(found), key=lambda session: int((session.newest or "m0")[1:])).id


def json_option(command: Command) -> Command:
    """Add ``--json``."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
    )(command)


def memory_options(command: Command) -> Command:
    """Add the options that say which memory, and pass them on as ``place``."""

    @functools.wraps(command)
    def placed(
        *, db: str, user: str, tenant: str, agent: str, zone: str, as_json: bool, **rest: Any
    ) -> Any:
        place = Place(db=db, user=user, tenant=tenant, agent=agent, zone=zone, json=as_json)
        return command(place, **rest)

    found: Command = json_option(placed)
    for option in reversed(_PLACE_OPTIONS):
        found = option(found)
    return found


def _option(name: str, variable: str, **attributes: Any) -> Callable[[Command], Command]:
    shown = {"type": text, "show_envvar": True, "show_default": True, **attributes}
    return click.option(f"--{name}", envvar=variable, **shown)


_PLACE_OPTIONS: Final = (
    _option("db", "MEMFOLD_DB", default="memfold.db", type=click.Path(), help="The memory file."),
    _option("user", "MEMFOLD_USER", default="me", help="Whose memory."),
    _option("tenant", "MEMFOLD_TENANT", default="default", help="The tenant the user belongs to."),
    _option(
        "agent",
        "MEMFOLD_AGENT",
        default="",
        show_default=False,
        help="An agent's private part of the memory.",
    ),
    _option("zone", "MEMFOLD_ZONE", default="UTC", help="Time zone to read and print times in."),
)


def session_option(help: str) -> Callable[[Command], Command]:
    """Add ``--session``; ``help`` says what stands in when it is not given."""
    return _option("session", "MEMFOLD_SESSION", default=None, help=help)

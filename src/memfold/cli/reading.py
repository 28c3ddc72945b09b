"""Commands that read: ``show``, ``search``, ``context``, ``expand``, ``sessions``, ``stats``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from memfold.cli.console import emit, note, printable, say, screen, text
from memfold.cli.forms import context_form, hit_form, message_form, session_form
from memfold.cli.options import (
    DEFAULT_SESSION,
    MODES,
    Place,
    latest_session,
    memory_options,
    session_option,
    settle,
)
from memfold.cli.printing import plain_table, print_context, print_hits, print_messages
from memfold.errors import NotFound

if TYPE_CHECKING:
    from memfold import User

_LATEST = "[default: the one written to last]"


@click.command()
@memory_options
@session_option(f"Session to print.  {_LATEST}")
@click.option("-n", "--last", type=click.IntRange(min=1), help="Only the last so many messages.")
@click.option("--full", is_flag=True, help="Long tool output too.")
def show(place: Place, *, session: str | None, last: int | None, full: bool) -> None:
    """Print the messages of a session."""
    with place.opened() as (_, user):
        name = latest_session(user, named=session)
        if session is None:
            _say_which(place, user, name)
        messages = user.session(name).messages()[-(last or 0) :]
    if place.json:
        emit({"session": name, "messages": [message_form(message) for message in messages]})
    else:
        print_messages(screen(), messages, place, full=full)


@click.command()
@memory_options
@session_option("Search only this session.  [default: all of the user's]")
@click.option("-k", default=10, show_default=True, help="How many hits, at most.")
@click.option("--since", help="Only messages from this time on (ISO 8601).")
@click.option("--until", help="Only messages before this time.")
@click.option("--role", "roles", multiple=True, help="Only messages of this role; repeatable.")
@click.option(
    "--mode", type=click.Choice(MODES), default="memfold", show_default=True, help="How to rank."
)
@click.option("--now", help='The time of asking, which "yesterday" refers to.  [default: now]')
@click.argument("query", type=text)
def search(
    place: Place,
    *,
    session: str | None,
    k: int,
    since: str | None,
    until: str | None,
    roles: tuple[str, ...],
    mode: str,
    now: str | None,
    query: str,
) -> None:
    """Find messages.

    Prints those that bear most on QUERY, best first, with what their scores were made of. Finds
    what was said in either language, by its words and by its meaning.
    """
    with place.opened() as (memory, user):
        settle(memory, user)
        hits = user.search(
            query,
            k,
            since=since,
            until=until,
            roles=roles or None,
            sessions=[session] if session is not None else None,
            mode=mode,
            now=now,
        )
    if place.json:
        emit({"query": query, "mode": mode, "hits": [hit_form(hit) for hit in hits]})
    elif hits:
        print_hits(screen(), hits, place)
    else:
        note("nothing found")


@click.command()
@memory_options
@session_option(f"Session the call is for; recall covers all of the user's.  {_LATEST}")
@click.option("--max-tokens", default=2000, show_default=True, help="The budget, in tokens.")
@click.option("--now", help='The time of asking, which "yesterday" refers to.  [default: now]')
@click.option("--text", "as_text", is_flag=True, help="Print only the text, as for a prompt.")
@click.argument("query", type=text, required=False)
def context(
    place: Place,
    *,
    session: str | None,
    max_tokens: int,
    now: str | None,
    as_text: bool,
    query: str | None,
) -> None:
    """Print what a model should see.

    That is the messages of the next call within the budget, and why each piece is there. QUERY
    is the user's new message, which is not stored; without it the context ends with the
    session's last message.
    """
    with place.opened() as (memory, user):
        settle(memory, user)
        name = session or _latest_or_new(user)
        if session is None:
            _say_which(place, user, name)
        found = user.session(name).context(query, max_tokens=max_tokens, now=now)
    if place.json:
        emit({"session": name, **context_form(found)})
    elif as_text:
        say(printable(found.text))
    else:
        print_context(screen(), found)


def _say_which(place: Place, user: User, session: str) -> None:
    """Where there is a choice, say what was chosen."""
    if not place.json and len(user.sessions()) > 1:
        note(f"session {session!r}, the one written to last")


def _latest_or_new(user: User) -> str:
    """A user without any session may ask too: an agent's first call."""
    try:
        return latest_session(user, named=None)
    except NotFound:
        return DEFAULT_SESSION


@click.command()
@memory_options
@click.argument("handle", type=text)
def expand(place: Place, *, handle: str) -> None:
    """Print what a handle stands for.

    HANDLE is a message's id (m12) or a fold's (f3); what is printed are the original messages.
    """
    with place.opened() as (_, user):
        messages = user.expand(handle)
    if place.json:
        emit({"handle": handle, "messages": [message_form(message) for message in messages]})
    else:
        print_messages(screen(), messages, place, full=True)


@click.command()
@memory_options
def sessions(place: Place) -> None:
    """List the sessions, oldest first."""
    with place.opened() as (_, user):
        found = user.sessions()
    if place.json:
        emit({"sessions": [session_form(session) for session in found]})
        return
    table = plain_table("session", ">messages", "began", "last", "forked from")
    for session in found:
        table.add_row(
            printable(session.id),
            f"{session.messages:,}",
            place.shown(session.began),
            place.shown(session.last),
            printable(session.parent or ""),
        )
    screen().print(table)


@click.command()
@memory_options
def stats(place: Place) -> None:
    """Print how much is stored, in counts."""
    with place.opened() as (_, user):
        found = asdict(user.stats())
    if place.json:
        emit(found)
        return
    for name, value in found.items():
        shown = f"{value:,}" if isinstance(value, int) else value
        say(f"{name:<10} {shown}")

"""Commands that take something out or make it anew: ``forget``, ``erase``, ``reindex``."""

from __future__ import annotations

import sys

import click

from memfold.cli.codes import NOT_FOUND, OK
from memfold.cli.console import emit, progress_bar, say
from memfold.cli.forms import receipt_form
from memfold.cli.options import Place, latest_session, memory_options, session_option
from memfold.types import Receipt


@click.command()
@memory_options
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
def forget(place: Place, *, ids: tuple[str, ...]) -> int:
    """Erase messages for good.

    Named by their ids (m12 …); all that was derived from them goes too. A later import of the
    same file does not bring them back.
    """
    with place.opened() as (_, user):
        receipt = user.forget(ids)
    if place.json:
        emit(receipt_form(receipt))
    else:
        for item in receipt.items:
            reason = f": {item.reason}" if item.reason else ""
            say(f"{item.id} {item.outcome}{reason}")
    return NOT_FOUND if receipt.count("unknown") else OK


@click.command()
@memory_options
@session_option("Erase only this session.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(place: Place, *, session: str | None, yes: bool) -> None:
    """Erase all of a user.

    With --agent only that agent's part, with --session only that session. It cannot be undone.
    """
    what = f"everything of user {place.user!r}" if session is None else f"session {session!r}"
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(f"to erase {what} in {place.db} without being asked, say --yes")
        click.confirm(f"Erase {what} in {place.db} for good?", abort=True, err=True)
    receipt = _erased(place, session)
    if place.json:
        emit(receipt_form(receipt))
    else:
        say(f"{len(receipt.items):,} messages erased")


def _erased(place: Place, session: str | None) -> Receipt:
    with place.opened() as (memory, user):
        if session is not None:
            return user.session(latest_session(user, named=session)).erase()
        if place.agent:
            return user.erase(everything=True)
        return memory.erase(place.user, tenant=place.tenant)


@click.command()
@memory_options
def reindex(place: Place) -> None:
    """Make vectors and folds anew.

    Of every user in the file: after a change of the embedder (until then search goes by words),
    or of memfold's version.
    """
    with place.memory() as memory:
        with progress_bar("reindexing") as advance:
            vectors = memory.reindex(advance)
        owners = len(memory.owners())
    if place.json:
        emit({"vectors": vectors, "owners": owners})
    else:
        say(f"{vectors:,} vectors made for {owners:,} users")

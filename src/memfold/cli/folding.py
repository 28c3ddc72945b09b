"""Commands about folds: ``compress`` and ``quality``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from memfold.cli.console import emit, note, progress_bar, say, screen
from memfold.cli.forms import compression_form, quality_form
from memfold.cli.options import Place, latest_session, memory_options, session_option, settle
from memfold.cli.printing import plain_table
from memfold.errors import NotFound
from memfold.text.chat import readable

if TYPE_CHECKING:
    from memfold import Memory, User
    from memfold.protocols import LLM
    from memfold.types import Quality

_SQLITE = b"SQLite format 3\0"
_SHOWN = 20


@click.command()
@memory_options
@session_option("Only the folds of this session.  [default: all of the user's]")
@click.option("--reader", metavar="MODEL", help="Ask this model questions about each fold.")
@click.option(
    "--url", metavar="URL", help="Where an OpenAI-compatible server has it.  [default: OpenAI's]"
)
@click.argument("file", required=False, type=click.Path())
def quality(
    place: Place,
    *,
    session: str | None,
    reader: str | None,
    url: str | None,
    file: str | None,
) -> None:
    """Report how good the folds are.

    By level: the share of protected details kept, how near in meaning, and with --reader the
    share of questions answered from the folds alone; then each fold that falls short, with the
    reason. FILE is a memory file, or a file of chats as 'memfold import' reads them, which is
    folded for the report; without it the report is on --db.
    """
    model = _model(reader, url) if reader is not None else None
    with _folded(place, file) as (memory, user):
        settle(memory, user)
        with progress_bar("measuring") as advance:
            found = user.quality(session, reader=model, progress=advance)
    if place.json:
        emit(quality_form(found))
    else:
        _print(found)


@click.command()
@memory_options
@session_option("Session to compress.  [default: the last one]")
@click.option("--window", default=5, show_default=True, help="Newest messages to keep.")
@click.option("--max-tokens", default=500, show_default=True, help="Of the summary, at most.")
@click.option("--model", metavar="MODEL", help="Have this model write the summary.")
@click.option(
    "--url", metavar="URL", help="Where an OpenAI-compatible server has it.  [default: OpenAI's]"
)
@click.argument("file", type=click.Path())
def compress(
    place: Place,
    *,
    session: str | None,
    window: int,
    max_tokens: int,
    model: str | None,
    url: str | None,
    file: str,
) -> None:
    """Print a chat, shortened.

    The newest messages stay as they are, instructions and promises word for word; the rest is
    summarised. FILE is a file of chats as 'memfold import' reads them, or a memory file. With
    --json the messages are ready for a client.
    """
    from memfold import compress as shorten

    with _folded(place, file) as (_, user):
        name = latest_session(user, named=session)
        told = user.session(name).messages()
    if not told:
        raise NotFound(f"there is nothing in session {name!r}")
    found = shorten(
        [message.raw for message in told],
        window,
        max_tokens,
        at=told[-1].at,
        llm=_model(model, url) if model is not None else None,
    )
    if place.json:
        emit(compression_form(found))
        return
    for message in found.messages:
        say(f"{message['role']}: {readable(message)}\n")
    figures = ", ".join(
        f"{name.replace('_', ' ')} {value:.2f}" for name, value in found.quality.items()
    )
    note(
        f"{found.source_tokens:,} tokens before, {found.tokens:,} now"
        + (f"; {figures}" if figures else "")
    )


def _model(name: str, url: str | None) -> LLM:
    from memfold.llms.openai_compatible import OpenAICompatible

    return OpenAICompatible(name, base_url=url)


@contextmanager
def _folded(place: Place, file: str | None) -> Iterator[tuple[Memory, User]]:
    """The memory to report on, and the user's part of it."""
    if file is None or _is_memory(file):
        with (replace(place, db=file) if file is not None else place).opened() as opened:
            yield opened
        return
    from memfold import Memory
    from memfold.adapters.files import import_file

    with Memory(zone=place.zone) as memory:
        user = memory.user(place.user, tenant=place.tenant, agent=place.agent)
        with progress_bar("importing", percent=True) as advance:
            import_file(user, file, progress=advance)
        yield memory, user


def _is_memory(file: str) -> bool:
    with open(file, "rb") as opened:
        return opened.read(len(_SQLITE)) == _SQLITE


def _print(found: Quality) -> None:
    if not found.folds:
        say("nothing is folded yet: the newest messages stand as they are")
        return
    table = plain_table(
        ">level", ">folds", ">low", ">tokens", ">of", ">details", ">meaning", ">answers"
    )
    for level, figures in found.levels.items():
        table.add_row(
            str(level),
            *(f"{figures[name]:,.0f}" for name in ("folds", "low", "tokens", "source_tokens")),
            *(_share(figures, name) for name in _FIGURES),
        )
    screen().print(table)
    for each in found.low[:_SHOWN]:
        fold = each.fold
        where = f"{fold.session}, messages {fold.first + 1} to {fold.last + 1}"
        say(f"{fold.id} (level {fold.level}, {where}): {'; '.join(each.low)}")
    if len(found.low) > _SHOWN:
        say(f"and {len(found.low) - _SHOWN:,} more that fall short; --json has all")


_FIGURES = ("entity_retention", "semantic_similarity", "answers")


def _share(figures: Mapping[str, float], name: str) -> str:
    return f"{figures[name]:.2f}" if name in figures else "-"

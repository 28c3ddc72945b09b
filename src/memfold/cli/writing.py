"""Commands that put something in: ``add`` and ``import``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from memfold.cli.codes import OK, PARTIAL
from memfold.cli.console import binary_input, emit, note, progress_bar, say, text
from memfold.cli.forms import receipt_form
from memfold.cli.options import DEFAULT_SESSION, Place, memory_options, session_option, settle
from memfold.errors import InvalidInput

if TYPE_CHECKING:
    from memfold.adapters.files import ImportReport

_FORMATS = ("auto", "openai", "locomo", "longmemeval")
_LINES = 10


@click.command()
@memory_options
@session_option(f"Session to add to.  [default: {DEFAULT_SESSION}]")
@click.option("--at", help="Time of the message, ISO 8601.  [default: now]")
@click.option("--name", type=text, help="Who speaks, where one role has several.")
@click.option(
    "--key", type=text, help="Makes it idempotent: of writes with one key the first counts."
)
@click.option("--metadata", type=text, help="A JSON object to keep with it.")
@click.argument("role", type=text)
@click.argument("text", type=text)
def add(
    place: Place,
    *,
    session: str | None,
    at: str | None,
    name: str | None,
    key: str | None,
    metadata: str | None,
    role: str,
    text: str,
) -> None:
    """Add one message.

    ROLE is user, assistant, system, developer or tool; TEXT is what was said, or - to read it
    from standard input. It is on disk when this returns, and found by its words at once; its
    vector is made by the
    next command that searches.
    """
    content = _standard_input() if text == "-" else text
    fields = {"name": name} if name is not None else {}
    extra = _object(metadata) if metadata is not None else None
    with place.opened(make=True) as (_, user):
        chat = user.session(session or DEFAULT_SESSION)
        receipt = chat.add(role, content, at=at, key=key, metadata=extra, **fields)
    if place.json:
        emit(receipt_form(receipt))
        return
    item = receipt.items[0]
    say(f"{item.id or '-'} {item.outcome}" + (f": {item.reason}" if item.reason else ""))


def _standard_input() -> str:
    data = binary_input().read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input is not UTF-8 at byte {error.start}") from error
    return text.removesuffix("\n").removesuffix("\r")


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"--metadata is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInput("--metadata is a JSON object")
    return found


@click.command("import")
@memory_options
@session_option("Session for what names none itself.  [default: the file's name]")
@click.option(
    "--format",
    type=click.Choice(_FORMATS),
    default="auto",
    show_default=True,
    help="What the file is.",
)
@click.argument("file", type=click.Path(allow_dash=True))
def import_(place: Place, *, session: str | None, format: Any, file: str) -> int:
    """Import a file of chats.

    FILE may be plain or compressed (.xz, .gz); - is standard input.

    OpenAI-style JSON: a list of messages, {"messages": [...]}, or a list of such conversations.
    JSONL: a message or a conversation a line. A conversation may have "session" or "id", a
    message "session", "time" (or "timestamp", "created_at": ISO 8601 or seconds since 1970) and
    "metadata".

    The published LoCoMo and LongMemEval files are recognised; their sessions are named
    CONVERSATION/SESSION and QUESTION/SESSION, all in the one user's memory.

    Importing a file twice adds nothing, and after an interruption the import goes on where it
    was. Of a file that breaks off, what is whole is kept, and the line of the rest is told.
    """
    from memfold.adapters.files import import_file

    source = binary_input() if file == "-" else file
    with place.opened(make=True) as (memory, user):
        with progress_bar("importing") as advance:
            report = import_file(user, source, format=format, session=session, progress=advance)
        settle(memory, user)
    if place.json:
        emit(_report_form(report))
    else:
        _print_report(report, file)
    return PARTIAL if report.refused else OK


def _report_form(report: ImportReport) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(report)


def _print_report(report: ImportReport, file: str) -> None:
    say(
        f"{click.format_filename(file)}: {report.stored:,} messages stored, {report.known:,} known "
        f"already, {report.refused:,} refused; {len(report.sessions):,} sessions ({report.format})"
    )
    if report.erased:
        note(f"{report.erased:,} were erased on purpose earlier and are not brought back")
    for refusal in report.refusals[:_LINES]:
        note(f"line {refusal.line}: session {refusal.session!r}, message {refusal.index + 1}: "
             f"{refusal.reason}")  # fmt: skip
    if report.refused > _LINES:
        note(f"and {report.refused - _LINES:,} more refused")

"""The command ``import``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from memfold.cli.codes import FAILED, OK, PARTIAL
from memfold.cli.console import (
    Progress,
    binary_input,
    counted,
    emit,
    note,
    one_line,
    progress_bar,
    say,
    text,
)
from memfold.cli.forms import error_form
from memfold.cli.options import Place, memory_options, session_option, settle
from memfold.errors import ImportFailed, InvalidInput, MemfoldError

if TYPE_CHECKING:
    from memfold.adapters.files import ImportReport

_FORMATS: Final = ("auto", "openai", "locomo", "longmemeval")
_ENDINGS: Final = (".json", ".jsonl", ".ndjson")
_PACKED: Final = (".gz", ".xz")
_LINES: Final = 10
_PARTS: Final = 10_000  # of a file, for the progress bar


@click.command("import")
@memory_options
@session_option("Session for what names none itself.  [default: the file's name]")
@click.option(
    "--format",
    type=click.Choice(_FORMATS),
    default="auto",
    show_default=True,
    help="What the files are.",
)
@click.option(
    "--encoding", type=text, help="Of the files, where it is not UTF-8 (gb18030, utf-16-le …)."
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
def import_(
    place: Place, *, session: str | None, format: Any, encoding: str | None, files: Sequence[str]
) -> int:
    """Import files of chats.

    FILE may be plain or compressed (.xz, .gz); of a folder it is all .json, .jsonl and .ndjson
    files in it; - is standard input.

    OpenAI-style JSON: a list of messages, {"messages": [...]}, or a list of such conversations.
    JSONL: a message or a conversation a line. A conversation may have "session" or "id", a
    message "session", "time" (or "timestamp", "created_at": ISO 8601 or seconds since 1970) and
    "metadata". The conversations.json of ChatGPT's data export is read too.

    The published LoCoMo and LongMemEval files are recognised; their sessions are named
    CONVERSATION/SESSION and QUESTION/SESSION, all in the one user's memory.

    Importing a file twice adds nothing, and after an interruption the import goes on where it
    was. Another file of the same name gets a session of its own. Of a file that breaks off, what
    is whole is kept, and the line of the rest is told.
    """
    from memfold.adapters.files import import_file

    listed = list(_listed(files))
    done: list[tuple[str, ImportReport | MemfoldError]] = []
    with place.opened(make=True) as (memory, user):
        with progress_bar("importing", percent=True) as advance:
            for at, file in enumerate(listed):
                source = binary_input() if file == "-" else file
                try:
                    report = import_file(
                        user,
                        source,
                        format=format,
                        session=session,
                        encoding=encoding,
                        progress=_part(advance, at, len(listed)),
                    )
                except (ImportFailed, InvalidInput) as error:
                    if len(listed) == 1:
                        raise
                    note(f"memfold: {one_line(str(error))}")
                    done.append((file, error))
                else:
                    done.append((file, report))
                    if not place.json:
                        _print_report(report, file)
        settle(memory, user)
    if place.json:
        emit(_form(done))
    return _code([outcome for _, outcome in done])


def _listed(files: Sequence[str]) -> Iterator[str]:
    """The files, and in place of each folder the chat files in it."""
    for file in files:
        if not os.path.isdir(file):
            yield file
            continue
        found = [
            str(path)
            for path in sorted(Path(file).iterdir())
            if path.is_file() and _is_chat(path.name.lower())
        ]
        if not found:
            raise InvalidInput(f"{file}: no {', '.join(_ENDINGS)} file in this folder")
        yield from found


def _is_chat(name: str) -> bool:
    for ending in _PACKED:
        name = name.removesuffix(ending)
    return name.endswith(_ENDINGS)


def _part(advance: Progress, at: int, count: int) -> Progress:
    """Progress in one of ``count`` files as progress in all of them."""

    def report(done: int, total: int) -> None:
        if total:
            advance(at * _PARTS + done * _PARTS // total, count * _PARTS)

    return report


def _code(outcomes: Sequence[ImportReport | MemfoldError]) -> int:
    whole = [not isinstance(each, MemfoldError) and not each.refused for each in outcomes]
    if all(whole):
        return OK
    kept = [each.kept if isinstance(each, ImportFailed) else 0 for each in outcomes]
    read = any(not isinstance(each, MemfoldError) for each in outcomes)
    return PARTIAL if read or any(kept) else FAILED


def _form(done: Sequence[tuple[str, ImportReport | MemfoldError]]) -> dict[str, Any]:
    reports = [report for _, report in done if not isinstance(report, MemfoldError)]
    return {
        "stored": sum(report.stored for report in reports),
        "known": sum(report.known for report in reports),
        "erased": sum(report.erased for report in reports),
        "refused": sum(report.refused for report in reports),
        "sessions": list(dict.fromkeys(name for report in reports for name in report.sessions)),
        "files": [
            {"file": file, **({"error": error_form(outcome)})}
            if isinstance(outcome, MemfoldError)
            else {"file": file, **asdict(outcome)}
            for file, outcome in done
        ],
    }


def _print_report(report: ImportReport, file: str) -> None:
    name = click.format_filename(file)
    where = (
        f"session {one_line(report.sessions[0])!r}"
        if len(report.sessions) == 1
        else counted(len(report.sessions), "session")
    )
    say(
        f"{name}: {counted(report.stored, 'message')} stored, {report.known:,} known already, "
        f"{report.refused:,} refused; {where} ({report.format})"
    )
    for told in report.notes[:_LINES]:
        note(f"{name}: {told}")
    if report.erased:
        note(f"{name}: {report.erased:,} erased on purpose earlier, and not brought back")
    for refusal in report.refusals[:_LINES]:
        note(f"{name}: line {refusal.line}: session {refusal.session!r}, message "
             f"{refusal.index + 1}: {refusal.reason}")  # fmt: skip
    if report.refused > _LINES:
        note(f"{name}: {report.refused - _LINES:,} more refused")

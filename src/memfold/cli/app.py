"""The command group, and what becomes of errors: one clear line, and exit codes with a meaning."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

import memfold
from memfold.cli import bench, demo, folding, importing, reading, upkeep, writing
from memfold.cli.codes import CLOSED_PIPE, FAILED, INTERRUPTED, NOT_FOUND, OK, PARTIAL
from memfold.cli.console import abandon_output, emit, note, one_line, prepare_streams
from memfold.cli.forms import error_form
from memfold.errors import ImportFailed, MemfoldError, NotFound

_EPILOG = """
\b
Exit codes:
  0    done
  1    an error, told in one line (with --json as {"error": …} too)
  2    wrong usage
  3    a file was imported only in part: what could be kept is kept
  4    no such message, fold, session or memory file
  130  interrupted
"""


class _ClosedPipe(Exception):
    """Whoever read our output has stopped, as ``head`` does."""


class Program(click.Group):
    """A group whose commands return their exit code (None: 0) and may raise memfold's errors."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **extra: Any) -> Any:
        """Run the command line and exit with its code."""
        prepare_streams()
        given = list(sys.argv[1:] if args is None else args)
        as_json = "--json" in given
        try:
            result = super().main(args, *more, **{**extra, "standalone_mode": False})
            if sys.stdout is not None:
                sys.stdout.flush()
            code = result if isinstance(result, int) else OK
        except (_ClosedPipe, BrokenPipeError):
            abandon_output()
            code = CLOSED_PIPE
        except click.Abort:
            note("interrupted")
            code = INTERRUPTED
        except click.ClickException as error:
            error.show(sys.stderr)
            code = error.exit_code
            told = {"type": type(error).__name__, "message": error.format_message()}
            _tell(as_json, told, code)
        except (MemfoldError, OSError) as error:
            code = _failed(error, as_json=as_json)
        sys.exit(code)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which one meets them."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click would take a closed pipe for an error."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ClosedPipe from error


def _failed(error: MemfoldError | OSError, *, as_json: bool) -> int:
    """Tell of an error, and which exit code it has."""
    note(f"memfold: {one_line(str(error))}")
    code = FAILED
    if isinstance(error, NotFound):
        code = NOT_FOUND
    elif isinstance(error, ImportFailed) and error.kept:
        code = PARTIAL
    _tell(as_json, error_form(error), code)
    return code


def _tell(as_json: bool, error: dict[str, Any], code: int) -> None:
    if as_json:
        emit({"error": {**error, "exit_code": code}})


@click.group(
    "memfold", cls=Program, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(memfold.__version__, "-V", "--version", prog_name="memfold")
def main() -> None:
    """A memory for LLM agents, in one SQLite file: keep everything, recall what matters.

    Every command takes --json and then prints one JSON document on standard output; progress
    and messages go to standard error.
    """


for _command in (
    demo.demo,
    writing.add,
    importing.import_,
    reading.show,
    reading.search,
    reading.context,
    reading.expand,
    reading.sessions,
    reading.stats,
    folding.compress,
    folding.quality,
    upkeep.forget,
    upkeep.erase,
    upkeep.reindex,
    bench.bench,
):
    main.add_command(_command)

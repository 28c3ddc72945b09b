"""Standard output and error: UTF-8 on any console, JSON, tables, progress bars."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from memfold.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[int, int], None]
"""Called with what is done and the whole of it, 0 when that is not known."""

# Bytes that were no text in the locale's encoding stand in arguments as such.
_ESCAPED: Final = re.compile("[\udc80-\udcff]")
# Whatever may move a terminal's cursor, change its colours or ring its bell.
_CONTROL: Final = dict.fromkeys(
    {*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029} - {ord("\n"), ord("\t")}, "\ufffd"
)


def prepare_streams() -> None:
    """Write UTF-8, and something rather than nothing for what has no UTF-8.

    An encoding that PYTHONIOENCODING asks for is left as it is.
    """
    encoding = None if os.environ.get("PYTHONIOENCODING") else "utf-8"
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=encoding, errors="replace")


def binary_input() -> BinaryIO:
    """Standard input as bytes; InvalidInput where there is none."""
    if sys.stdin is None:
        raise InvalidInput("there is no standard input")
    # Unbuffered where that can be had: what is piped in is taken as it comes.
    stream: BinaryIO = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    return stream


def abandon_output() -> None:
    """Nobody reads any more: keep the interpreter from complaining about it at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def text(value: str) -> str:
    """An argument's text: UTF-8 even where the locale made Python take it for something else."""
    try:
        return os.fsencode(value).decode("utf-8") if _ESCAPED.search(value) else value
    except UnicodeError:
        return value


def printable(text: str) -> str:
    """``text`` without control characters, so that no message can play with a terminal."""
    return text.replace("\r\n", "\n").translate(_CONTROL)


def one_line(text: str, limit: int = 0) -> str:
    """``text`` on one line, cut to ``limit`` characters when that is given."""
    line = " ".join(printable(text).split())
    return f"{line[: limit - 1].rstrip()}…" if 0 < limit < len(line) else line


def counted(count: int, what: str) -> str:
    """So many of ``what``, which is in the singular and takes an s."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def say(text: str) -> None:
    """A line on standard output. click's echo would write UTF-8 to a stream that is to be ASCII."""
    print(text)


def note(text: str) -> None:
    """A line for people, on standard error."""
    print(printable(text), file=sys.stderr)


def emit(document: Any) -> None:
    """Print the one JSON document of a command.

    Non-ASCII text is escaped only where the stream could not carry it (lone surrogates too).
    """
    text = json.dumps(document, ensure_ascii=False, indent=2)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    say(text)


def screen(*, plain: bool = False, markup: bool = False) -> Console:
    """A rich console on standard output; without ``markup`` it takes text as it is."""
    from memfold.cli.terminal import Terminal

    return Terminal(
        file=sys.stdout,
        highlight=False,
        markup=markup,
        emoji=False,
        no_color=plain or None,
        force_terminal=False if plain else None,
    )


@contextmanager
def progress_bar(what: str, *, percent: bool = False) -> Iterator[Progress]:
    """A progress bar on a terminal's standard error, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    counts = TaskProgressColumn() if percent else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), counts, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total or None)

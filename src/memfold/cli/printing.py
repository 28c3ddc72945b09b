"""Messages, hits and contexts as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from memfold.cli.console import one_line, printable
from memfold.cli.options import Place
from memfold.text.chat import is_tool_output, readable
from memfold.types import Context, Hit, Message

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

ROLE_STYLES: Final[Mapping[str, str]] = {
    "user": "bold cyan",
    "assistant": "bold green",
    "tool": "bold yellow",
    "function": "bold yellow",
    "system": "bold magenta",
    "developer": "bold magenta",
}
_TOOL_CHARACTERS: Final = 600
_HIT_CHARACTERS: Final = 300
_INDENT: Final = "    "
_SHOWN_SOURCES: Final = 4


def print_messages(
    screen: Console, messages: Iterable[Message], place: Place, *, full: bool
) -> None:
    """Each message under a line with its id, time and speaker; long tool output cut short."""
    for message in messages:
        _heading(screen, message, place)
        text = message.text
        cut = 0 if full or not is_tool_output(message.raw) else _TOOL_CHARACTERS
        _block(screen, text[:cut] if cut else text)
        if 0 < cut < len(text):
            rest = len(text) - cut
            _line(
                screen, f"{_INDENT}… {rest:,} more characters: memfold expand {message.id}", "dim"
            )


def print_hits(screen: Console, hits: Sequence[Hit], place: Place) -> None:
    """Each hit with its rank, score and what the score was made of, and what matched."""
    for rank, hit in enumerate(hits, start=1):
        parts = "  ".join(f"{name} {value:+.2f}" for name, value in hit.parts.items())
        _heading(screen, hit.message, place, before=f"{rank:>2}. {hit.score:.2f}  ")
        start, end = hit.passage
        excerpt = one_line(hit.message.text[start:end], _HIT_CHARACTERS)
        _line(screen, f"{_INDENT}{excerpt}")
        _line(screen, f"{_INDENT}{parts}", "dim")


def print_context(screen: Console, context: Context) -> None:
    """The messages of a context, then why each piece is there."""
    for message in context.messages:
        role = str(message.get("role"))
        _line(screen, f"── {role} ──", ROLE_STYLES.get(role, "bold"))
        _line(screen, printable(readable(message)))
    trace = context.trace
    screen.print()
    screen.print(trace_table(context))
    _line(
        screen,
        f"{context.tokens:,} of at most {trace.budget:,} tokens; all that is remembered has "
        f"{trace.full_tokens:,}; {len(trace.left_out):,} pieces found no room",
    )


def trace_table(context: Context) -> Table:
    """Why each piece of a context is there."""
    table = plain_table("section", "sources", ">tokens", ">score", "why")
    for item in context.trace.shown:
        sources = " ".join(item.sources[:_SHOWN_SOURCES])
        more = len(item.sources) - _SHOWN_SOURCES
        table.add_row(
            item.section,
            f"{sources} +{more}" if more > 0 else sources,
            f"{item.tokens:,}",
            f"{item.score:.2f}" if item.score is not None else "",
            one_line(item.reason),
        )
    return table


def plain_table(*columns: str) -> Table:
    """A table with a line under its heads; ">" in front of a name sets it to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in columns:
        justify: Any = "right" if name.startswith(">") else "left"
        table.add_column(name.removeprefix(">"), justify=justify, overflow="fold")
    return table


def _heading(screen: Console, message: Message, place: Place, *, before: str = "") -> None:
    from rich.text import Text

    speaker = message.role if message.name is None else f"{message.role} ({message.name})"
    screen.print(
        Text.assemble(
            before,
            (message.id, "bold"),
            (f"  {place.shown(message.at)}  ", "dim"),
            (one_line(speaker), ROLE_STYLES.get(message.role, "bold")),
            (f"  {one_line(message.session)}" if before else "", "dim"),
        ),
        soft_wrap=True,
    )


def _block(screen: Console, text: str) -> None:
    lines = printable(text).split("\n")
    _line(screen, "\n".join(f"{_INDENT}{line}" if line.strip() else "" for line in lines))


def _line(screen: Console, text: str, style: str = "") -> None:
    # Not wrapped here: terminals do that, and pipes get lines as they are.
    screen.print(text, style=style or None, soft_wrap=True)

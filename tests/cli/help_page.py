"""Writes the reference part of docs/cli.md from the commands' own help.

Run ``python -m tests.cli.help_page`` after changing a command.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from memfold.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
MARK = "<!-- Below this line: written by python -m tests.cli.help_page -->\n"


def sections(command: click.Command, parent: click.Context | None = None) -> Iterator[str]:
    """The help of a command, then of its subcommands."""
    name = command.name if parent is None else f"{parent.command_path} {command.name}"
    context = click.Context(
        command,
        parent=parent,
        info_name=command.name,
        **{**command.context_settings, "terminal_width": 88, "max_content_width": 88},
    )
    level = "##" if parent is None else "###"
    yield f"{level} `{name}`\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from sections(found, context)


def page(text: str) -> str:
    """The page with its reference part written anew."""
    return text.partition(MARK)[0] + MARK + "\n" + "\n".join(sections(main))


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")

"""Writes the reference parts of docs/cli.md and docs/cli-bench.md from the commands' own help.

Run ``python -m tests.cli.help_page`` after changing a command.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from memfold.cli import main

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {DOCS / "cli.md": False, DOCS / "cli-bench.md": True}
"""The pages, and whether they tell of the benchmarks or of everything else."""
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
    if isinstance(command, click.Group) and command.name != "bench":
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from sections(found, context)


def benchmarks() -> Iterator[str]:
    """The help of the benchmarks."""
    parent = click.Context(main, info_name="memfold", **main.context_settings)
    group = main.get_command(parent, "bench")
    assert isinstance(group, click.Group)
    context = click.Context(group, parent=parent, info_name="bench")
    for child in group.list_commands(context):
        found = group.get_command(context, child)
        assert found is not None
        yield from sections(found, context)


def page(text: str, *, is_bench: bool) -> str:
    """The page with its reference part written anew."""
    found = benchmarks() if is_bench else sections(main)
    return text.partition(MARK)[0] + MARK + "\n" + "\n".join(found)


if __name__ == "__main__":
    for place, is_bench in PAGES.items():
        place.write_text(page(place.read_text("utf-8"), is_bench=is_bench), "utf-8")

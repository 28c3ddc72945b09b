"""Every command is documented, by its help and on the page made of it."""

import click
import pytest
from tests.cli.help_page import PAGES, page

from memfold.cli import main


def commands(group: click.Group, path: tuple[str, ...] = ()):
    for name, command in group.commands.items():
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


ALL = dict(commands(main))


@pytest.mark.parametrize(("place", "is_bench"), PAGES.items(), ids=["cli", "cli-bench"])
def test_the_pages_are_up_to_date(place, is_bench):
    text = place.read_text("utf-8")
    assert page(text, is_bench=is_bench) == text, "run: python -m tests.cli.help_page"


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help(memfold, path):
    for option in ("--help", "-h"):
        ran = memfold(*path, option)
        assert ran.code == 0
        assert ran.out.startswith(f"Usage: memfold {' '.join(path)} ")


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_and_option_says_what_it_does(path):
    command = ALL[path]
    assert "..." not in command.get_short_help_str(), "the first line is short enough to list"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.name} has no help"


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_can_print_json(path):
    if not isinstance(ALL[path], click.Group):
        assert "--json" in {name for option in ALL[path].params for name in option.opts}


def test_the_commands_there_are():
    assert set(main.commands) == {
        "demo", "import", "add", "show", "search", "context", "expand", "sessions", "stats",
        "compress", "quality", "forget", "erase", "reindex", "bench",
    }  # fmt: skip

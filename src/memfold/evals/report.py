"""A benchmark's result as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "Share of the evidence among the first k found": {
        "evidence_recall": "recall\n@{}",
        "hit": "any\n@{}",
        "session_all": "sessions\n@{}",
    },
    "Questions with all evidence among the first k found": {"all_recall": "@{}"},
    "Questions with all evidence in a context of at most so many tokens": {
        "evidence_in_context": "{}"
    },
    "Questions with the answer in a context of at most so many tokens": {"answer_in_context": "{}"},
}
"""Titles, and what the columns of each metric are called: narrow enough for eighty columns."""

_BASELINES: Final[Mapping[str, str]] = {
    "full": "full history",
    "window": "last messages",
    "bm25": "plain BM25",
}
_RULES: Final[Mapping[str, str]] = {
    "whole": "A message is in a context when its whole text is.",
    "excerpt": "A message is in a context when its whole text is, or the sentences of it that hold"
    " the answer's words.",
}


def print_report(result: Mapping[str, Any], console: Console | None = None) -> None:
    """Print the result of :func:`memfold.evals.run`, by default to standard output."""
    from rich.console import Console

    out = console or Console()
    for part in _parts(result):
        out.print(part, highlight=False)


def _parts(result: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield _heading(result)
    for title, names in _TABLES.items():
        columns = [(metric, at) for metric in names for at in result.get(metric, {})]
        if columns:
            headers = [names[metric].format(f"{int(at):,}") for metric, at in columns]
            yield f"[bold]{title}[/bold]"
            yield _table(result, columns, headers)
    yield _RULES[result["containment"]]
    yield _costs(result)


def _heading(result: Mapping[str, Any]) -> str:
    from rich.markup import escape

    details = result["details"]
    skipped = ", ".join(f"{count} {escape(reason)}" for reason, count in result["skipped"].items())
    lines = [
        f"[bold]{result['dataset']}[/bold], strategy {result['strategy']},"
        f" memfold {result['version']}",
        f"{result['questions']:,} questions on {details['cases']:,} histories of"
        f" {details['history_tokens']:,} tokens on average;"
        f" {details['messages']:,} messages in all",
    ]
    if skipped:
        lines.append(f"not scored: {skipped}")
    if dropped := details["dropped_evidence_ids"]:
        lines.append(f"evidence ids that name no message, dropped: {dropped}")
    return "\n".join(lines)


def _table(result: Mapping[str, Any], columns: list[tuple[str, str]], headers: list[str]) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("")
    table.add_column("asked", justify="right", no_wrap=True)
    for header in headers:
        table.add_column(header, justify="right", min_width=5)
    for name, row in result["by_category"].items():
        if not any(metric in row for metric, _ in columns):
            continue
        table.add_row(escape(name), f"{row['questions']:,}", *_cells(row, columns))
        bm25 = result["baselines"]["bm25"]["by_category"][name]
        table.add_row("  plain BM25", "", *_cells(bm25, columns), style="dim")
    table.add_section()
    table.add_row("all", f"{result['questions']:,}", *_cells(result, columns), style="bold")
    for name, shown in _BASELINES.items():
        table.add_row(shown, "", *_cells(result["baselines"][name], columns), style="dim")
    return table


def _cells(row: Mapping[str, Any], columns: list[tuple[str, str]]) -> list[str]:
    values = [row.get(metric, {}).get(at) for metric, at in columns]
    return ["–" if value is None else f"{value:.3f}" for value in values]


def _costs(result: Mapping[str, Any]) -> str:
    details, latency = result["details"], result["latency_ms"]
    times = [f"add p50 {latency['add_p50']:.1f}, p95 {latency['add_p95']:.1f}"]
    if "context_p50" in latency:
        times.append(f"context p50 {latency['context_p50']:.1f}, p95 {latency['context_p95']:.1f}")
    times.append(f"search p50 {latency['search_p50']:.1f}")
    used = ", ".join(
        f"{tokens:,} of {int(budget):,}" for budget, tokens in details["context_tokens"].items()
    )
    return "\n".join(
        [
            f"milliseconds: {'; '.join(times)}",
            f"tokens of a context, on average: {used}; of all contexts: {result['tokens']:,}",
            f"{result['seconds']:,.1f} seconds; {details['embedded']:,} texts embedded,"
            f" {details['cached_embeddings']:,} known from other histories",
        ]
    )


def print_speed(result: Mapping[str, Any], console: Console | None = None) -> None:
    """Print the result of :func:`memfold.evals.speed`, by default to standard output."""
    from rich.console import Console

    out = console or Console()
    for line in _speed_lines(result):
        out.print(line, highlight=False, markup=False)


def print_agents(results: Sequence[Mapping[str, Any]], console: Console | None = None) -> None:
    """Print results of :func:`memfold.evals.agents`, by default to standard output."""
    from rich.console import Console

    out = console or Console()
    first = results[0]
    counts = (f"{first['runs']} runs", f"{first['steps']:,} steps", f"{first['reused']:,}")
    out.print(f"{', '.join(counts)} identifiers used again", highlight=False, markup=False)
    for result in results:
        out.print(
            f"in {result['room']:,} tokens: {result['saved']:.0%} of the history saved;"
            f" {result['in_context']:.3f} in the context, {result['available']:.3f} there or by"
            f" a handle; in the newest messages {result['window']:.3f}",
            highlight=False,
            markup=False,
        )


def print_prefixes(result: Mapping[str, Any], console: Console | None = None) -> None:
    """Print the result of :func:`memfold.evals.prefixes`, by default to standard output."""
    from rich.console import Console

    out = console or Console()
    for line in (
        f"{result['dataset']}: {result['prompts']:,} prompts of {result['sessions']} sessions,"
        f" {result['tokens']:,} tokens on average, {result['budget']:,} at most",
        f"unchanged beginning: {result['unchanged_prefix']:.3f} of a prompt's tokens,"
        f" {result['unchanged_prefix_second_half']:.3f} in the second half",
        f"of a prompt of the newest messages: {result['unchanged_prefix_window']:.3f}",
    ):
        out.print(line, highlight=False, markup=False)


def _speed_lines(result: Mapping[str, Any]) -> Iterator[str]:
    ingest, resident = result["ingest_per_second"], result["resident"]
    yield f"memfold {result['version']} on {result['machine']}"
    yield f"add, durable: {_ms(result['add_ms'])}"
    yield (
        f"ingest of {ingest['messages']:,} messages with vectors: {ingest['with_vectors']:,.0f}/s,"
        f" {ingest['ratio']:.2f} of the embedder alone ({ingest['embedder_alone']:,.0f}/s)"
    )
    yield f"with vectors and folds: {ingest['with_folds']:,.0f}/s"
    yield f"without vectors: {ingest['without_vectors']:,.0f}/s"
    for size, taken in result["context_ms"].items():
        yield f"context over {int(size):,} messages: {_ms(taken)}"
    if resident["mb"] is not None:
        yield f"resident memory with {resident['messages']:,} messages: {resident['mb']:,} MB"


def _ms(taken: Mapping[str, float]) -> str:
    return f"p50 {taken['p50']:.1f} ms, p95 {taken['p95']:.1f} ms"

"""The result of a comparison as one page that needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from memfold.evals.compare.charts import Bar, Series, bars, curves
from memfold.evals.compare.drift import AS_FAR, EXPANDED, RUNNING, TREE, WAYS
from memfold.evals.compare.markup import Markup, joined, table, tag
from memfold.evals.compare.report import (
    MISSING,
    UNBOUNDED,
    WAY_NAMES,
    about,
    budgets,
    measures,
    notes,
    share,
)
from memfold.evals.compare.style import STYLE

_OURS: Final = "memfold"
_COLOURS: Final = 8
# Whatever a name may hold, nothing is loaded and nothing is run.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def comparison_page(result: Mapping[str, Any]) -> str:
    """An HTML document of the result of :func:`memfold.evals.compare`, to be kept as UTF-8."""
    title = f"Ways to remember, compared on {result['dataset']}"
    head = tag(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", title),
        tag("style", Markup(STYLE)),
    )
    body = tag(
        "body",
        tag("h1", title),
        _facts(result),
        *_curves(result),
        *_drift(result),
        *_bars(result),
        *_tables(result),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _facts(result: Mapping[str, Any]) -> Markup:
    files = (
        joined([f"{name}, SHA-256 ", tag("code", sum)]) for name, sum in result["files"].items()
    )
    return tag("ul", *(tag("li", line) for line in [*about(result), *files]), class_="facts")


def _curves(result: Mapping[str, Any]) -> Iterator[Markup]:
    """What the contexts hold, over the tokens they take."""
    wanted: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], float | None]]] = {
        "Evidence in the context": (
            "questions with all evidence shown",
            lambda row: row["evidence_in_context"],
        ),
        "Answers by the reader": (
            "questions answered rightly",
            lambda row: row.get("answers", {}).get("accuracy"),
        ),
    }
    for title, (y, figure) in wanted.items():
        series = [
            Series(
                name=name,
                colour=colour,
                strong=name == _OURS,
                points=sorted(
                    (max(row["tokens"], 1.0), value)
                    for row in rows.values()
                    if (value := figure(row)) is not None
                ),
            )
            for name, colour, rows in _coloured(result)
        ]
        if any(each.points for each in series):
            drawn = curves(series, title=title, x="tokens used, on average", y=y, log=True)
            yield tag("h2", title)
            yield tag("figure", drawn)


def _drift(result: Mapping[str, Any]) -> Iterator[Markup]:
    drift = result["drift"]
    if not drift["stretches"]:
        return
    colours = {RUNNING: 2, AS_FAR: 5, TREE: 0, EXPANDED: 4}
    series = [
        Series(
            name=WAY_NAMES[way],
            colour=colours[way],
            strong=way == TREE,
            points=[
                (float(number), value)
                for number, value in enumerate(drift[way], start=1)
                if value is not None
            ],
        )
        for way in WAYS
    ]
    yield tag("h2", "Drift")
    yield tag(
        "p",
        "Protected details of a first segment that are still in the text after it has been folded"
        f" again and again; {drift['stretches']:,} stretches.",
        class_="note",
    )
    yield tag(
        "figure",
        curves(series, title="Drift", x="rounds of folding", y="details still there", log=False),
    )


def _bars(result: Mapping[str, Any]) -> Iterator[Markup]:
    """What each strategy costs at its largest budget."""
    costs: Mapping[str, tuple[Callable[[Mapping[str, Any]], float], str]] = {
        "Milliseconds of a context (p50)": (lambda row: row["context_ms"]["p50"], "{:,.1f}"),
        "Milliseconds of a context (p95)": (lambda row: row["context_ms"]["p95"], "{:,.1f}"),
        "Milliseconds to take in a message (p50)": (
            lambda row: row["ingest_ms_per_message"]["p50"],
            "{:,.2f}",
        ),
        "Calls of the model for summaries": (lambda row: row["llm_calls"], "{:,}"),
    }
    yield tag("h2", "Costs")
    yield tag("p", "At the largest budget of each.", class_="note")
    for title, (cost, form) in costs.items():
        rows = []
        for name, colour, by_budget in _coloured(result):
            value = cost(list(by_budget.values())[-1])
            rows.append(Bar(name=name, colour=colour, value=value, label=form.format(value)))
        yield tag("h3", title)
        yield tag("figure", bars(rows, title=title))


def _tables(result: Mapping[str, Any]) -> Iterator[Markup]:
    columns = budgets(result)
    head = ["tokens", *(each if each == UNBOUNDED else f"{int(each):,}" for each in columns)]
    yield tag("h2", "All figures")
    for title, rows in measures(result):
        cells = {
            name: [row.get(budget, MISSING) for budget in columns] for name, row in rows.items()
        }
        yield tag("h3", title)
        yield tag("div", table(head, cells, strong=_OURS), class_="scroll")
    drift = result["drift"]
    if drift["stretches"]:
        yield tag("h3", "Details of a first segment after so many rounds of folding")
        told = {WAY_NAMES[way]: [share(value) for value in drift[way]] for way in WAYS}
        head = ["rounds", *(str(number) for number, _ in enumerate(drift[TREE], start=1))]
        yield tag("div", table(head, told, strong=WAY_NAMES[TREE]), class_="scroll")
    yield from (tag("p", line, class_="note") for line in notes(result))


def _coloured(
    result: Mapping[str, Any],
) -> Iterator[tuple[str, int, Mapping[str, Mapping[str, Any]]]]:
    """Each strategy with its colour, ours the first of them, and its figures by budget."""
    number = 0
    for name, rows in result["strategies"].items():
        if name != _OURS:
            number = number % (_COLOURS - 1) + 1
        yield name, 0 if name == _OURS else number, rows

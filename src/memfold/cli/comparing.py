"""``memfold bench compare``: memfold beside other ways to remember."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memfold.cli.console import emit, note, progress_bar, screen
from memfold.cli.options import json_option
from memfold.errors import InvalidInput

if TYPE_CHECKING:
    from memfold.evals import Dataset, Models
    from memfold.protocols import LLM


def _numbers(
    context: click.Context, option: click.Parameter, value: str | None
) -> Sequence[int] | None:
    """Whole numbers above zero between commas."""
    if value is None:
        return None
    try:
        found = [int(each) for each in value.split(",")]
    except ValueError:
        raise click.BadParameter(f"{value!r} is not numbers between commas") from None
    if min(found) < 1:
        raise click.BadParameter("budgets are above zero")
    return found


def _names(
    context: click.Context, option: click.Parameter, value: str | None
) -> Sequence[str] | None:
    return None if value is None else [each.strip() for each in value.split(",")]


_OPTIONS: Sequence[Callable[[Any], Any]] = (
    click.option(
        "--budgets",
        metavar="N,N,…",
        callback=_numbers,
        help="Tokens of a context.  [default: 500,1000,2000,4000]",
    ),
    click.option(
        "--strategies",
        metavar="NAME,…",
        callback=_names,
        help="Only these: full, window, recursive-summary, summary-only, vector-only,"
        " generative-agents, chunk-bank, memfold.  [default: all]",
    ),
    click.option(
        "--limit", type=click.IntRange(min=1), help="Ask only the first so many questions."
    ),
    click.option("--llm", metavar="MODEL", help="Have this model write the summaries."),
    click.option(
        "--reader", metavar="MODEL", help="Have this model answer each question from each context."
    ),
    click.option(
        "--judge", metavar="MODEL", help="Have this model judge the answers.  [default: the reader]"
    ),
    click.option(
        "--url",
        metavar="URL",
        help="Where an OpenAI-compatible server has the models.  [default: OpenAI's]",
    ),
    click.option(
        "--html",
        metavar="FILE",
        type=click.Path(dir_okay=False),
        help="Write a page with curves and all figures, too.",
    ),
    json_option,
    click.argument(
        "dataset", type=click.Choice(["locomo", "longmemeval", "beam", "memdaily", "demo"])
    ),
    click.argument("file", type=click.Path(), required=False),
)


def _with_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@_with_options
def compare(
    *,
    dataset: str,
    file: str | None,
    budgets: Sequence[int] | None,
    strategies: Sequence[str] | None,
    limit: int | None,
    html: str | None,
    as_json: bool,
    **models: str | None,
) -> None:
    """Ways to remember, side by side.

    The whole history, the last messages, a running summary, folds alone, vectors alone, the score
    of Generative Agents, a bank of chunks, and memfold: what each shows of the evidence, and what
    it costs. FILE is what the data set's own command takes; demo, the sample conversations, needs
    none.
    """
    from memfold import evals

    asked = _models(**models)
    loaded = _loaded(dataset, file)
    with progress_bar("running") as advance:
        result = evals.compare(
            loaded,
            strategies=strategies or tuple(evals.POLICIES),
            budgets=budgets or evals.BUDGETS,
            limit=limit,
            progress=advance,
            models=asked,
        )
    if html is not None:
        Path(html).write_text(evals.comparison_page(result), "utf-8", errors="replace")
        note(f"written: {html}")
    if as_json:
        emit(result)
    else:
        evals.print_comparison(result, screen())


def _loaded(name: str, file: str | None) -> Dataset:
    from memfold import evals

    if (file is None) != (name == "demo"):
        needs = "needs no file" if name == "demo" else "needs a file"
        raise click.UsageError(f"{name} {needs}")
    return evals.samples() if file is None else evals.load(name, file)


def _models(*, llm: str | None, reader: str | None, judge: str | None, url: str | None) -> Models:
    from memfold.evals import Models

    if judge is not None and reader is None:
        raise InvalidInput("a judge needs answers to judge: --reader names who gives them")
    if url is not None and llm is None and reader is None:
        raise InvalidInput("--url is of no use without --llm or --reader")
    return Models(llm=_model(llm, url), reader=_model(reader, url), judge=_model(judge, url))


def _model(name: str | None, url: str | None) -> LLM | None:
    if name is None:
        return None
    from memfold.llms.openai_compatible import OpenAICompatible

    return OpenAICompatible(name, base_url=url)

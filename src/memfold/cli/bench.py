"""``memfold bench``: how well memfold does, on published data and for speed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from memfold.cli.comparing import compare
from memfold.cli.console import emit, progress_bar, screen
from memfold.cli.options import MODES, json_option

if TYPE_CHECKING:
    from memfold.evals import Progress

strategy_option = click.option(
    "--strategy",
    type=click.Choice(MODES),
    default="memfold",
    show_default=True,
    help="How messages are found.",
)
limit_option = click.option(
    "--limit", type=click.IntRange(min=1), help="Ask only the first so many questions."
)


@click.group()
def bench() -> None:
    """Run a benchmark.

    Beside every figure stand those of the whole history, the last messages and plain BM25. The
    published files are read as they are.
    """


def _dataset(name: str, *, metavar: str, about: str, help: str) -> click.Command:
    """The command of a published data set."""

    @click.command(name, help=f"{about}\n\n{help}")
    @strategy_option
    @click.option(
        "--budget",
        "budgets",
        multiple=True,
        type=click.IntRange(min=1),
        help="Tokens of a context; repeatable.  [default: 500, 1000, 2000 and 4000]",
    )
    @limit_option
    @json_option
    @click.argument("path", metavar=metavar, type=click.Path())
    def command(
        *, strategy: Any, budgets: tuple[int, ...], limit: int | None, as_json: bool, path: str
    ) -> None:
        from memfold import evals

        dataset = evals.load(name, path)
        _run(
            lambda progress: evals.run(
                dataset,
                strategy=strategy,
                budgets=budgets or evals.BUDGETS,
                limit=limit,
                progress=progress,
            ),
            as_json=as_json,
        )

    return command


for _command in (
    _dataset(
        "locomo",
        metavar="FILE",
        about="Chats of two people, in English.",
        help="LoCoMo: some twenty sessions over months each. FILE is .json or .json.xz.",
    ),
    _dataset(
        "longmemeval",
        metavar="FILE",
        about="Questions over fifty chats each.",
        help="LongMemEval: chats with an assistant, in English. FILE is .json or .json.xz.",
    ),
    _dataset(
        "beam",
        metavar="FOLDER",
        about="Chats of 100,000 tokens and more.",
        help="BEAM: questions of ten kinds, in English. FOLDER holds a folder for each chat.",
    ),
    _dataset(
        "memdaily",
        metavar="FOLDER",
        about="Daily remarks, in Chinese.",
        help="MemDaily: streams of remarks, fifty to a history. FOLDER holds its files.",
    ),
):
    bench.add_command(_command)


bench.add_command(compare)


@bench.command()
@strategy_option
@limit_option
@json_option
@click.argument("file", type=click.Path())
def stretches(*, strategy: Any, limit: int | None, as_json: bool, file: str) -> None:
    """A hundred messages in 500 tokens.

    How much of the evidence is still there, for each hundred messages of a LoCoMo FILE.
    """
    from memfold import evals

    _run(
        lambda progress: evals.stretches(file, strategy=strategy, limit=limit, progress=progress),
        as_json=as_json,
    )


@bench.command()
@click.option(
    "--skip",
    type=click.IntRange(min=0),
    default=0,
    help="Leave out the first so many conversations.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), help="Fold only the first so many conversations."
)
@json_option
@click.argument("dataset", type=click.Choice(["locomo", "memdaily", "demo"]))
@click.argument("file", type=click.Path(), required=False)
def folds(*, skip: int, limit: int | None, as_json: bool, dataset: str, file: str | None) -> None:
    """What folds keep of a conversation.

    Details, meaning and answers, beside other ways to spend the same tokens. FILE is LoCoMo's
    file or MemDaily's folder; demo, the sample conversations, needs none.
    """
    from memfold import evals

    with progress_bar("running") as advance:
        result = evals.folds(dataset, file, skip=skip, limit=limit, progress=advance)
    if as_json:
        emit(result)
    else:
        evals.print_folds(result, screen())


@bench.command()
@click.option(
    "--limit", type=click.IntRange(min=1), help="Go through only the first so many conversations."
)
@json_option
@click.argument("dataset", type=click.Choice(["locomo", "longmemeval", "beam", "memdaily"]))
@click.argument("file", type=click.Path())
def prefix(*, limit: int | None, as_json: bool, dataset: str, file: str) -> None:
    """How much of each prompt is as it was.

    The share of a prompt's tokens that a provider's cache has seen at the beginning of the one
    before, over sessions of 200 messages made of FILE's, in 4,000 tokens.
    """
    from memfold import evals

    loaded = evals.load(dataset, file)
    with progress_bar("running") as advance:
        result = evals.prefixes(loaded, limit=limit, progress=advance)
    if as_json:
        emit(result)
    else:
        evals.print_prefixes(result, screen())


@bench.command()
@click.option(
    "--room",
    "rooms",
    multiple=True,
    type=click.IntRange(min=1),
    help="Tokens of a context beside the system text; repeatable.  [default: 1000 and 600]",
)
@click.option("--limit", type=click.IntRange(min=1), help="Go through only the first so many runs.")
@json_option
@click.argument("path", type=click.Path())
def agents(*, rooms: tuple[int, ...], limit: int | None, as_json: bool, path: str) -> None:
    """Agents' runs with tools.

    What a context in place of the history saves at each step, and whether the identifiers that
    the step uses again are there. PATH is tau-bench's file, or a SWE-agent run or folder.
    """
    from memfold import evals

    runs = evals.transcripts(path)[:limit]
    results = []
    for room in rooms or evals.ROOMS:
        with progress_bar(f"in {room:,} tokens") as advance:
            results.append(evals.agents(runs, room=room, progress=advance))
    if as_json:
        emit({"results": results})
    else:
        evals.print_agents(results, screen())


@bench.command()
@strategy_option
@json_option
def crosslingual(*, strategy: Any, as_json: bool) -> None:
    """Facts across English and Chinese.

    How often a fact told in one language is found by a question in the other, on memfold's own
    fifty pairs.
    """
    from memfold import evals

    _run(lambda progress: evals.crosslingual(strategy=strategy, progress=progress), as_json=as_json)


@bench.command()
@click.option(
    "--size",
    "sizes",
    multiple=True,
    type=click.IntRange(min=1),
    help="Messages in the history; repeatable.  [default: 1000, 10000 and 100000]",
)
@json_option
def speed(*, sizes: tuple[int, ...], as_json: bool) -> None:
    """Time and memory that memfold takes.

    On made-up chat in both languages; the machine should be idle.
    """
    from memfold import evals

    _run(
        lambda progress: evals.speed(sizes=sizes or evals.SIZES, progress=progress),
        as_json=as_json,
        speed=True,
    )


def _run(
    measure: Callable[[Progress], Mapping[str, Any]], *, as_json: bool, speed: bool = False
) -> None:
    """Measure behind a progress bar, and print."""
    from memfold import evals

    with progress_bar("running") as advance:
        result = measure(advance)
    if as_json:
        emit(result)
    elif speed:
        evals.print_speed(result, screen())
    else:
        evals.print_report(result, screen(markup=True))

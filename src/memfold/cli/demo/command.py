"""The command itself: tells, asks, shows."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

import memfold
from memfold.cli.console import emit, progress_bar, screen
from memfold.cli.options import json_option
from memfold.errors import InvalidInput

if TYPE_CHECKING:
    from memfold.cli.demo.screen import Screen
    from memfold.cli.demo.story import Story
    from memfold.protocols import Embedder

_ALL: Final = "both"


@click.command()
@click.option(
    "--lang",
    type=click.Choice(("en", "zh", _ALL)),
    default=_ALL,
    show_default=True,
    help="Which of the sample conversations.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Tokens of the contexts that are shown.",
)
@click.option("--keep", type=click.Path(), help="Keep the memory in this (new) file.")
@click.option("--plain", is_flag=True, help="No colours, and frames in ASCII.")
@json_option
def demo(*, lang: str, budget: int, keep: str | None, plain: bool, as_json: bool) -> None:
    """See what memfold does.

    Tells the sample conversations that come with memfold, in English and Chinese, to a memory
    in a temporary file, and asks about what the model's window has long forgotten. Everything
    is computed while you look on.
    """
    from memfold.cli.demo.story import LANGUAGES
    from memfold.embedders.use import UniversalSentenceEncoder
    from memfold.evals.embedding import RememberingEmbedder

    began = time.perf_counter()
    languages = LANGUAGES if lang == _ALL else (lang,)
    # The score tells the same texts once more; they are embedded once.
    embedder = RememberingEmbedder(UniversalSentenceEncoder())
    shows = None if as_json else {each: _screen(each, plain) for each in languages}
    with _file(keep) as path, ExitStack() as stack:
        show = _Show(path, budget, embedder, shows, stack)
        for language in languages:
            show.tell(language)
        show.score()
        show.cross()
        if shows is not None:
            example = f'memfold search --db {keep} --user demo-{languages[0]} "GPU"'
            shows[languages[0]].end(time.perf_counter() - began, keep, example)
    if as_json:
        emit({"version": memfold.__version__, "budget": budget, **show.figures,
              "seconds": round(time.perf_counter() - began, 1)})  # fmt: skip


def _screen(language: str, plain: bool) -> Screen:
    from memfold.cli.demo.screen import Screen

    return Screen(screen(plain=plain), language, plain=plain)


@contextmanager
def _file(keep: str | None) -> Iterator[Path]:
    """Where the memory lies: in a temporary folder, unless it is to be kept."""
    if keep is not None:
        if os.path.lexists(keep):
            raise InvalidInput(f"{keep} is there already: --keep makes a new file")
        yield Path(keep)
        return
    # Windows keeps a file in use for a moment after it is closed.
    with tempfile.TemporaryDirectory(prefix="memfold-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "demo.db"


class _Show:
    """Runs the parts, showing each as soon as it is there, and collects the figures."""

    def __init__(
        self,
        path: Path,
        budget: int,
        embedder: Embedder,
        shows: dict[str, Screen] | None,
        stack: ExitStack,
    ) -> None:
        self._path = path
        self._budget = budget
        self._embedder = embedder
        self._shows = shows
        self._stack = stack
        self._stories: list[Story] = []
        self.figures: dict[str, Any] = {"languages": {}}

    @property
    def _first(self) -> Screen | None:
        return next(iter(self._shows.values())) if self._shows else None

    def tell(self, language: str) -> None:
        """Parts 1 to 5, of one language."""
        from memfold.cli.demo.forms import story_form
        from memfold.cli.demo.story import Story, sample

        show = self._shows[language] if self._shows else None
        told = sample(language)
        if show:
            show.title(told.title)
        with progress_bar(told.title):
            story = self._stack.enter_context(Story(self._path, told, embedder=self._embedder))
        self._stories.append(story)
        if show:
            show.happened(story)
            show.forgot(story)
            show.outline(story, story.outline())
        asked = story.ask(told.questions[0], self._budget)
        if show:
            show.context(asked, self._budget)
        others = [story.ask(question, self._budget) for question in story.others()]
        if show:
            show.more(others)
        self.figures["languages"][language] = story_form(story, asked, others)

    def score(self) -> None:
        """Part 6: all questions."""
        from memfold.cli.demo.forms import score_form
        from memfold.cli.demo.scoreboard import scores

        with progress_bar("asking all questions") as advance:
            found = scores(self._stories, embedder=self._embedder, progress=advance)
        if show := self._first:
            show.score(found)
        self.figures["scores"] = {score.language: score_form(score) for score in found}

    def cross(self) -> None:
        """Part 7: each language's question to the other's memory."""
        from memfold.cli.demo.forms import crossed_form
        from memfold.cli.demo.story import cross

        if len(self._stories) < 2:
            return
        one, other = self._stories
        found = [cross(one, other), cross(other, one)]
        if show := self._first:
            show.crossed(found)
        self.figures["across"] = [crossed_form(each) for each in found]

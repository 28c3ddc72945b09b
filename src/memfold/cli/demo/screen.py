"""The demo on a screen: panels and tables in a terminal, readable lines in a pipe."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from memfold import Context, Fold, Message
from memfold.cli.console import one_line, printable
from memfold.cli.demo.scoreboard import BUDGETS, SYSTEMS, Score
from memfold.cli.demo.story import CROSS_K, Asked, Crossed, Evidence, Story
from memfold.cli.demo.wording import WORDINGS
from memfold.cli.printing import ROLE_STYLES
from memfold.text.chat import readable

_WIDEST: Final = 112
_BAR: Final = 8
_EVIDENCE: Final = "bold black on bright_yellow"
# Where something new begins in a recalled text: a message or fold with its id, or a day.
_ENTRY: Final = re.compile(r"(?P<id>[mf]\d+)\s|\[?\d{4}-\d\d-\d\d")
_ROW_NAMES: Final[Mapping[str, str]] = {"window": "window_row"}


class Screen:
    """Shows the parts of the demo one after the other, in the words of one language."""

    def __init__(self, console: Console, language: str, *, plain: bool) -> None:
        self._console = console
        console.width = min(console.width, _WIDEST)
        self._words = WORDINGS[language]
        self._plain = plain
        ascii_only = plain or not console.encoding.startswith("utf")
        self._yes, self._no = ("yes", "no") if ascii_only else ("✓", "✗")
        self._pointer = "> " if ascii_only else "▶ "
        self._arrow = "->" if ascii_only else "→"
        self._full, self._empty = ("#", ".") if ascii_only else ("█", "░")
        self._box = box.ASCII if ascii_only else box.ROUNDED
        self._line = "-" if ascii_only else "─"

    def title(self, text: str) -> None:
        """The head of it all, or of one language's part."""
        self._console.print()
        self._console.print(Rule(Text(one_line(text), "bold"), characters=self._line, style="cyan"))

    def happened(self, story: Story) -> None:
        """Part 1: what was told, and what that took."""
        self._heading(1, "happened")
        self._print(
            self._words["told"].format(
                messages=len(story.messages),
                days=story.days,
                tokens=story.tokens,
                tools=story.tools,
                stored=story.stored_seconds * 1000,
                derived=story.derived_seconds,
            )
        )

    def forgot(self, story: Story) -> None:
        """Part 2: the last messages, and what is not among them."""
        self._heading(2, "forgot")
        lines = [self._spoken(message) for message in story.window]
        title = self._words["window"].format(count=len(story.window))
        self._console.print(self._panel(lines, title))
        question = story.sample.questions[0]
        fact = story.evidence(question)[0]
        self._question(question["question"])
        if fact in story.window:
            self._print(self._words["there"])
            return
        ago = len(story.messages) - fact.position
        day = fact.at.astimezone(story.sample.zone).date().isoformat()
        missing = self._words["not_there"].format(ago=ago, day=day)
        self._console.print(Text.assemble((f"{self._no} ", "bold red"), missing))

    def outline(self, story: Story, folds: Sequence[Fold]) -> None:
        """Part 3: the folds that stand for the past."""
        self._heading(3, "outline")
        heads = ("fold", "level", "messages", "tokens", "gist")
        table = self._table(*(self._words[head] for head in heads))
        for fold in folds:
            table.add_row(
                fold.id,
                f"{fold.level}",
                f"{fold.first + 1}–{fold.last + 1}",
                f"{story.tokens_of([fold]):,} {self._arrow} {fold.tokens:,}",
                one_line(fold.headline),
            )
        self._console.print(table)
        self._print(
            self._words["outline_sum"].format(
                source=story.tokens_of(folds), tokens=sum(fold.tokens for fold in folds)
            )
        )

    def context(self, asked: Asked, budget: int) -> None:
        """Part 4: the context for the question, its evidence marked."""
        self._heading(4, "context")
        wanted = {each.id for each in asked.evidence if each.shown}
        lines = [
            line for message in asked.context.messages for line in self._shown(message, wanted)
        ]
        title = self._words["context_title"].format(budget=budget)
        self._console.print(self._panel(lines, title))
        self._print(self._before_after(asked))
        self._print(self._sections(asked.context))
        self._verdict(asked)

    def more(self, others: Iterable[Asked]) -> None:
        """Part 5: a few other questions, in short."""
        self._heading(5, "more")
        for number, asked in enumerate(others):
            if number:
                self._print("")
            self._question(asked.question, self._words[asked.kind])
            for each in asked.evidence:
                self._console.print(Padding(self._evidence(each), (0, 0, 0, 2), expand=False))
            cost = self._words["cost"].format(
                tokens=asked.context.tokens,
                full=asked.context.trace.full_tokens,
                ms=asked.milliseconds,
            )
            self._console.print(Text(f"  {self._words['answer']}{one_line(asked.answer)}", "dim"))
            self._verdict(asked, cost)

    def score(self, scores: Sequence[Score]) -> None:
        """Part 6: all questions, memfold beside the baselines."""
        self._heading(6, "score", count=scores[0].questions)
        heads = [self._words["at"].format(budget=budget) for budget in BUDGETS]
        table = self._table("", "", *heads)
        self._print(self._words["score_title"])
        for score in scores:
            for name in SYSTEMS:
                language = WORDINGS[score.language]["language"] if name == SYSTEMS[0] else ""
                row = self._words[_ROW_NAMES.get(name, name)]
                style = "bold green" if name == SYSTEMS[0] else ""
                table.add_row(language, row, *self._cells(score, name), style=style)
            table.add_section()
        self._console.print(table)
        self._print(self._words["score_rule"])

    def _cells(self, score: Score, name: str) -> Iterator[str]:
        for budget, share in score.shares[name].items():
            if name == "full" and budget < score.history_tokens:
                yield self._words["too_long"].format(tokens=score.history_tokens)
            else:
                yield self._bar(share)

    def crossed(self, all_crossed: Iterable[Crossed]) -> None:
        """Part 7: a question in one language about what was told in the other."""
        self._heading(7, "cross")
        for crossed in all_crossed:
            self._question(crossed.question)
            found = crossed.rank > 0
            name = "cross_found" if found else "cross_missed"
            verdict = self._words[name].format(
                rank=crossed.rank, messages=crossed.messages, k=CROSS_K
            )
            fact = Text(one_line(crossed.fact), _EVIDENCE if found else "")
            self._console.print(Padding(fact, (0, 0, 0, 2), expand=False))
            self._mark(found, verdict)

    def end(self, seconds: float, kept: str | None, example: str) -> None:
        """What it took, and where the memory is."""
        self._console.print()
        self._print(self._words["end"].format(seconds=seconds))
        if kept is not None:
            self._print(self._words["kept"].format(path=printable(kept)))
            self._print(f"  {example}")

    def _heading(self, number: int, name: str, **values: Any) -> None:
        self._console.print()
        text = self._words[name].format(**values)
        self._console.print(
            Rule(
                Text(f"{number}. {text}", "bold cyan"),
                align="left",
                characters=self._line,
                style="cyan",
            )
        )

    def _print(self, text: str) -> None:
        self._console.print(Text(text))

    def _question(self, text: str, kind: str = "") -> None:
        shown = Text.assemble((self._words["asked"], "dim"), (one_line(text), "bold"))
        if kind:
            shown.append(f"  ({kind})", "dim")
        self._console.print(shown)

    def _verdict(self, asked: Asked, more: str = "") -> None:
        self._mark(asked.found, self._words["found" if asked.found else "missed"], more)

    def _mark(self, good: bool, text: str, more: str = "") -> None:
        mark = (f"  {self._yes} ", "bold green") if good else (f"  {self._no} ", "bold red")
        self._console.print(Text.assemble(mark, text, (f"  ({more})" if more else "", "dim")))

    def _spoken(self, message: Message) -> Text:
        style = ROLE_STYLES.get(message.role, "bold")
        return _cropped(Text.assemble((f"{message.role}: ", style), one_line(message.text)))

    def _evidence(self, evidence: Evidence) -> Text:
        text = one_line(evidence.text, 200)
        return Text(f"{evidence.id} {evidence.role}: {text}", _EVIDENCE if evidence.shown else "")

    def _shown(self, message: Mapping[str, Any], wanted: set[str]) -> Iterator[RenderableType]:
        """A message of the context line by line: the wanted ones whole, the others cropped."""
        role = str(message.get("role"))
        yield Text(f"{self._line * 2} {role}", ROLE_STYLES.get(role, "bold"))
        marked = False
        for line in printable(readable(message)).split("\n"):
            entry = _ENTRY.match(line)
            if entry is not None:
                marked = entry["id"] in wanted
            if marked:
                yield self._marked(line)
            elif line.strip():
                yield _cropped(Text(f"  {line}", "" if entry is None or entry["id"] else "dim"))

    def _marked(self, line: str) -> Table:
        grid = Table.grid()
        grid.add_row(Text(self._pointer, "bold yellow"), Text(line, _EVIDENCE))
        return grid

    def _before_after(self, asked: Asked) -> str:
        full, tokens = asked.context.trace.full_tokens, asked.context.tokens
        return self._words["before_after"].format(
            full=full, tokens=tokens, share=f"{tokens / full:.1%}", ms=asked.milliseconds
        )

    def _sections(self, context: Context) -> str:
        names = ("stable", "outline", "window", "recall", "query")
        by_section = context.trace.by_section
        return self._words["sections"].format(**{name: by_section.get(name, 0) for name in names})

    def _bar(self, share: float) -> str:
        filled = round(share * _BAR)
        return f"{self._full * filled}{self._empty * (_BAR - filled)} {share:>4.0%}"

    def _panel(self, lines: Iterable[RenderableType], title: str) -> Panel:
        return Panel(
            Group(*lines), title=Text(title), title_align="left", box=self._box, padding=(0, 1)
        )

    def _table(self, *heads: str) -> Table:
        table = Table(box=self._box)
        for head in heads:
            table.add_column(head, overflow="fold")
        return table


def _cropped(line: Text) -> Text:
    """A line that ends with the screen's width."""
    line.no_wrap, line.overflow = True, "ellipsis"
    return line

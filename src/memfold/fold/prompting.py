"""What a model is asked: prompts as Markdown files, one a language, each with a version.

A file begins with ``version: N``; then stand the system text and, behind a line ``---``, what
the user says, with names in braces for what is filled in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from memfold.text.scripts import Language
from memfold.types import JSON

_LANGUAGES = ("en", "zh")
# What stands around a source in the prompts.
_MARKS = re.compile(r"</?(?:conversation|notes)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One prompt; ``version`` names it as folds record it, such as ``summary.en/1``."""

    version: str
    system: str
    user: str

    def filled(self, **values: str | int) -> tuple[JSON, ...]:
        """The messages to send. What is filled in is never looked through for names itself.

        It cannot end the part between the prompt's marks either.
        """
        parts = [self.user]
        for name, value in values.items():
            mark = "{" + name + "}"
            told = _MARKS.sub(" ", str(value))
            parts = [piece for part in parts for piece in _around(part, mark, told)]
        return (
            {"role": "system", "content": self.system},
            {"role": "user", "content": "".join(parts)},
        )


class _Filled(str):
    """A value that stands where a name did."""

    __slots__ = ()


def _around(part: str, mark: str, value: str) -> list[str]:
    if isinstance(part, _Filled) or mark not in part:
        return [part]
    before, _, after = part.partition(mark)
    return [before, _Filled(value), after]


@cache
def prompt(name: str, language: Language | str) -> Prompt:
    """The prompt of that name in a language; English where there is none."""
    language = language if language in _LANGUAGES else "en"
    text = files("memfold.fold").joinpath("prompts", f"{name}.{language}.md").read_text("utf-8")
    head, _, rest = text.partition("\n")
    system, _, user = rest.partition("\n---\n")
    version = head.removeprefix("version:").strip()
    return Prompt(version=f"{name}.{language}/{version}", system=system.strip(), user=user.strip())

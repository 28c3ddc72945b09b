"""What stands outside any summary: instructions and promises, and the details of tools' output."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from memfold.context.pieces import Material
from memfold.types import Artifact, StandingItem

_BETTER_PART = 0.5


def standing(
    material: Material, *, room: int, shown_ids: Collection[str]
) -> tuple[list[StandingItem], list[tuple[StandingItem, str]], int]:
    """The items that get a line within ``room`` tokens; those left out, and why; the cost.

    What stands open comes first, of it the newest. What the context shows anyway is not repeated.
    """
    waiting = [item for item in material.standing if item.source not in shown_ids]
    if not waiting:
        return [], [], 0
    used = material.frame_tokens(material.frames.standing)
    chosen: list[StandingItem] = []
    left: list[tuple[StandingItem, str]] = []
    for item in reversed(waiting):
        if item.done:
            left.append((item, f"done: {item.closed_by}"))
            continue
        cost = material.counter.count(_line(material, item) + "\n")
        if used + cost > room:
            left.append((item, "no room: expand gives it back"))
            continue
        used += cost
        chosen.append(item)
    return chosen[::-1], left, used if chosen else 0


def write_standing(material: Material, items: Sequence[StandingItem]) -> str:
    """The section's text: a line an item, in the order they were said."""
    return "\n".join([material.frames.standing, *(_line(material, item) for item in items)])


def _line(material: Material, item: StandingItem) -> str:
    by = material.frames.roles.get(item.by, item.by)
    day = item.at.astimezone(material.zone).date().isoformat()
    return f"{item.source} [{day}] {by}{material.frames.colon}{' '.join(item.text.split())}"


def details(
    material: Material, *, room: int, shown_ids: Collection[str], shown_text: str
) -> tuple[dict[str, list[str]], int]:
    """Details of tools' output that the context does not show, by message; and the cost.

    Within ``room`` tokens every output gets its handle first, the newest first; then names that
    a later call may take get room, a few of each output before more of any, then other details;
    those of the newest output come first.
    """
    waiting = [
        each
        for each in material.artifacts
        if each.source not in shown_ids and each.text not in shown_text
    ]
    count = material.counter.count
    used = material.frame_tokens(material.frames.details)
    chosen: dict[str, list[Artifact]] = {}
    for source in dict.fromkeys(each.source for each in reversed(waiting)):
        cost = count(source + "\n")
        if used + cost <= room:
            used += cost
            chosen[source] = []
    if not chosen:
        return {}, 0
    taken: set[tuple[str, str]] = set()
    for rank, most in ((0, _AT_FIRST), (0, len(waiting)), (1, _AT_FIRST), (2, len(waiting))):
        for each in reversed(waiting):
            lines = chosen.get(each.source)
            if lines is None or len(lines) >= most or _rank(each) != rank:
                continue
            cost = count("; " + each.text)
            if (each.kind, each.text) not in taken and used + cost <= room:
                used += cost
                taken.add((each.kind, each.text))
                lines.append(each)
    order = {(each.kind, each.text): at for at, each in enumerate(waiting)}
    found = {
        source: [
            each.text
            for each in sorted(chosen[source], key=lambda each: order[each.kind, each.text])
        ]
        for source in sorted(chosen, key=_number)
    }
    return found, used


_LEAST_TELLING = 2
# So many details of one output come before more of another: a long list leaves room to the rest.
_AT_FIRST = 8
_NAME = re.compile(r"(?=.*[A-Za-z])(?=.*\d)(?!\d{4}-\d\d-\d\dT)[\w.@+-]+|\d{4}-\d\d-\d\d")


def _rank(artifact: Artifact) -> int:
    """0 for what a later call is likely to name: ids of letters and digits, paths, errors."""
    if artifact.kind == "id":
        return 0 if _NAME.fullmatch(artifact.text) else 1
    return {"path": 0, "error": 0, "url": 1}.get(artifact.kind, _LEAST_TELLING)


def write_details(material: Material, found: dict[str, list[str]]) -> str:
    """The section's text: a line for each tool output."""
    lines = (f"{source} {'; '.join(texts)}" for source, texts in found.items())
    return "\n".join([material.frames.details, *lines])


def _number(id: str) -> int:
    return int(id[1:])


def told_whole(items: Iterable[StandingItem], texts: Mapping[str, str]) -> set[str]:
    """Ids of the messages of which the items say the better part; ``texts`` are the messages'."""
    return {
        item.source
        for item in items
        if len(item.text) >= _BETTER_PART * len(texts.get(item.source, ""))
    }

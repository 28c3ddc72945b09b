"""The recalled part: lines chosen best first, shown in the order they were said, by day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memfold.context.excerpts import excerpt
from memfold.context.pieces import Line, Material
from memfold.types import Hit

# Up to so many tokens a message is shown whole; beyond, by an excerpt of that length.
_SHORTEST, _LONGEST = 150, 300
# Parts of a score that tell what a hit is about.
_SIGNALS = ("lexical", "dense", "session")
_RELEVANT = -1e-6  # deviations from the mean, those together: as good as average


def relevant(hit: Hit, floor: float) -> bool:
    """Whether a hit's words, vectors and session speak for it, by so many deviations."""
    signals = [hit.parts[name] for name in _SIGNALS if name in hit.parts]
    return not signals or sum(signals) >= floor


def line(material: Material, hit: Hit) -> Line:
    """How a hit would be shown, and what it costs, its share of a day's heading left out."""
    limit = min(_LONGEST, max(_SHORTEST, material.budget // 6))
    text, whole = excerpt(
        hit, material.query_text, limit=limit, counter=material.counter, zone=material.zone
    )
    message = hit.message
    speaker = message.name or material.frames.roles.get(message.role, message.role)
    shown = Line(hit=hit, speaker=speaker, text=text, whole=whole, tokens=0)
    tokens = material.counter.count(_written(material, shown) + "\n")
    return Line(hit=hit, speaker=speaker, text=text, whole=whole, tokens=tokens)


def _written(material: Material, shown: Line) -> str:
    return f"{shown.hit.message.id} {shown.speaker}{material.frames.colon}{shown.text}"


def _heading(material: Material, at: datetime) -> str:
    return at.astimezone(material.zone).date().isoformat()


def choose(
    material: Material,
    *,
    room: int,
    floor: float | None,
    shown_ids: Iterable[str],
    shown_text: str,
) -> tuple[list[Line], list[tuple[Hit, str]], int]:
    """Pick the lines that fit ``room`` tokens, best first; what was left out, and why; the cost.

    ``floor`` is how far above the average a line must stand, None: as good as that, where there
    is not room for all. What stands elsewhere in the context (by id, or word for word) is not
    shown twice.
    """
    lowest = _RELEVANT if floor is None else floor
    seen = set(shown_ids)
    texts = {material.query_text.strip()}  # the query stands at the end, whenever it was added
    chosen: list[Line] = []
    left: list[tuple[Hit, str]] = []
    days: set[str] = set()
    used = material.frame_tokens(material.frames.recall)
    misses = 0
    for hit in material.hits:
        message = hit.message
        text = message.text.strip()
        if message.id in seen or not text or text in texts or text in shown_text:
            continue
        # With next to nothing on record no message stands out, and there is room for all.
        if not relevant(hit, lowest) and (floor is not None or material.full_tokens > room):
            left.append((hit, "not relevant enough"))
            continue
        if misses >= 8:
            left.append((hit, "no room"))
            continue
        shown = line(material, hit)
        day = _heading(material, message.at)
        cost = shown.tokens + (material.counter.count(day + "\n") if day not in days else 0)
        if used + cost > room:
            misses += 1
            left.append((hit, "no room"))
            continue
        used += cost
        days.add(day)
        seen.add(message.id)
        texts.add(text)
        chosen.append(shown)
    return chosen, left, used if chosen else 0


def write(material: Material, lines: Sequence[Line]) -> str:
    """The section's text."""
    parts = [material.frames.recall]
    day = ""
    for shown in sorted(lines, key=lambda each: (each.at, int(each.hit.message.id[1:]))):
        heading = _heading(material, shown.at)
        if heading != day:
            parts.append(heading)
            day = heading
        parts.append(_written(material, shown))
    return "\n".join(parts)

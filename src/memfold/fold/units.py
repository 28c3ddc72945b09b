"""What the summariser chooses from: sentences, with all that the choice depends on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memfold.fold.lines import Line
from memfold.fold.manner import manner, opener_end
from memfold.text.entities import Entity
from memfold.text.scripts import CJK
from memfold.text.terms import query_terms
from memfold.text.truncation import boundary

if TYPE_CHECKING:
    from memfold.protocols import TokenCounter
    from memfold.text.entities import EntityExtractor

# What ends a clause, best first: a sentence that is too long is cut there.
_BREAKS = (re.compile(r"[,;:，；：、\n]+\s*|\s+[-–—]+\s+|—+"), re.compile(r"\s+"))
# No entity reaches across it, and a new sentence begins after it.
_BETWEEN = "\n|\n"
_STANDING_ALONE = frozenset(("url", "email", "phone", "path", "hash", "ip", "money"))
_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One sentence of the span to be summarised.

    ``sources`` are the ids of the messages it came from. ``tool`` says that it stands for a tool's
    output or a tool call, of which only addresses, paths and the like are protected; ``fact``
    that it is a bare detail of a key-facts line, which cannot be chosen as a sentence.
    """

    text: str
    speaker: str = ""
    at: datetime | None = None
    sources: tuple[str, ...] = ()
    tool: bool = False
    fact: bool = False

    @property
    def line(self) -> Line:
        """Who spoke, and on which day."""
        return self.speaker, self.at.date() if self.at is not None else None


def telling(units: Sequence[Unit]) -> Sequence[Unit]:
    """The units that say in what language they are: not bare details, where there are others.

    Identifiers and product names are in Latin letters whatever language is spoken.
    """
    return [unit for unit in units if not unit.fact] or units


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A sentence, or a clause of a long one, that may be chosen.

    ``order`` is its place in the span, ``tokens`` what it adds to a line, ``entities`` the keys
    of the protected entities in it, ``terms`` its informative words, ``manner`` how much a
    sentence of its kind counts (1 for a plain statement).
    """

    order: int
    unit: Unit
    text: str
    tokens: int
    entities: tuple[str, ...]
    terms: tuple[str, ...]
    manner: float
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """A protected entity of the span, as it is written where it comes first.

    ``tokens`` is what it costs in a key-facts line, ``count`` in how many units it stands.
    """

    entity: Entity
    text: str
    unit: Unit
    tokens: int
    count: int

    @property
    def key(self) -> str:
        """The form in which entities are equal."""
        return self.entity.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The span as the summariser sees it; ``details`` by key, in order of appearance."""

    candidates: Sequence[Candidate]
    details: dict[str, Detail]


def gather(
    units: Sequence[Unit],
    longest: int,
    counter: TokenCounter,
    extractor: EntityExtractor,
    required: Iterable[str] | None = None,
) -> Material:
    """Look at each unit once; a candidate has at most ``longest`` tokens where it can be cut.

    The details are those of the ``required`` keys that are found, or all where it is None.
    """
    entities = _entities(units, extractor)
    if required is not None:
        _find(set(required), units, entities)
    details: dict[str, Detail] = {}
    candidates: list[Candidate] = []
    for unit, found in zip(units, entities, strict=True):
        for key, entity in {entity.key: entity for entity in found}.items():
            details[key] = _detail(details.get(key), entity, unit, counter)
        if unit.fact:
            continue
        for start, end, tokens in _pieces(unit.text, longest, counter):
            inside = (each.key for each in found if start <= each.start and each.end <= end)
            text = unit.text[start:end]
            candidates.append(
                Candidate(
                    order=len(candidates),
                    unit=unit,
                    line=unit.line,
                    text=text,
                    tokens=tokens,
                    entities=tuple(dict.fromkeys(inside)),
                    terms=tuple(dict.fromkeys(query_terms(text))),
                    manner=manner(text, speaker=unit.speaker, is_tool=unit.tool),
                )
            )
    return Material(candidates=candidates, details=details)


def _entities(units: Sequence[Unit], extractor: EntityExtractor) -> list[list[Entity]]:
    """Return the entities of each unit, with their places in it.

    All units are looked at as one text: a name at the start of one sentence is known as a name
    by its standing inside another.
    """
    starts: list[int] = []
    length = 0
    for unit in units:
        starts.append(length)
        length += len(unit.text) + len(_BETWEEN)
    found: list[list[Entity]] = [[] for _ in units]
    for entity in extractor.extract(_BETWEEN.join(unit.text for unit in units)):
        at = bisect_right(starts, entity.start) - 1
        start, end = entity.start - starts[at], entity.end - starts[at]
        unit = units[at]
        if end <= len(unit.text) and entity.key and (not unit.tool or _stands_alone(entity)):
            found[at].append(replace(entity, start=start, end=end))
    return found


def _stands_alone(entity: Entity) -> bool:
    """Tell whether a detail from a tool's text is worth keeping: a path, yes; "limit", no."""
    if entity.kind == "identifier":
        return any(character.isdigit() for character in entity.text)
    return entity.kind in _STANDING_ALONE


def _find(required: set[str], units: Sequence[Unit], found: list[list[Entity]]) -> None:
    """Reduce the entities to the required ones, and look for those that are not among them.

    What the folds below kept need not look like an entity in what is left of its surroundings.
    """
    for entities in found:
        entities[:] = [entity for entity in entities if entity.key in required]
    required = required - {entity.key for entities in found for entity in entities}
    for key in sorted(required):
        pattern = re.compile(r"[\s,]*".join(map(re.escape, key)), re.IGNORECASE)
        for unit, entities in zip(units, found, strict=True):
            if match := pattern.search(unit.text):
                start, end = match.span()
                entities.append(Entity(kind="name", text=match.group(), start=start, end=end))


def _detail(known: Detail | None, entity: Entity, unit: Unit, counter: TokenCounter) -> Detail:
    if known is not None:
        # What people say of it says more than where a tool gave it.
        is_said = known.unit.tool and not unit.tool
        return replace(known, count=known.count + 1, unit=unit if is_said else known.unit)
    text = " ".join(entity.text.split())
    tokens = counter.count("; " + text)
    return Detail(entity=entity, text=text, unit=unit, tokens=tokens, count=1)


def _pieces(text: str, longest: int, counter: TokenCounter) -> Iterator[tuple[int, int, int]]:
    """Yield what can be chosen of a sentence, as start, end and tokens."""
    start = opener_end(text)
    tokens = _count(text[start:], counter)
    if tokens <= longest:
        yield start, len(text), tokens
        return
    size = max(len(text) * longest // (tokens + 1), 1)
    while start < len(text):
        end = len(text) if len(text) - start <= size else _cut(text, start, start + size)
        piece = text[start:end]
        if stripped := piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            yield begin, begin + len(stripped), _count(stripped, counter)
        start = end


def _count(text: str, counter: TokenCounter) -> int:
    return counter.count(text if _CJK.match(text) else " " + text)


def _cut(text: str, start: int, end: int) -> int:
    """Return the last good place to cut in the second half of ``text[start:end]``."""
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, (start + end) // 2, end)]
        if ends:
            return ends[-1]
    at = boundary(text, end)
    return at if at > start else end

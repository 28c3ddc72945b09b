"""What it is worth that a summary holds an entity or a term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log
from typing import Final

from memfold.fold.common import commonness
from memfold.fold.rarity import rarities
from memfold.fold.units import Detail, Material

# What cannot be guessed again from the rest, and stops the work when it is lost, counts most.
_KINDS: Final[Mapping[str, float]] = {
    **dict.fromkeys(("identifier", "email", "phone", "path", "url", "hash", "version", "ip"), 2.0),
    **dict.fromkeys(("money", "date", "time"), 1.5),
}
# What a rare term weighs, to go with the logarithms of the entities.
_RARE: Final = 4.0
_BARE: Final = 0.7
# The user's own details can be had nowhere else.
_USER: Final = 1.3
# What a tool gave can be had again.
_TOOL: Final = 0.2
# The last bits of a logarithm differ from machine to machine; a choice must not hang on them.
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of entities, by key, and of terms."""

    entities: Mapping[str, float]
    terms: Mapping[str, float]


def weigh(material: Material, idf: Callable[[str], float] | None) -> Weights:
    """Weigh entities that are rarer in the span higher, and terms that are oftener in it.

    That is what it is about. A term weighs as many times what its rarity in general comes to,
    which is by ``idf`` where that is given.
    """
    among = len(material.candidates) + 1
    seen = Counter(term for each in material.candidates for term in each.terms)
    rare = rarities((each.text for each in material.candidates), seen) if idf is None else {}
    return Weights(
        entities={
            key: round(_worth(each) * log(1 + among / each.count), _DIGITS)
            for key, each in material.details.items()
        },
        terms={
            term: round(
                times * commonness(term) * (_RARE * rare[term] if idf is None else idf(term)),
                _DIGITS,
            )
            for term, times in seen.items()
        },
    )


def _worth(detail: Detail) -> float:
    if detail.unit.tool:
        return _TOOL * _of_kind(detail)
    return _USER * _of_kind(detail) if detail.unit.speaker == "user" else _of_kind(detail)


def _of_kind(detail: Detail) -> float:
    if detail.text.isdigit() or len(detail.key) == 1:
        return _BARE  # without what was counted or spelt it says little
    return _KINDS.get(detail.entity.kind, 1.0)

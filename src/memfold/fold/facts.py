"""The line of key facts: protected details that no chosen sentence brings in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Final

from memfold.text.entities import retained

if TYPE_CHECKING:
    from memfold.fold.units import Detail

# The most of the limit that is set aside for details which no sentence may bring in: a list of
# names alone tells nobody what happened.
_MOST: Final = 0.7


def ranked(details: Iterable[Detail], worth: Mapping[str, float]) -> list[Detail]:
    """Return the details by what they are worth for their length, of equals the earlier first.

    Length counts as the root of the tokens: by the token itself an e-mail address would always
    stand behind four numbers.
    """
    return sorted(details, key=lambda each: -worth[each.key] / sqrt(max(each.tokens, 1)))


def reserve(details: Sequence[Detail], speakers: Iterable[str], *, limit: int) -> dict[str, int]:
    """Return the tokens to set aside for the best of the ``details``, by key.

    All are named as far as a part of the limit allows. Names of ``speakers`` need no tokens: they
    stand before what they say.
    """
    named = retained([each.entity for each in details], "\n".join(dict.fromkeys(speakers)))
    room = int(_MOST * limit)
    reserved: dict[str, int] = {}
    for detail in details:
        if detail.key not in named and detail.tokens <= room:
            reserved[detail.key] = detail.tokens
            room -= detail.tokens
    return reserved


def left_out(details: Sequence[Detail], text: str, room: int) -> list[Detail]:
    """Return the details that ``text`` does not retain, the best first, as far as ``room`` goes."""
    kept = retained([each.entity for each in details], text)
    found: list[Detail] = []
    for detail in details:
        if detail.key not in kept and detail.tokens <= room:
            found.append(detail)
            room -= detail.tokens
    return found

"""Where a text is read for its meaning: all of it, or evenly spread places of a very long one."""

from __future__ import annotations

from typing import Final

from memfold.text.sentences import CJK_WEIGHT, LONGEST_PASSAGE, Span, weight

MOST_PLACES: Final = 128
"""Vectors that one message may cost: they take most of the time that storing it takes."""


class Places:
    """Which stretch of a text stands for each of its passages when vectors are made.

    In a text of up to 128 passages' length each passage stands for itself. A longer one is read
    at the beginnings of 128 equal parts, and a passage has the place of the part that it begins
    in: a pasted log of megabytes is found by its words everywhere, by its meaning roughly.
    Depends on nothing but the text, so that making the vectors anew gives the same.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_long = weight(text) > MOST_PLACES * LONGEST_PASSAGE

    def of(self, start: int, end: int) -> Span:
        """The stretch that stands for the passage from ``start`` to ``end``."""
        if not self._is_long:
            return Span(start=start, end=end)
        size = len(self._text)
        begin = start * MOST_PLACES // size * size // MOST_PLACES
        stop = begin + LONGEST_PASSAGE
        if weight(self._text[begin:stop]) > LONGEST_PASSAGE:
            stop = begin + LONGEST_PASSAGE // CJK_WEIGHT
        return Span(start=begin, end=stop)


def ends(text: str) -> list[str]:
    """A question's text for the embedder: whole, or the first and last passage of a long one."""
    if weight(text) <= 2 * LONGEST_PASSAGE:
        return [text]
    text = text.strip()
    size = LONGEST_PASSAGE
    if weight(text[:size]) > size or weight(text[-size:]) > size:
        size //= CJK_WEIGHT
    return [text[:size], text[-size:]]

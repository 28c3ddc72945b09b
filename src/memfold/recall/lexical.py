"""BM25 over a message's own words and its neighbours', as one saturating field.

The formula is BM25F (Robertson, Zaragoza and Taylor 2004, "Simple BM25 Extension to Multiple
Weighted Fields"): term counts of all fields are length-normalised, weighted and summed, and the
sum saturates once. ``docs/decisions`` has what it was measured against.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from memfold.recall.index import Floats, Ints, MemoryIndex
from memfold.recall.neighbours import Neighbours

_K1 = 0.6
_B_OWN, _B_NEIGHBOURS = 0.5, 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexical:
    """``passages``: score of each passage; ``explained``: the share of the question's
    information (inverse document frequency) that the best message's words account for, 0 to 1.
    """

    passages: Floats
    explained: float


class _Lengths:
    """Length norms, as BM25 has them: 1 for an average length."""

    def __init__(self, index: MemoryIndex, around: Neighbours) -> None:
        messages, passages = index.messages, index.passages
        alive = messages["alive"]
        owner = passages["message"]
        own = passages["length"] + messages["header_length"][owner]
        living = alive[owner]
        mean = max(float(own[living].mean()), 1.0) if living.any() else 1.0
        self.own = 1 - _B_OWN + _B_OWN * own / mean
        mean = max(float(around.length[alive].mean()), 1.0) if alive.any() else 1.0
        self.neighbours = 1 - _B_NEIGHBOURS + _B_NEIGHBOURS * around.length / mean


def lexical(index: MemoryIndex, terms: Iterable[int], around: Neighbours) -> Lexical:
    """Score every passage for the distinct term ids of a question."""
    passages = index.passages
    scores = np.zeros(len(passages), dtype=np.float32)
    covered = np.zeros(len(passages), dtype=np.float32)
    lengths = _Lengths(index, around)
    living = int(index.messages["alive"].sum())
    information = 0.0
    for term in terms:
        at, weight, documents = _weights(index, term, around, lengths)
        idf = float(np.log1p((living - documents + 0.5) / (documents + 0.5)))
        information += idf
        if len(at):
            scores[at] += idf * weight * (_K1 + 1) / (weight + _K1)
            covered[at] += idf
    alive = index.messages["alive"][passages["message"]]
    scores[~alive] = 0.0
    best = float(covered[alive].max()) if alive.any() else 0.0
    return Lexical(passages=scores, explained=best / information if information > 0 else 0.0)


def _weights(
    index: MemoryIndex, term: int, around: Neighbours, lengths: _Lengths
) -> tuple[Ints, Floats, int]:
    """Passages the term touches, its normalised count in each, and how many messages hold it."""
    messages, owner = index.messages, index.passages["message"]
    alive = messages["alive"]
    body, body_counts = index.body.find(term)
    header, header_counts = index.header.find(term)
    keep = alive[owner[body]]
    body, body_counts = body[keep], body_counts[keep]
    keep = alive[header]
    header, header_counts = header[keep], header_counts[keep]
    if not len(body) and not len(header):
        return body, body_counts, 0
    holders, place = np.unique(owner[body], return_inverse=True)
    counts = np.bincount(place, weights=body_counts, minlength=len(holders))
    # A message's neighbours are exactly those it is a neighbour of, one offset mirrored.
    near = np.concatenate([around.at[mirror][holders] for mirror in (2, 3, 0, 1)])
    share = np.concatenate(
        [
            np.where(around.words[mirror][holders] > 0, around.words[offset][target], 0) * counts
            for offset, mirror in enumerate((2, 3, 0, 1))
            for target in (around.at[mirror][holders],)
        ]
    )
    near, share = near[share > 0], share[share > 0]
    touched = np.unique(np.concatenate([holders, header, near]))
    extra = np.zeros(len(touched))
    np.add.at(extra, np.searchsorted(touched, near), share / lengths.neighbours[near])
    own = np.zeros(len(touched))
    own[np.searchsorted(touched, header)] = header_counts
    at, which = _all_passages(index, touched)
    weight = own[which] / lengths.own[at] + extra[which]
    weight[np.searchsorted(at, body)] += body_counts / lengths.own[body]
    documents = len(np.union1d(holders, header))
    return at, weight.astype(np.float32), documents


def _all_passages(index: MemoryIndex, messages: Ints) -> tuple[Ints, Ints]:
    """The passages of these messages, in order, and for each the place of its message."""
    first = index.messages["first"]
    if len(first) == len(index.passages):
        return messages, np.arange(len(messages))
    ends = np.append(first[1:], len(index.passages))
    counts = ends[messages] - first[messages]
    which = np.repeat(np.arange(len(messages)), counts)
    within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first[messages][which] + within, which

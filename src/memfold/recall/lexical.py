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
from memfold.recall.sessions import told

_K1 = 0.6
# A term in more than this share of the messages is added up over all of them: dense arrays
# then cost less than picking.
_COMMON = 0.05
# Each term costs a look through the index; of a question with more, the rarest of those that
# anybody has used are searched.
_MOST_TERMS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexical:
    """``passages``: score of each passage; ``sessions``: of each session as one text;
    ``explained``: the share of the question's information (inverse document frequency) that the
    best message's words account for, 0 to 1.
    """

    passages: Floats
    sessions: Floats
    explained: float


def lexical(index: MemoryIndex, terms: Iterable[int], around: Neighbours) -> Lexical:
    """Score every passage for the distinct term ids of a question."""
    passages = index.passages
    scores = np.zeros(len(passages), dtype=np.float32)
    covered = np.zeros(len(passages), dtype=np.float32)
    sessions = np.zeros(len(index.sessions), dtype=np.float32)
    information = 0.0
    for term in _most_telling(index, list(terms)):
        at, weight, documents, counts = _weights(index, term, around)
        idf = float(np.log1p((around.living - documents + 0.5) / (documents + 0.5)))
        information += idf
        if len(at):
            scores[at] += np.float32(idf * (_K1 + 1)) * weight / (weight + np.float32(_K1))
            covered[at] += np.float32(idf)
        if counts is not None:
            sessions += told(counts, around.sessions)
    if around.living < len(index.messages):
        gone = ~index.messages["alive"][passages["message"]]
        scores[gone] = covered[gone] = 0.0
    best = float(covered.max()) if len(covered) else 0.0
    explained = best / information if information > 0 else 0.0
    return Lexical(passages=scores, sessions=sessions, explained=explained)


def _most_telling(index: MemoryIndex, terms: list[int]) -> list[int]:
    """The terms to search: all, or the rarest of very many, in the question's order."""
    if len(terms) <= _MOST_TERMS:
        return terms
    held = index.body.sizes(terms) + index.header.sizes(terms)
    used = np.flatnonzero(held)
    rarest = used[np.argsort(held[used], kind="stable")[:_MOST_TERMS]]
    return [terms[at] for at in np.sort(rarest).tolist()]


def _weights(
    index: MemoryIndex, term: int, around: Neighbours
) -> tuple[Ints, Floats, int, Floats | None]:
    """Passages the term touches, its normalised count in each, how many messages hold it, and
    its bare count in the text of each message, None where it is in no text.
    """
    owner = index.passages["message"]
    body, body_counts = _living(index, around, *index.body.find(term), owner)
    header, header_counts = _living(index, around, *index.header.find(term), None)
    if not len(body) and not len(header):
        return body, body_counts, 0, None
    size = len(index.messages)
    counts = np.bincount(owner[body], weights=body_counts, minlength=size).astype(np.float32)
    in_header = np.zeros(size, dtype=np.float32)
    in_header[header] = header_counts
    nearby = _nearby(counts, around) / around.near_norm
    holds = (counts > 0) | (in_header > 0)
    touched = np.flatnonzero(holds | (nearby > 0))
    at, messages = _all_passages(index, touched)
    weight = in_header[messages] / around.own_norm[at] + nearby[messages]
    own = np.zeros(len(index.passages), dtype=np.float32)
    own[body] = body_counts
    weight += own[at] / around.own_norm[at]
    in_text = counts if len(body) else None
    return at, weight.astype(np.float32), int(holds.sum()), in_text


def _living(
    index: MemoryIndex, around: Neighbours, found: Ints, counts: Floats, owner: Ints | None
) -> tuple[Ints, Floats]:
    """Without the documents of messages that are gone."""
    if around.living == len(index.messages):
        return found, counts
    keep = index.messages["alive"][found if owner is None else owner[found]]
    return found[keep], counts[keep]


def _nearby(counts: Floats, around: Neighbours) -> Floats:
    """The term's weighted count in each message's neighbours."""
    holders = np.flatnonzero(counts)
    total = np.zeros(len(counts), dtype=np.float32)
    if len(holders) > _COMMON * around.living:
        for at, share in zip(around.at, around.words, strict=True):
            total += share * counts[at]
        return total
    # A message's neighbours are those it is a neighbour of, one offset mirrored.
    for offset, mirror in enumerate((2, 3, 0, 1)):
        target = around.at[mirror][holders]
        real = around.at[offset][target] == holders
        target = target[real]
        np.add.at(total, target, around.words[offset][target] * counts[holders[real]])
    return total


def _all_passages(index: MemoryIndex, messages: Ints) -> tuple[Ints, Ints]:
    """The passages of these messages, in order, and the message of each."""
    first = index.messages["first"]
    if len(first) == len(index.passages):
        return messages, messages
    ends = np.append(first[1:], len(index.passages))
    counts = ends[messages] - first[messages]
    which = np.repeat(np.arange(len(messages)), counts)
    within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first[messages][which] + within, messages[which]

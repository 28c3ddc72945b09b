"""A search from its question to its hits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from memfold.errors import InvalidInput, shown
from memfold.facade.drafting import restore
from memfold.facade.engine import Engine
from memfold.facade.indexes import Held
from memfold.protocols import Reranker
from memfold.recall.index import Floats, Ints, MemoryIndex
from memfold.recall.modes import generative_agents, time_decay
from memfold.recall.neighbours import standardise
from memfold.recall.ranking import Ranking, rank
from memfold.recall.reading import microseconds, read_question
from memfold.recall.reranking import rerank
from memfold.rows import StoredMessage
from memfold.text.given import string
from memfold.types import Hit, Message, Scope

Mode = Literal["memfold", "lexical", "dense", "time-decay", "generative-agents"]
MODES: frozenset[str] = frozenset(get_args(Mode))

# How many of the most relevant the Generative Agents score weighs, and a reranker reads.
_CANDIDATES = 200
_RERANKED = 30
_TOKENS_A_HIT = 32  # short lines on average, with their frame: as many are read at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a hit has to be: times are half-open (since ≤ t < until); None lets all pass."""

    since: datetime | None = None
    until: datetime | None = None
    roles: Collection[str] | None = None
    sessions: Collection[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """One candidate before its message is read."""

    seq: int
    score: float
    parts: dict[str, float]
    passage: tuple[int, int]
    before: tuple[int, ...]
    after: tuple[int, ...]


def search(
    engine: Engine,
    scope: Scope,
    query: str,
    *,
    k: int,
    filters: Filters,
    mode: str,
    now: datetime,
    fill: int | None = None,
) -> list[Hit]:
    """The ``k`` best hits among the owner's messages, best first.

    ``fill``: of them only as many as may be needed to fill so many tokens.
    """
    if string(mode, "mode") not in MODES:
        raise InvalidInput(f"mode {shown(mode)} is none of: {', '.join(sorted(MODES))}")
    vector = engine.embed_query(query) if mode != "lexical" else None
    wide = k if mode != "generative-agents" else max(k, _CANDIDATES)
    if engine.reranker is not None:
        wide = max(wide, _RERANKED)
    found = _candidates(engine, scope, query, vector, k=wide, filters=filters, mode=mode, now=now)
    rows = _rows(engine, scope, [each.seq for each in found], fill=fill)
    hits = [_hit(each, restore(rows[each.seq])) for each in found if each.seq in rows]
    if mode == "generative-agents":
        hits = generative_agents(hits, now=now, counter=engine.counter)
    if engine.reranker is not None:
        hits = _reranked(engine, engine.reranker, hits, query)
    return hits[:k]


def _rows(
    engine: Engine, scope: Scope, seqs: Sequence[int], *, fill: int | None
) -> dict[int, StoredMessage]:
    """The messages, by seq; with ``fill`` only as many as that asks for, read bit by bit."""
    if fill is None:
        return {row.seq: row for row in engine.store.read(scope, seqs)}
    rows: dict[int, StoredMessage] = {}
    step = max(1, fill // _TOKENS_A_HIT)
    tokens = 0
    for start in range(0, len(seqs), step):
        more = engine.store.read(scope, seqs[start : start + step])
        rows |= {row.seq: row for row in more}
        tokens += sum(row.tokens for row in more)
        if tokens >= fill:
            break
    return rows


def _reranked(engine: Engine, reranker: Reranker, hits: list[Hit], query: str) -> list[Hit]:
    try:
        return rerank(hits, query, reranker, first=_RERANKED)
    except Exception as error:  # a plugged-in part may raise anything; the order stands without it
        engine.complaints.about(error)
        return hits


def _candidates(
    engine: Engine,
    scope: Scope,
    query: str,
    vector: Floats | None,
    *,
    k: int,
    filters: Filters,
    mode: str,
    now: datetime,
) -> list[_Found]:
    with engine.indexes.current(scope) as held:
        span = held.index.unembedded_span() if vector is not None else None
        if span and engine.catch_up_search(scope, span[0], held.index.without_vector):
            held.refresh(engine.store, scope)
        index = held.index
        if not len(index) or not index.messages["alive"].any():
            return []
        ranking = _rank(engine, held, query, vector, mode=mode, now=now)
        shared = _shared(engine, scope, filters.sessions)
        scores = np.where(_allowed(index, filters, shared), ranking.scores, -np.inf)
        return _top(index, ranking, scores, k)


def _rank(
    engine: Engine, held: Held, query: str, vector: Floats | None, *, mode: str, now: datetime
) -> Ranking:
    index = held.index
    question = read_question(query, names=index.names, now=now, zone=engine.zone)
    ranking = rank(index, held.around, question, vector, now=microseconds(now))
    if mode == "memfold":
        return ranking
    if mode == "lexical" or (mode != "time-decay" and vector is None):
        part = ranking.parts["lexical"]
        return _only(ranking, index, {"lexical": part}, part)
    if mode == "time-decay":
        relevance = sum(
            (ranking.parts[name] for name in ("lexical", "dense") if name in ranking.parts),
            start=np.zeros(len(index), dtype=np.float32),
        )
        parts = time_decay(relevance, index, now=microseconds(now))
        return _only(ranking, index, parts, parts["decayed"])
    near = standardise(ranking.similarity, index.messages["alive"])
    return _only(ranking, index, {"dense": near}, ranking.similarity)


def _only(
    ranking: Ranking, index: MemoryIndex, parts: dict[str, Floats], scores: Floats
) -> Ranking:
    return Ranking(
        scores=np.where(index.messages["alive"], scores, -np.inf).astype(np.float32),
        parts=parts,
        similarity=ranking.similarity,
        passage=ranking.passage,
    )


def _shared(engine: Engine, scope: Scope, sessions: Collection[str] | None) -> set[int]:
    """Seqs of the messages that the named forks share: their home is where they were written."""
    if not sessions:
        return set()
    forks = [
        row.id
        for row in engine.store.sessions(replace(scope, session=None))
        if row.parent is not None and row.id in sessions
    ]
    return {row.seq for fork in forks for row in engine.store.span(replace(scope, session=fork), 0)}


def _allowed(index: MemoryIndex, filters: Filters, shared: Collection[int]) -> NDArray[np.bool_]:
    messages = index.messages
    allowed: NDArray[np.bool_] = messages["alive"].copy()
    if filters.since is not None:
        allowed &= messages["at"] >= microseconds(filters.since)
    if filters.until is not None:
        allowed &= messages["at"] < microseconds(filters.until)
    if filters.roles is not None:
        codes = [index.roles[role] for role in filters.roles if role in index.roles]
        allowed &= np.isin(messages["role"], codes)
    if filters.sessions is not None:
        codes = [index.sessions[each] for each in filters.sessions if each in index.sessions]
        allowed &= np.isin(messages["session"], codes) | np.isin(messages["seq"], list(shared))
    return allowed


def _top(index: MemoryIndex, ranking: Ranking, scores: Floats, k: int) -> list[_Found]:
    count = min(k, int(np.isfinite(scores).sum()))
    if not count:
        return []
    last = np.partition(scores, len(scores) - count)[len(scores) - count]
    first: Ints = np.flatnonzero(scores >= last)  # with all that equal the last one
    # Of equals the newest first, so that the order is the same everywhere.
    order = first[np.lexsort((-index.messages["seq"][first], -scores[first]))][:count]
    return _described(index, ranking, scores, order)


def _described(index: MemoryIndex, ranking: Ranking, scores: Floats, order: Ints) -> list[_Found]:
    """What is known of the messages at these places; read by column, as that is much faster."""
    parts = [part[order].tolist() for part in ranking.parts.values()]
    passages = ranking.passage[order]
    columns = zip(
        index.messages["seq"][order].tolist(),
        scores[order].tolist(),
        zip(*parts, strict=True),
        index.passages["start"][passages].tolist(),
        index.passages["end"][passages].tolist(),
        _nearest(index, order, "previous"),
        _nearest(index, order, "next"),
        strict=True,
    )
    return [
        _Found(
            seq=seq,
            score=score,
            parts=dict(zip(ranking.parts, values, strict=True)),
            passage=(start, end),
            before=before[::-1],
            after=after,
        )
        for seq, score, values, start, end, before, after in columns
    ]


def _nearest(index: MemoryIndex, order: Ints, column: str) -> list[tuple[int, ...]]:
    """Seqs of the two messages on one side of each, the nearest first."""
    link, seqs = index.messages[column], index.messages["seq"]
    first = link[order]
    second = np.where(first >= 0, link[first], -1)
    return [
        tuple(seq for place, seq in ((one, a), (two, b)) if place >= 0)
        for one, a, two, b in zip(
            first.tolist(),
            seqs[first].tolist(),
            second.tolist(),
            seqs[second].tolist(),
            strict=True,
        )
    ]


def _hit(found: _Found, message: Message) -> Hit:
    return Hit(
        message=message,
        score=found.score,
        parts=found.parts,
        passage=found.passage,
        before=_ids(found.before),
        after=_ids(found.after),
    )


def _ids(seqs: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"m{seq}" for seq in seqs)

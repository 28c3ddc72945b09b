"""From words and vectors to one score a message.

Scores are standardised over the living messages (mean 0, deviation 1) and added, so that
neither scale matters. How much words count depends on how much of the question they explain;
how much vectors count grows with the length of the messages. What else was said on the same
occasion speaks for short ones. On top come bounded terms (who is speaking, how informative, how
recent), which reorder near ties and never bury the one right answer. See ``docs/decisions`` for
what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.recall.index import Floats, Ints, MemoryIndex
from memfold.recall.lexical import lexical
from memfold.recall.neighbours import Neighbours, standardise
from memfold.recall.reading import Question
from memfold.recall.sessions import company

_SESSIONS = 16  # from so many on, what tells one from another has its full weight
_DAY = 86_400 * 1_000_000  # microseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the parts, in standard deviations.

    ``words``: at most, reached when the question is explained. ``vectors``: for short messages
    and for long ones (mean length ``short_length`` and ``long_length`` terms). ``session`` and
    ``company``: for the words of the whole session, and for its other messages. The rest are the
    bounds of the added terms; ``recency_days`` is the time by which recency falls to 1/e.
    """

    words: float = 1.0
    vectors_short: float = 0.8
    vectors_long: float = 1.5
    short_length: float = 30.0
    long_length: float = 100.0
    foreign: float = 0.5
    session: float = 0.3
    company: float = 0.2
    information: float = 0.1
    question: float = 0.6
    answer: float = 0.4
    speaker: float = 2.4
    author: float = 1.2
    assistant: float = 0.6
    first_person: float = 0.2
    days: float = 1.0
    recency: float = 0.1
    recency_days: float = 30.0


DEFAULT_WEIGHTS = Weights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Scores by message number; ``parts`` add up to ``scores``. ``passage`` is the number of
    each message's best passage. Gone messages score −inf.
    """

    scores: Floats
    parts: Mapping[str, Floats]
    similarity: Floats
    passage: Ints


def rank(
    index: MemoryIndex,
    around: Neighbours,
    question: Question,
    vector: Floats | None,
    *,
    now: int,
    weights: Weights = DEFAULT_WEIGHTS,
) -> Ranking:
    """Score every living message; ``now`` in microseconds, ``vector`` None without embedder."""
    messages = index.messages
    alive = messages["alive"]
    found = lexical(index, question.terms, around)
    foreign = _in_another_language(index, question)
    parts: dict[str, Floats] = {}
    trust = weights.words * found.explained
    first = messages["first"]
    words = np.maximum.reduceat(found.passages, first)
    parts["lexical"] = trust * standardise(words, alive)
    similarity = np.zeros(len(messages), dtype=np.float32)
    by_passage = standardise(found.passages, alive[index.passages["message"]]) * trust
    if vector is not None:
        near = _similarity(index, vector)
        similarity = np.maximum.reduceat(near, first)
        share = _vector_weight(around.mean_length, weights)
        # Where words say little (another wording, another language), what stands around says
        # little too: the message's own vector decides.
        lean = trust / weights.words if weights.words else 0.0
        own = standardise(similarity, alive)
        leaning = standardise(_smooth(similarity, around), alive)
        dense = np.float32(share) * (lean * leaning + (1 - lean) * own).astype(np.float32)
        parts["dense"] = dense
        parts["foreign"] = np.where(
            foreign,
            np.float32(weights.foreign * (1 - lean)) * np.maximum(dense, 0),
            np.float32(0),
        )
        by_passage += share * standardise(near, alive[index.passages["message"]])
    relevance = np.sum([*parts.values()], axis=0)
    by_session = _session(found.sessions, relevance, around, alive, foreign, weights)
    if question.of_assistant and "assistant" in index.roles:
        # What it said stands in its own answers, which are long: the short messages around them
        # would take their place.
        answers = messages["role"] == index.roles["assistant"]
        by_session = np.where(answers, by_session, np.minimum(by_session, 0))
    parts["session"] = np.float32(trust) * by_session
    parts.update(_bounded(index, around, question, now=now, weights=weights))
    scores = np.zeros(len(messages), dtype=np.float32)
    for part in parts.values():
        scores += part
    scores[~alive] = -np.inf
    return Ranking(
        scores=scores, parts=parts, similarity=similarity, passage=_best(by_passage, first)
    )


def _session(
    words: Floats,
    relevance: Floats,
    around: Neighbours,
    alive: NDArray[np.bool_],
    foreign: NDArray[np.bool_],
    weights: Weights,
) -> Floats:
    """What the words of its whole session and its other messages say for each message."""
    sessions = around.sessions
    others = company(standardise(relevance, alive), alive, sessions)
    scale = np.float32(min(1.0, sessions.living / _SESSIONS)) * around.lean
    total = weights.session * standardise(words[sessions.of], alive)
    total += weights.company * standardise(others, alive)
    # Words cannot speak for sessions in another language: those compete among themselves.
    for group in (alive & foreign, alive & ~foreign):
        if group.any():
            total[group] -= total[group].mean()
    return (scale * total).astype(np.float32)


def _similarity(index: MemoryIndex, vector: Floats) -> Floats:
    """Cosine of each passage; those without a vector count as average."""
    near: Floats = index.vectors @ vector
    embedded = index.passages["embedded"]
    if not embedded.all():
        known = near[embedded & index.messages["alive"][index.passages["message"]]]
        near = np.where(embedded, near, known.mean() if len(known) else 0.0)
    return near.astype(np.float32)


def _smooth(similarity: Floats, around: Neighbours) -> Floats:
    """Each message's similarity averaged with its neighbours', as far as it leans on them."""
    total = similarity.copy()
    for at, weight in zip(around.at, around.vectors, strict=True):
        total += weight * similarity[at]
    result: Floats = total / around.total
    return result


def _in_another_language(index: MemoryIndex, question: Question) -> NDArray[np.bool_]:
    """Messages whose words cannot match the question's: there the vector speaks for both."""
    same, _ = index.header.find(question.language)
    foreign = np.ones(len(index.messages), dtype=np.bool_)
    foreign[same] = False
    return foreign


def _vector_weight(mean_length: float, weights: Weights) -> float:
    share = (mean_length - weights.short_length) / (weights.long_length - weights.short_length)
    share = min(1.0, max(0.0, share))
    return weights.vectors_short + share * (weights.vectors_long - weights.vectors_short)


def _bounded(
    index: MemoryIndex, around: Neighbours, question: Question, *, now: int, weights: Weights
) -> dict[str, Floats]:
    """The added terms. With few messages standardised scores are small, and so must these be."""
    messages = index.messages
    scale = np.float32(min(1.0, around.living**0.5 / 8))
    age = (np.maximum(0, now - messages["at"]) / _DAY).astype(np.float32)
    parts = {
        "information": weights.information * around.spread,
        "form": weights.first_person * messages["first_person"]
        - weights.question * messages["question"]
        + weights.answer * around.answers,
        "speaker": _speaker(index, question, weights),
        "recency": weights.recency * np.exp(-age / weights.recency_days),
    }
    if question.since is not None and question.until is not None:
        within = (messages["at"] >= question.since) & (messages["at"] < question.until)
        parts["days"] = weights.days * within
    return {name: (scale * part).astype(np.float32) for name, part in parts.items()}


def _speaker(index: MemoryIndex, question: Question, weights: Weights) -> Floats:
    """A boost for those whose words the question asks for; a hard filter would lose answers."""
    if question.speakers:
        codes = [index.speakers[name] for name in question.speakers if name in index.speakers]
        # Where all are mentioned, none is singled out.
        if len(codes) == 1:
            hit = index.messages["speaker"] == codes[0]
            return np.asarray(weights.speaker * hit, dtype=np.float32)
    else:
        role, weight = (
            ("assistant", weights.assistant)
            if question.of_assistant
            else (("user", weights.author) if question.of_user else ("", 0.0))
        )
        if role in index.roles:
            hit = index.messages["role"] == index.roles[role]
            return np.asarray(weight * hit, dtype=np.float32)
    return np.zeros(len(index.messages), dtype=np.float32)


def _best(by_passage: Floats, first: Ints) -> Ints:
    """The number of the best passage of each message."""
    if len(first) == len(by_passage):
        return first
    counts = np.diff(np.append(first, len(by_passage)))
    top = np.repeat(np.maximum.reduceat(by_passage, first), counts)
    order = np.where(by_passage >= top, np.arange(len(by_passage)), len(by_passage))
    best: Ints = np.minimum.reduceat(order, first)
    return best

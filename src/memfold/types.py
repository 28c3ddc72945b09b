"""Values that cross memfold's borders: plain frozen dataclasses, no behaviour beyond views.

Times are timezone-aware UTC. Ids are short strings that are unique within one owner
(tenant, user, agent): ``m12`` a message, ``f3`` a fold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

JSON = Mapping[str, Any]
"""A JSON object, as ``json.loads`` returns it."""

Outcome = Literal["stored", "known", "edited", "cut", "forked", "forgotten", "erased", "unknown"]
"""What a write did to one item; ``known`` means an earlier write with the same key had it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What work with a language model cost; usages add up with ``+``.

    ``calls`` counts the calls that were made, ``failures`` those of them that raised; tokens are
    those of the answers, ``seconds`` the time waited for all calls.
    """

    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            failures=self.failures + other.failures,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            seconds=self.seconds + other.seconds,
        )

    def __sub__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls - other.calls,
            failures=self.failures - other.failures,
            prompt_tokens=self.prompt_tokens - other.prompt_tokens,
            completion_tokens=self.completion_tokens - other.completion_tokens,
            seconds=self.seconds - other.seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Who a store call acts for. Every store call takes one and sees nothing outside it.

    ``tenant``, ``user`` and ``agent`` name the owner: rows of one owner are never read or
    scored for another. ``session`` narrows to one conversation; None means all of the owner's.
    """

    tenant: str
    user: str
    agent: str = ""
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One chat message as it is kept.

    ``raw`` is the dict that came in, unchanged; ``text`` is its readable text (parts joined,
    tool results included), ``position`` its place in ``session`` (0-based). ``tokens`` counts
    ``raw`` as the configured counter does, message overhead included.
    """

    id: str
    session: str
    position: int
    role: str
    text: str
    at: datetime
    tokens: int
    raw: JSON = field(repr=False)
    name: str | None = None
    metadata: JSON = field(default_factory=dict, repr=False)
    recorded_at: datetime | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptItem:
    """What became of one item of a write; ``reason`` says why when it was not simply stored."""

    id: str
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a write did. It is on disk when the receipt is in hand.

    ``indexed`` names what can be searched at once (``words``, and ``vectors`` when those are
    made already); ``pending`` what still has to be made, by the background or, after a
    ``failure`` (which says why it could not be), with the next write. ``usage`` is what models
    cost before the write returned: nothing where a background does their work.
    """

    items: tuple[ReceiptItem, ...]
    indexed: frozenset[str] = frozenset()
    pending: frozenset[str] = frozenset()
    failure: str = ""
    usage: Usage = field(default_factory=Usage)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all items, in the order they were given."""
        return tuple(item.id for item in self.items)

    @property
    def id(self) -> str:
        """The id of the first item, or '' when the write had none."""
        return self.items[0].id if self.items else ""

    def count(self, outcome: Outcome) -> int:
        """How many items ended so."""
        return sum(item.outcome == outcome for item in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldSentence:
    """One sentence of a fold with the ids of the messages it came from.

    ``speaker`` and ``at`` are those of the first of them, so that a fold of folds can still say
    who said it and when. ``fact`` marks a bare detail (a date, an identifier) of the line of key
    facts, which no chosen sentence contains.
    """

    text: str
    sources: tuple[str, ...]
    speaker: str = ""
    at: datetime | None = None
    fact: bool = False


Tier = Literal["goal", "decision", "dialogue", "tool"]
"""What a message is to compression: what a user asks for or someone owes, a conclusion, talk,
or a tool's raw output. Tool output goes first, goals never.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingItem:
    """What holds until it is settled or replaced: a goal, constraint, commitment or open point.

    ``text`` is a sentence or clause exactly as message ``source`` has it, said by ``by`` (a
    speaker's name, else the role) at ``at``. ``done`` says that it holds no more, since
    message ``closed_by``.
    """

    kind: Literal["goal", "constraint", "commitment", "open"]
    text: str
    source: str
    at: datetime
    by: str
    done: bool = False
    closed_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A detail from the work of tools that later steps may need: an id, a path, an error.

    ``kind`` is ``url``, ``path``, ``id``, ``error`` or ``number``; ``text`` stands in message
    ``source`` as it is written here.
    """

    kind: str
    text: str
    source: str


Rung = Literal[
    "summary", "longer", "topics", "strong", "running", "part", "tiers", "questions", "answer"
]
"""What a model was asked for: a summary, a longer one, one by topics, one by the stronger model,
the running summary, the summary of a part of a span too long to be read at once,
the tiers of messages, questions about a span, the answer to one.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try to have a fold written by a model, and what became of it.

    ``taken``: the fold is its answer; ``refused``: the answer did not do, ``reason`` says why;
    ``failed``: there was none. ``reason`` of a taken one says what was mended.
    """

    rung: Rung
    model: str
    outcome: Literal["taken", "refused", "failed"]
    reason: str = ""
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """A summary of a span of one session.

    Level 1 is a segment, 2 a chapter, and so on. ``first`` and ``last`` are the positions of
    its span (inclusive); ``children`` the ids of the folds one level below (empty at level 1).
    ``required``, ``kept`` and ``missing`` are keys of protected entities; ``quality`` holds
    figures between 0 and 1 (``entity_retention``, ``semantic_similarity``) and ``ratio``,
    the fold's tokens by its source's.
    ``verbatim`` says that the span already fitted its limit and is its own fold. ``extractor``
    is the fingerprint of the entity extractor: figures compare only within one.

    ``method`` is ``extractive``, or ``model`` when a model wrote it; ``prompt_version`` and
    ``attempts`` say what it was asked and what came of it. ``retry_at`` is when a model is to be
    asked (again), None when the fold is to stay as it is.

    At level 1, ``standing`` are the instructions, promises and open items of its span, with those
    of earlier spans that it closed, ``artifacts`` the details of its tools' output, and
    ``masked_tokens`` about what its messages cost with that output masked.
    """

    id: str
    session: str
    level: int
    index: int
    first: int
    last: int
    since: datetime
    until: datetime
    text: str
    headline: str
    tokens: int
    headline_tokens: int
    source_tokens: int
    sentences: tuple[FoldSentence, ...] = ()
    children: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    quality: Mapping[str, float] = field(default_factory=dict)
    verbatim: bool = False
    method: str = "extractive"
    prompt_version: str = ""
    extractor: str = ""
    attempts: tuple[Attempt, ...] = ()
    retry_at: datetime | None = None
    standing: tuple[StandingItem, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    masked_tokens: int = 0

    @property
    def sources(self) -> tuple[str, ...]:
        """Ids of the messages its sentences came from, in order, each once."""
        return tuple(dict.fromkeys(i for s in self.sentences for i in s.sources))


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A tool's output that a compression left out: its handle, its size, the line for it."""

    handle: str
    tokens: int
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compression:
    """A history made shorter.

    ``messages`` are ready for the next call. ``kept`` are those that stayed as they were, the
    first ``opening`` of them from the beginning; ``summary`` stands for the others and
    ``standing`` are their instructions, promises and open items, as they were said.

    ``entities`` are keys of the protected details of what was summarised, ``importance`` the
    five-factor importance (0 to 1) of each summarised message, in order. ``quality`` holds
    ``entity_retention``, ``semantic_similarity`` (not without an embedder) and ``ratio``, the
    summary's tokens by its source's. ``masked`` is the tool output among them; ``attempts`` and
    ``usage`` are what models were asked, and what that cost. ``tokens`` and ``source_tokens``
    are those of a request with ``messages``, and with the whole history. Where nothing was to be
    saved, all is ``kept``.
    """

    kept: tuple[JSON, ...]
    opening: int = 0
    summary: str = ""
    headings: tuple[str, str] = ("", "")
    standing: tuple[StandingItem, ...] = ()
    entities: tuple[str, ...] = ()
    importance: tuple[float, ...] = ()
    quality: Mapping[str, float] = field(default_factory=dict)
    masked: tuple[Masked, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    usage: Usage = field(default_factory=Usage)
    tokens: int = 0
    source_tokens: int = 0
    originals: tuple[JSON, ...] = field(default=(), repr=False)

    @property
    def messages(self) -> list[JSON]:
        """The shorter history, as OpenAI-style clients take it."""
        sections: list[JSON] = []
        if self.standing:
            lines = [f"- {item.by}: {' '.join(item.text.split())}" for item in self.standing]
            text = "\n".join([self.headings[0], *lines])
            sections.append({"role": "system", "content": text})
        if self.summary:
            text = f"{self.headings[1]}\n{self.summary}"
            sections.append({"role": "system", "content": text})
        return [*self.kept[: self.opening], *sections, *self.kept[self.opening :]]

    def expand(self, handle: str) -> JSON:
        """The message behind a handle: ``m1`` is the first that was given. Raises KeyError."""
        number = handle.removeprefix("m")
        if not number.isdecimal() or not 0 < int(number) <= len(self.originals):
            raise KeyError(handle)
        return self.originals[int(number) - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldQuality:
    """How well one fold stands for its source.

    Figures are between 0 and 1: ``entity_retention`` of the protected entities,
    ``semantic_similarity`` (cosine; None without an embedder), ``answers``, the share of questions
    about the source that a reader answers from the fold (None without a reader). ``unsupported``
    are details that the source does not have. ``low`` says in what it falls short.
    """

    fold: Fold
    entity_retention: float
    semantic_similarity: float | None
    answers: float | None
    unsupported: tuple[str, ...]
    low: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How well folds stand for their sources: each of them, and by level the means.

    ``levels`` maps a level to figures: ``folds``, ``low`` (how many fall short), ``tokens``,
    ``source_tokens``, and the means of the figures of :class:`FoldQuality` that were measured.
    """

    folds: tuple[FoldQuality, ...]
    levels: Mapping[int, Mapping[str, float]]

    @property
    def low(self) -> tuple[FoldQuality, ...]:
        """Those that fall short."""
        return tuple(each for each in self.folds if each.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result.

    ``score`` orders the hits; ``parts`` are the figures it was made of (``lexical``, ``dense``,
    ``session``, ``recency``, ``importance``, …). ``passage`` is the part of the message's text
    that matched best, as (start, end) character offsets. ``before`` and ``after`` are the ids
    of the neighbours in the session.
    """

    message: Message
    score: float
    parts: Mapping[str, float]
    passage: tuple[int, int]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceItem:
    """Why one piece stands in a context, or why it was left out.

    ``section`` is where it stands (``stable``, ``outline``, ``window``, ``recall``, ``query``);
    ``sources`` the ids it shows; ``tokens`` what it costs.
    """

    section: str
    sources: tuple[str, ...]
    tokens: int
    reason: str
    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The account of one context: pieces shown, pieces left out, tokens by section."""

    shown: tuple[TraceItem, ...]
    left_out: tuple[TraceItem, ...]
    budget: int
    tokens: int
    by_section: Mapping[str, int]
    full_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What one model call should see.

    ``messages`` are ready for an OpenAI-style client and end with the query; ``tokens`` counts
    them as the configured counter does, tool definitions included, and never exceeds the budget.
    """

    messages: Sequence[JSON]
    trace: Trace
    tokens: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """One session: its length in messages, the times of its first and last, and the last's id."""

    id: str
    messages: int
    began: datetime | None
    last: datetime | None
    parent: str | None = None
    newest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What an owner's memory holds, in counts; ``bytes`` is the whole file's size.

    ``usage`` is what models have cost for it.
    """

    sessions: int
    messages: int
    tokens: int
    folds: int
    passages: int
    vectors: int
    pending: int
    embedder: str
    bytes: int
    usage: Usage = field(default_factory=Usage)


Finish = Literal["stop", "length", "refusal"]
"""Why a model ended: it was done, it ran out of tokens, it (or a filter) would not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One answer of a language model.

    ``text`` is what it wrote: cut short when ``finish`` is ``length``; the words of the refusal,
    if any, when that is ``refusal``. Tokens are the server's figures, or counted where it gives
    none. ``seconds`` is the time the caller waited, retries included.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    finish: Finish

"""How a question is read: its words, whom it is about, and which days it asks of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from memfold.text.scripts import Language, language
from memfold.text.terms import query_terms, term_ids
from memfold.text.times import query_range

_FIRST_PERSON = re.compile(r"\b(?:i|my|me|mine|we|our|us)\b|我|咱|俺", re.IGNORECASE)
# "What did you recommend?", "remind me": the answer stands in what the assistant said.
_OF_ASSISTANT = re.compile(
    r"\b(?:you|your)\b.{0,40}\b(?:said|told|recommend\w*|suggest\w*|mention\w*|gave|list\w*"
    r"|provid\w*|explain\w*|wrote|advis\w*|shared?|describ\w*|propos\w*|promis\w*)\b"
    r"|\bdid you\b.{0,20}\b(?:say|tell|give|write)\b"
    r"|\bremind me\b|\b(?:our|the) (?:last|previous|earlier|past) (?:chat|conversation|session)"
    r"|[你您](?:之前|上次|刚才|曾经?|当时)?.{0,4}(?:说|提|推荐|建议|给|列|答应|承诺|保证)",
    re.IGNORECASE,
)
# Not strftime's, which change with the locale of the process.
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CJK_NAME = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, read.

    ``terms``: distinct term ids. ``speakers``: names of speakers it mentions. ``of_assistant``
    and ``of_user``: whose words it asks for. ``since``, ``until``: the days it asks of, as
    microseconds since the epoch (until is exclusive), or None. ``language`` is the term id of its
    language mark.
    """

    text: str
    terms: tuple[int, ...]
    speakers: frozenset[str]
    of_assistant: bool
    of_user: bool
    since: int | None
    until: int | None
    language: int


def read_question(text: str, *, names: Iterable[str], now: datetime, zone: tzinfo) -> Question:
    """Read ``text``; ``names`` are those of the speakers on record, ``now`` resolves
    "yesterday", days are those of ``zone``.
    """
    lowered = text.casefold()
    speakers = frozenset(name for name in names if _mentions(lowered, name.casefold()))
    of_assistant = not speakers and bool(_OF_ASSISTANT.search(text))
    days = query_range(text, now.astimezone(zone))
    since = until = None
    if days is not None:
        since = microseconds(datetime.combine(days[0], time.min, zone))
        until = microseconds(datetime.combine(days[1], time.min, zone)) + 86_400_000_000
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(term_ids(query_terms(text)))),
        speakers=speakers,
        of_assistant=of_assistant,
        of_user=not speakers and not of_assistant and bool(_FIRST_PERSON.search(text)),
        since=since,
        until=until,
        language=term_ids([language_mark(language(text))])[0],
    )


def speaks_of_itself(text: str) -> bool:
    """Whether the text has a first-person pronoun, in English or Chinese."""
    return bool(_FIRST_PERSON.search(text))


def only_asks(text: str) -> bool:
    """Whether the text ends in a question mark."""
    return text.rstrip().endswith(("?", "？"))


def microseconds(at: datetime) -> int:
    """Microseconds since the Unix epoch of an aware time."""
    return (at - _EPOCH) // _MICROSECOND


def header(name: str | None, day: date, spoken: Language) -> str:
    """What a message is found by besides its own words: its speaker and its day, in the
    language ``spoken``.
    """
    found = (
        f"{day.year}年{day.month}月{day.day}日"
        if spoken == "zh"
        else f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
    )
    return f"{name} {found}" if name else found


def language_mark(spoken: Language) -> str:
    """A term that stands for a text's language; no text contains it."""
    return f"language:{spoken or 'none'}"


def _mentions(text: str, name: str) -> bool:
    if not name:
        return False
    if _CJK_NAME.search(name):
        return name in text
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None

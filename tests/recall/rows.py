"""Small indexes for the tests of recall, made without a store."""

import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from memfold.recall.index import MemoryIndex
from memfold.recall.reading import (
    header,
    language_mark,
    microseconds,
    only_asks,
    read_question,
    speaks_of_itself,
)
from memfold.rows import Cursor, IndexDelta, IndexRow
from memfold.text.scripts import language
from memfold.text.terms import term_ids, terms

START = datetime(2024, 3, 4, 9, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Said:
    """What one message says; each of ``parts`` is a passage."""

    parts: tuple
    session: str = "s"
    role: str = "user"
    name: str | None = None
    at: datetime = START
    vectors: tuple | None = None


def said(*parts, **options):
    return Said(parts=parts, **options)


def packed(words):
    ids = term_ids(words)
    if sys.byteorder == "big":
        ids.byteswap()
    return ids.tobytes()


def rows(messages, *, first=1, last=None):
    """Index rows of messages in the order they were written; ``last`` of each session so far."""
    last = {} if last is None else last
    found = []
    for seq, message in enumerate(messages, first):
        text = " ".join(message.parts)
        head = [*terms(header(message.name, message.at.date(), language(text)))]
        head.append(language_mark(language(text)))
        for part, said in enumerate(message.parts):
            vector = message.vectors[part] if message.vectors else None
            found.append(
                IndexRow(
                    seq=seq,
                    part=part,
                    previous=last.get(message.session, 0),
                    session=message.session,
                    role=message.role,
                    name=message.name,
                    at=microseconds(message.at),
                    start=0,
                    end=len(said),
                    terms=packed(terms(said)),
                    header=packed(head),
                    question=only_asks(text),
                    first_person=speaks_of_itself(text),
                    tokens=len(text),
                    vector=None if vector is None else half(vector),
                )
            )
        last[message.session] = seq
    return found


def half(vector):
    return np.array(vector, dtype="<f2").tobytes()


def delta(found=(), gone=()):
    return IndexDelta(rows=tuple(found), gone=tuple(gone), cursor=Cursor(), reset=False)


def index_of(messages, *, dimension=0):
    index = MemoryIndex(dimension)
    index.apply(delta(rows(messages)))
    return index


def ask(text, *, names=(), now=START + timedelta(days=1)):
    return read_question(text, names=names, now=now, zone=UTC)

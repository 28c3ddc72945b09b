"""What a context is made from, without a store."""

from datetime import UTC, datetime, timedelta

from memfold.context.frames import frames
from memfold.context.pieces import Material
from memfold.context.units import units
from memfold.fold.config import FoldConfig
from memfold.text.chat import readable
from memfold.text.entities import EntityExtractor
from memfold.text.tokens import TiktokenCounter, count_message
from memfold.types import Fold, Hit, Message

COUNTER = TiktokenCounter()
START = datetime(2024, 3, 4, 9, tzinfo=UTC)


def message(number, raw, *, at=START, position=None):
    raw = {"role": "user", "content": raw} if isinstance(raw, str) else raw
    return Message(
        id=f"m{number}",
        session="s",
        position=number - 1 if position is None else position,
        role=raw["role"],
        text=readable(raw),
        at=at,
        tokens=count_message(COUNTER, raw),
        raw=raw,
        name=raw.get("name"),
    )


def talk(*raws, first=1):
    return [
        message(number, raw, at=START + timedelta(minutes=number))
        for number, raw in enumerate(raws, first)
    ]


def call(*names):
    function = {"name": "f", "arguments": "{}"}
    calls = [{"id": name, "type": "function", "function": function} for name in names]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(name, content="found"):
    return {"role": "tool", "tool_call_id": name, "content": content}


def hit(said, *, score=1.0, passage=None, **parts):
    passage = passage or (0, len(said.text))
    return Hit(message=said, score=score, parts=parts or {"lexical": 1.0}, passage=passage)


def fold(index, first, last, text, *, level=1):
    return Fold(
        id=f"f{level}{index}",
        session="s",
        level=level,
        index=index,
        first=first,
        last=last,
        since=START,
        until=START,
        text=text,
        headline=text[:20],
        tokens=COUNTER.count(text),
        headline_tokens=COUNTER.count(text[:20]),
        source_tokens=1000,
    )


def material(**given):
    """Material with nothing in it but what is given."""
    past = given.pop("past", [])
    pending = given.pop("pending", [])
    found = {
        "budget": 1000,
        "counter": COUNTER,
        "zone": UTC,
        "frames": frames("en"),
        "config": FoldConfig(),
        "system": [],
        "past": units(past)[0],
        "pending": units(pending)[0],
        "query": None,
        "query_text": "",
        "hits": [],
        "folds": [],
        "standing": [],
        "artifacts": [],
        "extractor": EntityExtractor(),
        "cold": False,
        "from_start": True,
        "tools": (),
        "full_tokens": 1_000_000,
    }
    if isinstance(given.get("query"), str):
        given.setdefault("query_text", given["query"])
        given["query"] = {"role": "user", "content": given["query"]}
    return Material(**{**found, **given})

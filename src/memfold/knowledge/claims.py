"""Claims: what one message says of people and things, before it is held against other messages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Final, Literal

Act = Literal["state", "retract", "correct", "ask", "answer"]

SPEAKER: Final = ""
"""The subject of what people say of themselves."""
LAST: Final = "^"
"""The subject that was spoken of last: of "he", "she", "it", 他, 她, 它."""
RELATION: Final = "~"
"""Begins a subject that is named by what it is to the speaker: "~sister", "~妹妹",
"~sister/boss" for "my sister's boss"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim of a message.

    ``act``: ``state`` says that something is so, ``retract`` that it no longer is (``value`` may
    be empty: whatever it was), ``correct`` that what was said last of this attribute (or, with
    none, of anything) was wrong and is ``value`` instead, ``ask`` that the message asks for the
    attribute (of whoever answers), ``answer`` that its whole text may be an answer to that.

    ``subject`` is SPEAKER, LAST, a name, or begins with RELATION; ``attribute`` is one of
    ``vocabulary.ATTRIBUTES``, ``relation:<kind>`` with a name as value, or ``open:<word>``.
    ``start`` and ``end`` are offsets of the value's words in the message's text: a claim is
    grounded in them. ``since`` and ``until`` are the first days (ISO) on which it was and was no
    longer so, as far as the message says; ``past``: it was so once, and is not now.
    ``rule`` names what read it, ``confidence`` is between 0 and 1.
    """

    act: Act
    subject: str
    attribute: str
    value: str
    start: int
    end: int
    unit: str = ""
    since: str = ""
    until: str = ""
    past: bool = False
    rule: str = ""
    confidence: float = 0.9


_DEFAULTS: Final = {
    each.name: each.default
    for each in fields(Claim)
    if each.name in ("unit", "since", "until", "past", "rule", "confidence")
}


def to_bytes(claims: Iterable[Claim]) -> bytes:
    """The claims as JSON, b"" for none."""
    listed = [
        {name: value for name, value in asdict(each).items() if value != _DEFAULTS.get(name, ...)}
        for each in claims
    ]
    return (
        json.dumps(listed, ensure_ascii=False).encode("utf-8", "surrogatepass") if listed else b""
    )


def from_bytes(body: bytes) -> tuple[Claim, ...]:
    """The claims again."""
    if not body:
        return ()
    return tuple(Claim(**each) for each in json.loads(body.decode("utf-8", "surrogatepass")))

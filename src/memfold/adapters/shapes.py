"""OpenAI-style files: from JSON documents to messages that know their session and time."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from memfold.adapters import chatgpt
from memfold.adapters.documents import MESSAGES
from memfold.errors import InvalidInput, InvalidMessage
from memfold.text.chat import as_dict, to_bytes

_TIMES: Final = ("time", "timestamp", "created_at")
_SESSION: Final = "session"
_METADATA: Final = "metadata"
_NAMES: Final = (_SESSION, "id")  # of a conversation, the first that is there
_MILLISECONDS: Final = 1e11  # as seconds, a number above this would lie after the year 5000


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """One message of a file and where it belongs.

    ``named``: the session is one that the file or the caller named, not one made up for it.
    ``index`` counts the messages of its session in the file, from 0; ``line`` is where it (or
    the conversation around it) begins. ``problem`` says why it cannot be a message.
    """

    session: str
    index: int
    line: int
    message: Any = field(repr=False)
    named: bool = True
    at: datetime | str | None = None
    metadata: Mapping[str, Any] | None = None
    problem: str = ""

    @property
    def is_message(self) -> bool:
        """Whether it has the shape of a message at all."""
        return isinstance(self.message, dict) and "role" in self.message

    def key(self, format: str) -> str:
        """What makes a second import of the same message known."""
        parts = [format, self.session, self.index, self.message, str(self.at)]
        canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        return f"import:{hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()}"


class Reader:
    """Turns documents into messages: a message, a conversation, or a list of either.

    What names no session of its own goes into ``session``; when the file holds many unnamed
    conversations, into ``session-1``, ``session-2`` and so on.
    """

    def __init__(self, session: str, *, chosen: bool, single: bool) -> None:
        """``chosen``: the caller named ``session``; ``single``: the file is one conversation."""
        self._session = session
        self._chosen = chosen
        self._single = single
        self._unnamed = 0
        self._count: Counter[str] = Counter()
        self._last: dict[str, datetime | str] = {}

    def told(self, document: Any, line: int) -> Iterator[Told]:
        """The messages of one document."""
        if chatgpt.recognises(document):
            document = chatgpt.conversation(document)
        if isinstance(document, list):
            yield from self._conversation({MESSAGES: document}, line)
        elif isinstance(document, dict) and isinstance(document.get(MESSAGES), list):
            yield from self._conversation(document, line)
        else:
            yield self._one(document, self._session, line, named=self._chosen)

    def _conversation(self, document: Mapping[str, Any], line: int) -> Iterator[Told]:
        session = next((name for field in _NAMES if (name := _name(document.get(field)))), "")
        named = bool(session) or self._chosen
        if not session:
            self._unnamed += 1
            session = self._session if self._single else f"{self._session}-{self._unnamed}"
        try:
            if (began := _time(document)) is not None:
                self._last[session] = began
        except InvalidInput:
            pass  # the messages may still have times of their own
        for message in document[MESSAGES]:
            yield self._one(message, session, line, named=named)

    def _one(self, value: Any, session: str, line: int, *, named: bool) -> Told:
        own = _name(value.get(_SESSION)) if isinstance(value, dict) else ""
        session, named = own or session, named or bool(own)
        index = self._count[session]
        self._count[session] += 1
        try:
            return replace(self._read(value, session, index, line), named=named)
        except InvalidInput as error:
            return Told(session=session, index=index, line=line, message=value, problem=str(error))

    def _read(self, value: Any, session: str, index: int, line: int) -> Told:
        if not isinstance(value, dict) or "role" not in value:
            raise InvalidMessage(
                "neither a message with a 'role' nor a conversation with 'messages'"
            )
        metadata = value.get(_METADATA)
        if metadata is not None and not isinstance(metadata, dict):
            raise InvalidMessage("the 'metadata' is no object")
        at = _time(value)
        if at is not None:
            self._last[session] = at
        ours = {_SESSION, _METADATA, *_TIMES}
        message = as_dict({name: value for name, value in value.items() if name not in ours})
        to_bytes(message)
        to_bytes(metadata or {}, what="metadata")
        return Told(
            session=session,
            index=index,
            line=line,
            message=message,
            # A tool's answer often has no time of its own: that of the message before it is near.
            at=self._last.get(session),
            metadata=metadata,
        )


def _name(value: Any) -> str:
    """A session's name as files have it: a string or a number; '' for anything else."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _time(value: Mapping[str, Any]) -> datetime | str | None:
    """The time of a message, ISO 8601 or seconds (or milliseconds) since 1970; None without."""
    name = next((name for name in _TIMES if value.get(name) is not None), None)
    if name is None:
        return None
    found = value[name]
    try:
        if isinstance(found, str):
            return _iso(found)
        if isinstance(found, int | float) and not isinstance(found, bool):
            seconds = found / 1000 if abs(found) > _MILLISECONDS else found
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise InvalidMessage(
        f"the {name!r} is neither ISO 8601 nor seconds since 1970: {str(found)[:40]!r}"
    )


def _iso(text: str) -> datetime | str:
    """A naive time stays a string, to be read in the memory's zone."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return datetime.fromtimestamp(float(text), UTC)
    return found if found.tzinfo else text.strip()

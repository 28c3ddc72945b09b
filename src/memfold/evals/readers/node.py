"""Reading somebody else's JSON: every value knows its place, so every complaint names it."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memfold.errors import InvalidInput

_XZ = b"\xfd7zXZ\x00"


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A JSON value and where it stands: ``chat.json: [3].turns[0]``."""

    value: Any
    file: str
    path: str = ""

    @property
    def place(self) -> str:
        """Where this value stands, for messages."""
        return f"{self.file}: {self.path.removeprefix('.')}" if self.path else self.file

    def wrong(self, reason: str) -> InvalidInput:
        """The error to raise: ``reason``, said of this place."""
        return InvalidInput(f"{self.place}: {reason}")

    def get(self, name: str) -> Node | None:
        """The field of this object, or None where it is absent or null."""
        value = self.object().get(name)
        if value is None:
            return None
        return Node(value=value, file=self.file, path=f"{self.path}.{name}")

    def need(self, name: str) -> Node:
        """The field of this object; InvalidInput where it is absent or null."""
        found = self.get(name)
        if found is None:
            raise self.wrong(f"no {name!r} here")
        return found

    def object(self) -> dict[str, Any]:
        """The value as an object."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"an object was expected, not {_kind(self.value)}")
        return self.value

    def elements(self) -> list[Node]:
        """The elements of this list."""
        if not isinstance(self.value, list):
            raise self.wrong(f"a list was expected, not {_kind(self.value)}")
        return [
            Node(value=value, file=self.file, path=f"{self.path}[{number}]")
            for number, value in enumerate(self.value)
        ]

    def text(self) -> str:
        """The value as a string."""
        if not isinstance(self.value, str):
            raise self.wrong(f"a string was expected, not {_kind(self.value)}")
        return self.value

    def scalar(self) -> str:
        """A string, a number or a truth value, as a string: answers are published as any."""
        if isinstance(self.value, dict | list):
            raise self.wrong(f"a string or a number was expected, not {_kind(self.value)}")
        return str(self.value)

    def leaves(self) -> Iterator[Node]:
        """The scalars in this list or object of any depth, in order; the value if it is one."""
        if isinstance(self.value, list):
            for element in self.elements():
                yield from element.leaves()
        elif isinstance(self.value, dict):
            for name in self.value:
                if (field := self.get(name)) is not None:
                    yield from field.leaves()
        elif self.value is not None:
            yield self


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", type(None): "null"}
    return names.get(type(value), f"{value!r}")


def read_json(path: Path, name: str = "") -> tuple[Node, str]:
    """Parse a ``.json`` or ``.json.xz`` file; returns it with the SHA-256 of its bytes.

    ``name`` is what complaints call the file, by default its own name.
    """
    name = name or path.name
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror or 'cannot be read'}") from error
    try:
        data = lzma.decompress(raw) if raw.startswith(_XZ) else raw
        # utf-8-sig: some editors put a byte order mark in front.
        value = json.loads(data.decode("utf-8-sig"))
    except lzma.LZMAError as error:
        raise InvalidInput(f"{name}: not a whole .xz file: {error}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name}: not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(f"{name}: not JSON: {error.msg} at {place}") from error
    except RecursionError as error:
        raise InvalidInput(f"{name}: nested too deeply") from error
    return Node(value=value, file=name), hashlib.sha256(raw).hexdigest()

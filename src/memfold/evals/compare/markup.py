"""Pieces of HTML and SVG, with every text in them escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape as _escape
from typing import Final

# What no XML may hold, and what would turn the direction of the text after it.
_BANNED: Final = dict.fromkeys(
    {*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
    - {ord("\n"), ord("\t")}
    | set(range(0xD800, 0xE000)),
    "\ufffd",
)


class Markup(str):
    """Text that is markup already: made by :func:`tag`, and by nothing that reads data."""

    __slots__ = ()


def escaped(text: object) -> Markup:
    """Markup that shows this text, as content or within an attribute; markup stays as it is."""
    if isinstance(text, Markup):
        return text
    return Markup(_escape(str(text).translate(_BANNED), quote=True))


def tag(name: str, *content: object, **attributes: object) -> Markup:
    """An element. ``class_`` is the attribute class, ``font_size`` font-size; None is left out."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{told}>{joined(content)}</{name}>")


def joined(parts: Iterable[object]) -> Markup:
    """Pieces one after the other."""
    return Markup("".join(map(escaped, parts)))


def table(head: Iterable[object], rows: Mapping[str, Iterable[object]], strong: str) -> Markup:
    """A table whose first column names the rows; ``strong`` is the row that stands out."""
    body = (
        tag(
            "tr",
            tag("th", name, scope="row"),
            *(tag("td", cell) for cell in cells),
            class_="ours" if name == strong else None,
        )
        for name, cells in rows.items()
    )
    return tag(
        "table",
        tag("thead", tag("tr", *(tag("th", each, scope="col") for each in head))),
        tag("tbody", *body),
    )

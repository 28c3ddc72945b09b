"""What a text's bytes are: named, marked, or guessed well enough for an error to help."""

from __future__ import annotations

import codecs
from typing import Final

from memfold.errors import InvalidInput

UTF8: Final = "utf-8"

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_GUESSED_FROM: Final = 100_000  # bytes


def known_encoding(name: str) -> str:
    """The encoding's own name; InvalidInput when Python knows none of that name."""
    try:
        found = codecs.lookup(name)
        "".encode(found.name)  # not those from bytes to bytes, such as "hex"
    except (LookupError, ValueError) as error:
        raise InvalidInput(f"{name!r} names no encoding of text") from error
    return UTF8 if found.name in (UTF8, "utf-8-sig", "ascii") else found.name


def by_mark(head: bytes) -> str:
    """UTF-16 when a text's first bytes are its mark, UTF-8 otherwise."""
    is_utf32 = head.startswith(codecs.BOM_UTF32_LE)
    return "utf-16" if head.startswith(_UTF16_MARKS) and not is_utf32 else UTF8


def not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    """Why ``data`` cannot be read, with what it seems to be."""
    if error.reason == "unexpected end of data":
        return "not UTF-8: it ends within a character"
    guess = _guess(data[:_GUESSED_FROM])
    return f"not UTF-8; it looks like {guess}: name that encoding" if guess else "not UTF-8"


def _guess(data: bytes) -> str:
    if data.count(0) > len(data) // 4:
        # The higher byte of most characters is 0, and stands behind or before the lower one.
        return "utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be"
    high = [byte >= 0x80 for byte in data]
    text = data.decode("gb18030", "ignore")
    # In GB 18030 nearly all bytes of Chinese are high and come in pairs, single accents do not.
    if 4 * sum("\u3000" <= character <= "\uffef" for character in text) >= 2 * sum(high) * 0.8:
        paired = sum(high[at] and high[at - 1] for at in range(1, len(high)))
        if paired >= sum(high) / 2:
            return "gb18030"
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return ""
    return "cp1252"

"""BERT's uncased tokens (Devlin et al. 2018): words in lower case, cut into known pieces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

_LONGEST_WORD = 100
_CACHED_WORDS = 1 << 14
# What BERT spaces out: Chinese characters, but no kana and no hangul.
_HAN = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf"
    "\U0002f800-\U0002fa1f"
)
_IDEOGRAPH = re.compile(f"[{_HAN}]")
# Controls, formats, private use and lone surrogates.
_INVISIBLE = frozenset(("Cc", "Cf", "Co", "Cs"))
_ASCII_WORD = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")


class WordPiece:
    """Turns text into the token ids of a vocabulary that lists one piece a line."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self.pad, self.start, self.end, self._unknown = (
            self._ids[special] for special in ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
        )
        self._cut = lru_cache(maxsize=_CACHED_WORDS)(self._pieces)

    def encode(self, text: str) -> list[int]:
        """Return the ids of `text`, without those that mark its start and end."""
        return [number for word in _words(text) for number in self._cut(word)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Cut a word into the longest known piece from the left, again and again."""
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found: list[int] = []
        at = 0
        while at < len(word):
            prefix = "##" if at else ""
            for end in range(len(word), at, -1):
                number = self._ids.get(prefix + word[at:end])
                if number is not None:
                    break
            else:
                return (self._unknown,)
            found.append(number)
            at = end
        return tuple(found)


def _words(text: str) -> Iterator[str]:
    if text.isascii():
        yield from _ASCII_WORD.findall(_without_controls(text).lower())
        return
    spaced = _IDEOGRAPH.sub(r" \g<0> ", _without_controls(text))
    bare = "".join(
        character
        for character in unicodedata.normalize("NFD", spaced)
        if unicodedata.category(character) != "Mn"
    )
    for word in bare.lower().split():
        yield from _apart(word)


def _without_controls(text: str) -> str:
    if text.isprintable():
        return text.replace("\ufffd", "")
    return "".join(
        character
        for character in text
        if character.isspace()
        or (character != "\ufffd" and unicodedata.category(character) not in _INVISIBLE)
    )


def _apart(word: str) -> Iterator[str]:
    """Yield what stands between marks of punctuation, and each of these by itself."""
    start = 0
    for at, character in enumerate(word):
        if _is_punctuation(character):
            if start < at:
                yield word[start:at]
            yield character
            start = at + 1
    if start < len(word):
        yield word[start:]


def _is_punctuation(character: str) -> bool:
    # In ASCII BERT counts $, +, <, =, >, ^, `, | and ~ as such too.
    if character.isascii():
        return not character.isalnum()
    return unicodedata.category(character)[0] == "P"

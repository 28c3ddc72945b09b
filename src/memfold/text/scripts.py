"""Writing systems: where one ends and the next begins, and what language a text is in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from opencc import OpenCC

Script = Literal["latin", "han", "kana", "hangul", "other", "punct"]
Language = Literal["zh", "ja", "ko", "en", "other", ""]

# Bodies of regex character classes, for use between square brackets.
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uffa0-\uffdc"
CJK = HAN + KANA + HANGUL
# Python's \w leaves out combining marks and the vowel signs of Indic and South-East Asian
# scripts, which would cut words of those scripts to pieces.
DIACRITICS = "\u0300-\u036f"
MARKS = (
    DIACRITICS + "\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u0900-\u0963\u0971-\u0df3"
    "\u0e31-\u0e4e\u0eb1-\u0ece\u0f18-\u0f84\u1000-\u1049\u1056-\u109d\u1780-\u17d3"
    "\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\u3099\u309a\ufe20-\ufe2f"
)
# Patterns without width for where a word begins and ends, in scripts with spaces between words:
# 用RTX4090 has a word that begins at R, éRTX4090 has not. (Python's word boundary takes 用 and R
# for one word.)
_SPACED = r"[^\W\u2e80-\U0010ffff]"
WORD_START = f"(?<!{_SPACED})"
WORD_END = f"(?!{_SPACED})"
_LATIN = (
    "A-Za-z0-9_\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u1d00-\u1dbf"
    "\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua7ff\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
)
_HAN_RUN = re.compile(f"[{HAN}]+")
_LATIN_WORD = re.compile(f"[{_LATIN}{DIACRITICS}]*[^\\W\\d_][{_LATIN}{DIACRITICS}]*")
_ASCII_LETTER = re.compile("[A-Za-z]")
# ASCII, and beyond it punctuation, symbols and emoji: no letters but A to Z.
_PLAIN = (
    "\x00-\x7f\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2190-\u23ff\u2500-\u2767\u3000-\u3003"
    "\u3008-\u3020\ufe0f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    "\U0001f300-\U0001faff"
)
_PLAIN_TEXT = re.compile(f"[{_PLAIN}]*")
_PLAIN_CHINESE = re.compile(f"[{_PLAIN}{HAN}]*")
_SAMPLE = 20_000
_KANA_SHARE = 0.1
# A Latin word of several letters says about as much as two Han characters.
_WORD_WEIGHT = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A stretch `text[start:end]` in one script; "punct" is all that is no letter or digit."""

    start: int
    end: int
    script: Script


@cache
def _run() -> re.Pattern[str]:
    # At first use: it takes 8 ms to compile.
    return re.compile(
        f"(?P<latin>[{_LATIN}{DIACRITICS}]+)|(?P<han>[{HAN}]+)|(?P<kana>[{KANA}\u3099\u309a]+)"
        f"|(?P<hangul>[{HANGUL}]+)|(?P<other>(?:(?![{_LATIN}{CJK}])[\\w{MARKS}])+)"
        f"|(?P<punct>(?:(?![\\w{MARKS}{CJK}]).)+)",
        re.DOTALL,
    )


def runs(text: str) -> list[Run]:
    """Split `text` where scripts meet; the runs are in order and cover every character."""
    return [
        Run(start=match.start(), end=match.end(), script=match.lastgroup)  # type: ignore[arg-type]
        for match in _run().finditer(text)
    ]


def language(text: str) -> Language:
    """Tell the language of `text` by its scripts, judged on its first 20,000 characters.

    Latin letters count as "en" whatever the language, Han alone as "zh", Han with more than a
    tenth of kana as "ja"; a text without letters has no language: "".
    """
    sample = text[:_SAMPLE]
    # Most texts are one of these, and need no counting.
    if sample.isascii() or _PLAIN_TEXT.fullmatch(sample):
        return "en" if _ASCII_LETTER.search(sample) else ""
    if _PLAIN_CHINESE.fullmatch(sample) and not _ASCII_LETTER.search(sample):
        return "zh"
    sizes: dict[str, int] = dict.fromkeys(("latin", "han", "kana", "hangul", "other"), 0)
    for match in _run().finditer(sample):
        script = match.lastgroup
        if script == "latin":
            sizes["latin"] += _WORD_WEIGHT if _LATIN_WORD.fullmatch(match.group()) else 0
        elif script == "other":
            sizes["other"] += _WORD_WEIGHT
        elif script is not None and script != "punct":
            sizes[script] += match.end() - match.start()
    return _dominant(sizes)


def _dominant(sizes: dict[str, int]) -> Language:
    cjk = sizes["han"] + sizes["kana"] + sizes["hangul"]
    if not cjk and not sizes["latin"] and not sizes["other"]:
        return ""
    if cjk >= max(sizes["latin"], sizes["other"]):
        if sizes["hangul"] > sizes["han"] + sizes["kana"]:
            return "ko"
        return "ja" if sizes["kana"] > _KANA_SHARE * cjk else "zh"
    return "en" if sizes["latin"] >= sizes["other"] else "other"


@cache
def _converter() -> OpenCC:
    # opencc and its dictionaries take some 15 ms: only texts with Han characters pay for them.
    from opencc import OpenCC

    return OpenCC("t2s")


def to_simplified(text: str) -> str:
    """Turn traditional Chinese characters into simplified ones by phrase; leave the rest."""
    if text.isascii():
        return text
    return _HAN_RUN.sub(lambda match: _converter().convert(match.group()), text)


class _Folding(dict[int, int]):
    """A `str.translate` table from traditional to simplified that fills itself as it is used."""

    def __missing__(self, code: int) -> int:
        simple = _converter().convert(chr(code))
        self[code] = folded = ord(simple) if len(simple) == 1 else code
        return folded


_FOLDING = _Folding()


def simplify_each(text: str) -> str:
    """Turn traditional Chinese characters into simplified ones one by one: the length stays.

    Many times quicker than `to_simplified`, and enough to look for words in a text.
    """
    if text.isascii():
        return text
    return _HAN_RUN.sub(lambda match: match.group().translate(_FOLDING), text)


def fold_han(text: str) -> str:
    """Return `text` with Han characters in the form in which they can be compared.

    That is `to_simplified`, and then character by character: by phrase 瞭解 becomes 了解, but the
    乾 of 乾隆 stays, which would not be found by the 干 of a search for one character.
    """
    return _HAN_RUN.sub(lambda match: fold_cjk(match.group()), text)


def fold_cjk(run: str) -> str:
    """Do what `fold_han` does, to a run that is known to hold nothing but CJK characters."""
    simplified: str = _converter().convert(run)
    return simplified.translate(_FOLDING)

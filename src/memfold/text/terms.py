"""Index terms: what a text is found by, in any script.

Latin words become Snowball stems; Han, Kana and Hangul become single characters and pairs;
numbers, versions, addresses, paths and identifiers stay whole and are also found by their parts.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from array import array
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Final

from memfold.text import stopwords
from memfold.text.memo import Memo
from memfold.text.scripts import CJK, HAN, HANGUL, KANA, MARKS, fold_cjk

if TYPE_CHECKING:
    from Stemmer import Stemmer

# Pieces longer than this are worked out anew each time instead of filling the cache.
_CACHED_LENGTH = 40
# An identifier that changes between letters and digits more often (a hash, say) has no parts
# anyone would search for.
_MOST_PARTS = 6
# A term is cut here: nobody types more, and an index row must not hold a whole blob.
_LONGEST = 128

_W = f"\\w{MARKS}"
_PIECE = re.compile(f"([{CJK}]+)|([^\\s{CJK}]+)")
_CJK_RUN = re.compile(f"[{HAN}]+|[{KANA}]+|[{HANGUL}]+")
_PICTOGRAPH = (
    "\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u2600-\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    "\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
)
# Repetitions are bounded where a failed attempt would be repeated at every position.
_TOKEN = re.compile(
    rf"""
    (?P<url>(?:[a-z][a-z0-9+.-]{{1,20}}://|www\.)[^\s<>"'`|^{{}}\\]+)
    |(?P<email>[\w.+%-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}})+)
    |(?P<path>(?:[a-z]:)?(?:[~.]{{0,2}}[/\\])?(?:[{_W}.+@-]{{1,100}}[/\\])+[{_W}.+@-]*)
    |(?P<word>(?<![{_W}])(?:c\+\+|[cf]\#)(?![{_W}])
        |\w[{_W}]*(?:(?:[-.]|(?<=\d)[:/,](?=\d)|['’&](?=[^\W\d_]))\w[{_W}]*)*)
    |(?P<emoji>[\U0001f1e6-\U0001f1ff]{{2}}
        |[{_PICTOGRAPH}](?:[\ufe0f\U0001f3fb-\U0001f3ff]|\u200d[{_PICTOGRAPH}])*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:/*)?(?:www\.)?", re.IGNORECASE)
_BETWEEN_COMPONENTS = re.compile(r"[^\w.\-" + MARKS + "]+")
_BETWEEN_PARTS = re.compile(f"[^{_W}]+|_+")
_HUMPS = re.compile(
    r"""
    (?<=[a-z])(?=[A-Z][a-z])          # camel|Case, Git|Hub, but PostgreSQL and OpenAI are names
    |(?<=[A-Z])(?=[A-Z][a-z]{2})      # HTTP|Server, but not GPU|s
    |(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)
    """,
    re.VERBOSE,
)
_PLURAL_ACRONYM = re.compile("^([A-Z]{2,})s$")
_LOWER_CAMEL = re.compile(r"^([a-z]{2,})([A-Z]{2,})$")  # user|ID
_DIACRITIC = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+")
_EMOJI_STYLE = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
_FILE_LIKE = re.compile(r"[\w-]+(?:\.[a-z0-9_-]+)+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")


def terms(text: str) -> list[str]:
    """Return the index terms of `text`, as often as they occur.

    Width, case, accents and the Chinese character set make no difference. Never raises, whatever
    is in the string; what is neither letter, digit nor emoji is no term.
    """
    if text.isascii():
        return list(chain.from_iterable(map(_WORD_TERMS.__getitem__, text.split())))
    found: list[str] = []
    for run, word in _pieces(text):
        found += _grams(run) if run else _WORD_TERMS[word]
    return found


def query_terms(text: str) -> list[str]:
    """Return the terms of a question without function and question words.

    When nothing else remains ("what is it?"), all its terms are returned.
    """
    found: list[str] = []
    for run, word in _pieces(text):
        if run:
            for part in _chinese_stop_words().split(run):
                found += [gram for gram in _grams(part) if not _is_function(gram)]
        elif not _IS_STOP_WORD[word]:
            found += _WORD_TERMS[word]
    return found or terms(text)


def term_ids(terms: Iterable[str]) -> array[int]:
    """Return a stable unsigned 32-bit id for each term (CRC-32 of its UTF-8 form)."""
    return array("I", map(_TERM_ID.__getitem__, terms))


def _pieces(text: str) -> list[tuple[str, str]]:
    """Return the stretches of CJK characters, folded, and those of others: one is "" each time."""
    pieces: list[tuple[str, str]] = _PIECE.findall(unicodedata.normalize("NFKC", text))
    runs = [run for run, _ in pieces if run]
    if not runs:
        return pieces
    # All at once, for what counts is the number of calls; a line break is in no phrase.
    folded = iter(fold_cjk("\n".join(runs)).split("\n"))
    return [(next(folded), "") if run else (run, word) for run, word in pieces]


def _grams(run: str) -> list[str]:
    """Return the characters and the pairs of each stretch in one script."""
    found: list[str] = []
    for stretch in _CJK_RUN.findall(run):
        found += stretch
        found += map(add, stretch, stretch[1:])
    return found


_is_function = stopwords.CHINESE_CHARACTERS.issuperset


@cache
def _chinese_stop_words() -> re.Pattern[str]:
    return re.compile("|".join(sorted(stopwords.CHINESE_WORDS, key=len, reverse=True)))


def _is_stop_word(piece: str) -> bool:
    word = _POSSESSIVE.sub("", piece.strip("\"'“”‘’()[]{}<>.,;:!?…*_-—"))
    if len(word) > 1 and word.isupper():
        return False  # US, IT, WHO
    return word.casefold().replace("'", "").replace("’", "") in stopwords.ENGLISH


def _word_terms(piece: str) -> tuple[str, ...]:
    """Return the terms of a stretch without white space and CJK characters."""
    found: list[str] = []
    for match in _TOKEN.finditer(piece):
        kind, token = match.lastgroup, match.group()
        if kind == "word":
            found += _component(token)
        elif kind == "emoji":
            found.append(_EMOJI_STYLE.sub("", token))
        else:
            found += _address(token)
    return tuple(filter(None, found))


def _address(token: str) -> list[str]:
    """Return the terms of a URL, an e-mail address or a path: the whole and its components."""
    whole = _fold(token.rstrip(".,;:!?)]}-")).rstrip("/\\").removeprefix("./")
    components = [part for part in _BETWEEN_COMPONENTS.split(_SCHEME.sub("", token)) if part]
    found = [term for part in components for term in _component(part.strip(".-"))]
    is_prose = "@" not in token and all(part.isalpha() for part in components)
    if is_prose and len(components) <= 2 and token[0] not in "/~.":
        return found  # and/or
    return list(dict.fromkeys([whole, *found]))


def _component(token: str) -> list[str]:
    """Return the terms of a word, number, version or identifier."""
    if token.isalpha() and (token.islower() or token.isupper() or token.istitle()):
        return [_stem(_fold(token))]
    token = _THOUSANDS.sub("", _POSSESSIVE.sub("", token))
    if "'" in token or "’" in token:
        token = token.replace("'", "").replace("’", "")  # don't, O'Brien
    if not token:
        return []
    found = [_fold(token)] if _is_whole(token) else []
    if _INITIALS.fullmatch(token):
        return [*found, _fold(token.replace(".", ""))]  # U.S.
    if token[0] in "vV" and token[1:2].isdigit() and "." in token:
        found.append(_fold(token[1:]))  # v1.2.3 is also 1.2.3
    parts = [part for part in _BETWEEN_PARTS.split(token) if part] or [token]
    for part in parts:
        found += _part(part)
    return list(dict.fromkeys(found))


def _is_whole(token: str) -> bool:
    """Tell whether the parts belong together, unlike those of "well-known" or "end.Then"."""
    if token.isalnum():
        return False
    if any(character.isdigit() or character in "_&+#" for character in token):
        return True
    return bool(_FILE_LIKE.fullmatch(token) or _INITIALS.fullmatch(token))


def _part(part: str) -> list[str]:
    """Return a part and what its camel humps and digit borders divide it into."""
    whole = _fold(part)
    camel = _LOWER_CAMEL.match(part)
    pieces = list(camel.groups()) if camel else _HUMPS.split(part)
    if acronym := _PLURAL_ACRONYM.match(part):
        return [whole, _stem(_fold(acronym[1]))]  # GPUs
    if len(pieces) == 1:
        return [_stem(whole)] if part.isalpha() else [whole]
    found = [whole, _stem(whole)] if part.isalpha() else [whole]
    if len(pieces) <= _MOST_PARTS:
        found += [_stem(_fold(piece)) for piece in pieces if len(piece) > 1 or piece.isdigit()]
    return found


def _fold(token: str) -> str:
    """Lower the case, drop accents and pointing, cut what is too long."""
    token = token[:_LONGEST]
    if token.isascii():
        return token.lower()
    bare = _DIACRITIC.sub("", unicodedata.normalize("NFD", token.casefold()))
    return unicodedata.normalize("NFC", bare)


@cache
def _stemmer() -> Stemmer:
    from Stemmer import Stemmer

    # Its own cache is rebuilt in Python code and so is not safe between threads; _stem has one.
    return Stemmer("english", 0)


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    stem: str = _stemmer().stemWord(word)
    return stem


def _crc(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


_TERM_ID: Final = Memo(_crc, most=1 << 17, longest=_LONGEST)
_WORD_TERMS: Final = Memo(_word_terms, most=1 << 16, longest=_CACHED_LENGTH)
_IS_STOP_WORD: Final = Memo(_is_stop_word, most=1 << 14, longest=_CACHED_LENGTH)

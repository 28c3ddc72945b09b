"""Names that show by their capitals: of people, places, products; and acronyms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memfold.text.scripts import DIACRITICS, WORD_END, WORD_START
from memfold.text.stopwords import ENGLISH

_WORD = "[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+(?:[-'’](?!s\\b)[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]+)*"
_NAME = re.compile(
    rf"(?<![@#/\\.-]){WORD_START}(?:{_WORD}|(?:Mc|Mac)[A-Z][a-z]+|O['’][A-Z][a-z]+"
    rf"|[A-Z]{{2,10}}(?![a-z]{{2}})|[A-Z]\.(?=\s?[A-Z]))"
    rf"(?:\s(?:(?:of|de|da|van|von|der|del|di|la|al|bin)\s(?:the\s)?)?"
    rf"(?:{_WORD}|(?:Mc|Mac)[A-Z][a-z]+|O['’][A-Z][a-z]+|[A-Z]{{2,10}}(?![A-Za-z])|[A-Z]\.))*"
    f"(?![{DIACRITICS}]){WORD_END}"
)
_SPACED_WORD = re.compile(r"\S+")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？…:：;\n\"“‘「(\[{*>#•|-])[\s\"“‘「(*_>#•-]*$")
_SPEAKER = re.compile(r"\s?[:：]")
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Sen|Gen|Rep|Gov|Capt|Sgt)\.\s$")
_LOOK_BACK = 8
_SHOUTING = 20
_SHOUTED_STOP_WORDS = frozenset(("IT", "US", "WHO", "SAT"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Written with a capital wherever they stand, without naming anyone or anything.
_NEVER_NAMES = ENGLISH | _words(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december mon tue tues wed thu thurs fri sat jan feb mar
    apr jun jul aug sep sept oct nov dec mr mrs ms dr prof sir madam ok okay lol omg btw imo imho
    fyi asap tbh am pm etc aka eg ie ps vs tv diy rip faq todo haha hmm
    """
)
# Such words open a sentence, with a capital, before a name.
_OPENERS = _words(
    """
    today tomorrow yesterday tonight now later soon never always often sometimes maybe perhaps
    however therefore meanwhile finally first second third next last recently previously currently
    actually basically absolutely definitely honestly hopefully luckily unfortunately congrats
    congratulations hi hello hey thanks thank sorry please yeah yep yup nope sure right good nice
    cool awesome amazing wow oh ah aw welcome bye goodbye dear cheers glad happy sounds looks feels
    seems keep take let look see think hope wish need want try use using used make get got give go
    going come put run check add remove create update delete open close start stop set show ask
    call send read write find help buy book visit meet met talk speak remember remind forget note
    notice consider suppose imagine another few several everyone everybody nobody nothing
    everything none since unless despite instead besides although whereas did does dont can could
    has have had is are was were will would user assistant system tool step total great
    """
)


def name_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where names stand in `text`.

    A single capitalised word at the start of a sentence counts only if it stands elsewhere too,
    inside a sentence, or names a speaker ("Ann: …"). Acronyms count unless the text shouts.
    """
    if text.islower() or (len(text) > _SHOUTING and text.isupper()):
        return
    doubtful: list[tuple[int, int]] = []
    certain: set[str] = set()
    for match in _NAME.finditer(text):
        opens = _opens_sentence(text, match.start())
        start, end = _trimmed(text, match.start(), match.end(), opens=opens)
        if start == end:
            continue
        name = text[start:end]
        inside = not opens or start > match.start()
        if inside or " " in name or name.isupper() or _SPEAKER.match(text, end):
            certain.add(name)
            yield start, end
        else:
            doubtful.append((start, end))
    for start, end in doubtful:
        if text[start:end] in certain:
            yield start, end


def _opens_sentence(text: str, at: int) -> bool:
    before = text[max(at - _LOOK_BACK, 0) : at]
    return bool(_SENTENCE_START.search(before)) and not _TITLE.search(before)


def _trimmed(text: str, start: int, end: int, *, opens: bool) -> tuple[int, int]:
    """Return the span without outer words that are no part of a name; empty if none remains."""
    words = [match.span() for match in _SPACED_WORD.finditer(text, start, end)]
    while words and _is_no_name(text[slice(*words[0])], opens=opens or len(words) == 1):
        del words[0]
    while words and _is_no_name(text[slice(*words[-1])], opens=False):
        del words[-1]
    return (words[0][0], words[-1][1]) if words else (start, start)


def _is_no_name(word: str, *, opens: bool) -> bool:
    if word in _SHOUTED_STOP_WORDS:
        return False
    bare = word.replace("'", "").replace("’", "").rstrip(".").lower()
    is_opener = opens and bare in _OPENERS
    return word.islower() or word in ("I", "A") or bare in _NEVER_NAMES or is_opener

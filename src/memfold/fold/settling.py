"""Which later sentence settles a promise or an open point, or overrules a goal or a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from memfold.fold.common import commonness
from memfold.fold.cues import cue
from memfold.text.chat import is_tool_output, speech
from memfold.text.scripts import to_simplified
from memfold.text.sentences import sentences
from memfold.text.terms import query_terms, terms
from memfold.types import Message, StandingItem

# A report settles an item when it has this share of the item's own words.
_SAME_MATTER: Final = 0.5
# A rule overrules another when this share of their words is the same.
_SAME_RULE: Final = 0.5

_BARE = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yep|yeah|all|it['’]?s|that['’]?s|it is|now)[,\s]+)*(?:done|finished|"
    r"completed|all set|fixed|sent|sorted|settled)(?:\s+(?:now|already|it))?|(?:好了?|嗯|都|已经|"
    r"全部|我)*[，,]?(?:搞定|弄好|做完|完成|办好|办妥|处理好|解决|发了|发过去|修好)了?",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?:done|finished|completed|sent|submitted|delivered|fixed|resolved|deployed|shipped|"
    r"refunded|paid|booked|scheduled|updated|wrote|written|drafted|shared|uploaded|migrated|tested|"
    r"emailed|e-mailed|mailed|forwarded|filed|pushed|merged|released|published|ordered|returned|"
    r"transferred|signed|reviewed|confirmed|approved|decided|settled|agreed|chose|chosen|"
    r"cancell?ed|reverted|restored|translated|built|checked|asked|received|went with|taken care of|"
    r"here (?:is|are))\b"
    r"|(?:已经|已|都)[^，。！？]{0,12}了|(?:发给|交给|寄给|发到)[^，。！？]{0,8}了"
    r"|(?:搞定|完成|弄好|做完|写完|写好|修好|修复|解决|提交|发送|发布|上线|部署|付清|退款|确认|"
    r"敲定|选定|收到|批准|订好|整理好|改好|交付|决定|定)(?:了|下来|完毕)|最终(?:选|定|决定)",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:not|n['’]t|never|will|['’]ll|would|should|could|going to|to be|once|if|when|until|"
    r"before|unless|need|needs|must|please|can|as soon as)\b|n['’]t\b|还没|没有|尚未|未能|不能|"
    r"如果|等到|之后|以后|(?<!申)请|需要|要是|将|会(?![议场员计谈面])",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？][\"'”’)）]*$|[吗嗎呢][。.]?$")
_CHANGE = re.compile(
    r"\b(?:instead|again|actually|no longer|any ?more|from now on|now|change|changed|switch|"
    r"back to|forget (?:about )?|ignore|drop|scrap|never ?mind|after all|rather than|new)\b|改成|"
    r"改为|改用|改回|换成|换回|还是|不再|不用再|不必|取消|恢复|重新|现在",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    r"\b(english|chinese|mandarin|cantonese|french|german|spanish|japanese|korean|italian|russian|"
    r"portuguese|arabic|hindi|dutch|polish|turkish|swedish)\b|(中文|英文|英语|汉语|普通话|粤语|"
    r"日语|日文|法语|德语|韩语|韩文|西班牙语)",
    re.IGNORECASE,
)
_ANSWERING = re.compile(
    r"\b(?:answer|reply|respond|speak|talk|continue|write|use|switch|back)\b|回答|回复|交流|说|"
    r"沟通|用",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"\b(budget|deadline)\b|(预算|截止|期限)", re.IGNORECASE)
# Words of the frame: when, for whom and how something is to be done, not what.
_FRAME: Final = """
send sent write wrote written pay paid build built finish done complete submit deliver fix
resolve deploy ship refund book schedule update draft share upload migrate test email mail
forward file push merge release publish order return transfer sign review confirm approve decide
settle agree choose chose chosen cancel check ask receive prepare provide promise friday monday
tuesday wednesday thursday saturday sunday tomorrow tonight today week month morning afternoon
evening end eod already still need open pending please always never now again answer reply
respond include use keep must should remind waiting action item yet
"""


# Verbs for one deed, whatever their form: the first names it. Any deed may be "done".
_DEEDS: Final = (
    "done finish complete",
    "send sent email mail forward share deliver submit upload file receive",
    "fix resolve repair revert restore",
    "release publish deploy ship push merge",
    "pay paid refund transfer",
    "write wrote written draft prepare document",
    "review check read test",
    "book order schedule reschedule",
    "update change add migrate",
    "cancel return",
    "open start begin began",
)


@cache
def _verbs() -> dict[str, str]:
    return {terms(verb)[0]: deed.split()[0] for deed in _DEEDS for verb in deed.split()}


# Cut out before the rest is divided into pairs of characters, which would straddle them.
_CHINESE_FRAME = re.compile(
    r"我们|我|咱们|你|您|保证|承诺|答应|已经|尚未|还没有?|还未|没有|未定|待定|待办|确认|确定|决定|"
    r"选定|敲定|最终|最后|(?:下|这|本)?(?:周|星期|礼拜)[一二三四五六日天末]|[今明后]天|今晚|明晚|"
    r"下周|本周|月底|之前|以前|以后|今后|前|发给|发到|发过去|发送|交给|提交|完成|修复|修好|整理好?|"
    r"写完|做完|弄好|搞定|处理|回复|部署|上线|付清|退款|更新|准备好?|安排|通知|务必|必须|不要|请|"
    r"会|把|给|了|用哪个|哪个|哪家|选了?|定了?|好了?|回答|都|用|在|的|就|从现在起"
)


@cache
def _frame() -> frozenset[str]:
    return frozenset(term for word in _FRAME.split() for term in terms(word))


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A sentence that may settle items: a bare "done", a report, or a new rule."""

    kind: Literal["bare", "report", "rule", "again"]
    text: str
    words: frozenset[str]
    source: str

    @property
    def replaces(self) -> bool:
        """Whether it takes the place of all it applies to."""
        return self.kind in ("rule", "again")


def events(message: Message, items: Sequence[StandingItem]) -> Iterator[Event]:
    """Yield what a message, which brings ``items`` itself, may settle."""
    for item in items:
        yield _event("again", item.text, message)
        if item.kind in ("goal", "constraint"):
            yield _event("rule", item.text, message)
    if is_tool_output(message.raw):
        return
    for span in sentences(said := speech(message.raw)):
        sentence = said[span.start : span.end]
        folded = to_simplified(sentence)
        if _BARE.fullmatch(folded.strip(" .!。！~～")):
            yield _event("bare", sentence, message)
        elif (
            _REPORT.search(folded)
            and not _QUESTION.search(folded)
            and not _NOT_YET.search(folded)
            and cue(sentence, asks=False) in (None, "decision")
        ):
            yield _event("report", sentence, message)


def settles(event: Event, item: StandingItem) -> float:
    """Return how surely an event settles an item; 0 when it does not."""
    if event.kind == "again":
        return float(terms(event.text) == terms(item.text))
    if event.kind == "rule":
        return float(item.kind in ("goal", "constraint") and _overrules(event, item.text))
    if item.kind not in ("commitment", "open"):
        return 0.0
    if event.kind == "bare":
        return float(_follows(event.source, item.source))
    if item.kind == "commitment" and _other_deed(event.text, item.text):
        return 0.0
    wanted = _words(item.text)
    share = len(wanted & event.words) / len(wanted) if wanted else 0.0
    return share if share >= _SAME_MATTER else 0.0


def _event(kind: Literal["bare", "report", "rule", "again"], text: str, message: Message) -> Event:
    return Event(kind=kind, text=text, words=_words(text), source=message.id)


def _other_deed(report: str, promise: str) -> bool:
    """Tell whether something was done, but not what was promised: opened, not reviewed."""
    promised, reported = _deeds(promise), _deeds(report)
    return bool(promised and reported) and not promised & reported and "done" not in reported


def _deeds(text: str) -> set[str]:
    known = _verbs()
    return {known[term] for term in terms(text) if term in known}


def _overrules(event: Event, rule: str) -> bool:
    """Tell whether a new rule says otherwise than an old one on the same matter."""
    new, old = to_simplified(event.text), to_simplified(rule)
    said, was = _LANGUAGE.findall(new), _LANGUAGE.findall(old)
    if said and was and _ANSWERING.search(new) and _ANSWERING.search(old):
        # "Write the commit messages in English" leaves the language of the answers alone.
        rest, before = _words(_LANGUAGE.sub(" ", new)), _words(_LANGUAGE.sub(" ", old))
        return said != was and rest <= before
    if (limit := _LIMIT.findall(new)) and limit == _LIMIT.findall(old):
        return True
    words = _words(rule)
    both = words & event.words
    union = words | event.words
    return bool(union) and len(both) / len(union) >= _SAME_RULE and bool(_CHANGE.search(new))


def _words(text: str) -> frozenset[str]:
    """Return the words that say what a sentence is about."""
    return frozenset(
        term
        for term in query_terms(_CHINESE_FRAME.sub(" ", to_simplified(text)))
        if len(term) > 1 and term not in _frame() and commonness(term) > 0
    )


def _follows(id: str, other: str) -> bool:
    """Whether one message's id is the next after another's."""
    return number(id) == number(other) + 1


def number(id: str) -> int:
    """The number in a message's id, or -2 where it has none."""
    return int(id[1:]) if id[1:].isdecimal() and len(id) < 20 else -2

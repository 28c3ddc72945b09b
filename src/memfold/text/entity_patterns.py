"""Patterns for protected details: addresses, numbers, money, identifiers and their like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from memfold.text.scripts import CJK, WORD_END, WORD_START

_NOT_IN_NUMBER = rf"(?<![\d.,]){WORD_START}"
_AMOUNT = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
# 一个, 一下 and the like are everywhere; a numeral of several characters, or more than one, counts.
_NUMERAL = r"(?:[一二两兩三四五六七八九十百千万萬亿億零〇]{2,}|[二两兩三四五六七八九十百千])"
_CHINESE_SCALE = r"(?:[十百千]?[万萬亿億]|[百千])"
_EXTENSION = (
    r"(?:py|ipynb|js|jsx|ts|tsx|mjs|rs|go|java|kt|rb|php|cpp|hpp|cs|swift|sh|bat|ps1|sql|md|rst|txt|"
    r"json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|css|csv|tsv|pdf|docx?|xlsx?|pptx?|png|"
    r"jpe?g|gif|svg|webp|mp3|mp4|wav|mov|zip|tar|gz|xz|7z|log|db|sqlite3?|parquet|onnx|gguf|[ch])"
)
_UNIT = (
    r"(?:[KMGTP]i?B(?:/s)?|[KMG]bps|[KMGT]?Hz|bits?|bytes?|[kcmµn]?m(?:²|³|2|3)?|km/h|mph|[kmµ]?g|"
    r"lbs?|oz|m?l|lit(?:er|re)s?|[kM]?Wh?|m?V|mA?h|°\s?[CF]?|[mµn]?s|secs?|seconds?|min(?:ute)?s?|"
    r"h|hrs?|hours?|days?|weeks?|months?|years?|times|people|persons?|users?|tokens?|words?|pages?|"
    r"lines?|files?|items?|pieces?|miles?|f(?:ee|oo)?t|inch(?:es)?|px|dpi|fps|degrees?|points?|"
    r"percent|x|k|K|M)"
)
_CHINESE_UNIT = (
    r"(?:[个個]?(?:小[时時]|月|星期)|分[钟鐘]|[秒天周週年岁歲度倍折斤克吨噸米页頁章层層楼樓台臺张張件条條"
    r"次人位名份套辆輛字行家杯瓶只隻本元]|公里|千米|[厘毫]米|公斤|千克|[毫公]升|平方米|[个個]|号楼|行|版)"
)
_CURRENCY_WORD = (
    r"(?:dollars?|bucks|cents?|euros?|pounds?|yuan|yen|rmb|usd|eur|gbp|cny|jpy|hkd|"
    r"[美日欧歐港]元|元(?:人民[币幣])?|[块塊][钱錢]?|人民[币幣]|英[镑鎊]|港[币幣])"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Detail:
    """A kind of detail, its pattern, and a quick test for texts that cannot hold one."""

    kind: str
    pattern: str
    flags: re.RegexFlag
    possible: Callable[[str], bool]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where it stands in `text`."""
        if self.possible(text):
            for match in _compiled(self.pattern, self.flags).finditer(text):
                yield match.span()


@cache
def _compiled(pattern: str, flags: re.RegexFlag) -> re.Pattern[str]:
    # At first use: compiling them all would double the time to import memfold.
    return re.compile(pattern, flags | re.VERBOSE)


_DIGIT = re.compile(r"\d")
_NUMERAL_CHARACTER = re.compile("[二两兩三四五六七八九十百千万萬亿億]")
_CURRENCY = re.compile("[$€£¥￥]|USD|EUR|GBP|CNY|RMB|JPY|HKD")
_SLASH_OR_EXTENSION = re.compile(r"[/\\]|\.[A-Za-z0-9]")
_HUMP = re.compile("[a-z][A-Z]")


def _has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


def _has_numeral(text: str) -> bool:
    return not text.isascii() and _NUMERAL_CHARACTER.search(text) is not None


def _has_any(characters: str) -> Callable[[str], bool]:
    return lambda text: any(character in text for character in characters)


def _detail(
    kind: str, possible: Callable[[str], bool], pattern: str, flags: re.RegexFlag = re.NOFLAG
) -> Detail:
    return Detail(kind=kind, pattern=pattern, flags=flags, possible=possible)


# The more specific first: of two matches of one length the earlier kind is taken.
DETAILS: Final = (
    _detail(
        "url",
        lambda text: "://" in text or "www." in text,
        rf"""(?:{WORD_START}[a-z][a-z0-9+.-]{{1,20}}://|{WORD_START}www\.)
        [^\s<>"'`|^{{}}\\，。；：！？、（）《》「」『』“”‘’【】{CJK}]*
        [^\s<>"'`|^{{}}\\，。；：！？、（）《》「」『』“”‘’【】{CJK}.,;:!?)\]*]""",
        re.IGNORECASE,
    ),
    _detail(
        "email",
        _has_any("@"),
        rf"(?<![.%+-])(?<!\d,){WORD_START}[A-Za-z0-9._%+-]{{1,64}}@[A-Za-z0-9-]{{1,63}}"
        r"(?:\.[A-Za-z0-9-]{1,63})+",
    ),
    _detail(
        "path",
        lambda text: _SLASH_OR_EXTENSION.search(text) is not None,
        rf"""(?<![/.:@+~\\-]){WORD_START}(?:
            (?:~|\.{{1,2}})?/(?:(?:[A-Za-z0-9_.+@-]{{1,100}}/)+(?:[A-Za-z0-9_.+@-]*[A-Za-z0-9_])?
                |[A-Za-z0-9_.+@-]*[A-Za-z0-9_]{{2}})
            |[A-Za-z]:[\\/](?:[^\s\\/:*?"<>|，。；]{{1,100}}[\\/])*[^\s\\/:*?"<>|，。；、]*
            |\\\\[A-Za-z0-9_.-]+(?:\\[^\s\\/:*?"<>|，。；、]+)+
            |(?:[A-Za-z0-9_.-]{{1,100}}/)+[A-Za-z0-9_-]{{1,100}}\.[A-Za-z0-9]{{1,8}}
            |[A-Za-z0-9_-]{{1,100}}(?:\.[A-Za-z0-9_-]{{1,50}}){{0,3}}\.{_EXTENSION}
        ){WORD_END}""",
    ),
    _detail(
        "hash",
        _has_digit,
        rf"""(?=[0-9a-f]){WORD_START}(?:
            [0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}}
            |(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{{7,128}}
        ){WORD_END}""",
        re.IGNORECASE,
    ),
    _detail(
        "ip",
        lambda text: "::" in text or _has_digit(text),
        rf"""{WORD_START}(?<!\.)(?:
            (?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){{3}}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:[:/]\d{{1,5}})?
            |(?:[0-9a-fA-F]{{1,4}}:){{1,7}}:?(?::?[0-9a-fA-F]{{1,4}}){{1,6}}(?<=:.{{4}})
        ){WORD_END}(?!\.\d)""",
    ),
    _detail(
        "version",
        _has_digit,
        rf"""(?=[vV\d]){WORD_START}(?<!\.)(?:[vV]\d+(?:\.\d+){{0,4}}|\d+\.\d+\.\d+(?:\.\d+)?)
        (?:[-+.]?(?:alpha|beta|rc|dev|post|a|b)[-.]?\d*)?{WORD_END}(?!\.\d)""",
    ),
    _detail(
        "phone",
        _has_digit,
        rf"""(?=[+(\d]){WORD_START}(?<![+\d.-])(?:
            \+\d{{1,3}}[\s-]?(?:\(\d{{1,4}}\)[\s-]?)?\d{{2,5}}(?:[\s-]?\d{{2,5}}){{1,3}}
            |\(\d{{2,4}}\)[\s-]?\d{{3,4}}[\s-]?\d{{4}}
            |\d{{3}}[-.\s]\d{{3}}[-.\s]\d{{4}}
            |1[3-9]\d{{9}}|1[3-9]\d[\s-]\d{{4}}[\s-]\d{{4}}
            |0\d{{2,3}}-\d{{7,8}}|\d{{3}}-\d{{4}}
        ){WORD_END}(?![-.]\d)""",
    ),
    _detail(
        "money",
        lambda text: _has_digit(text) and _CURRENCY.search(text) is not None,
        rf"""(?:(?:US|HK|A|C|NZ)?\$|[€£¥￥]|{WORD_START}(?:USD|EUR|GBP|CNY|RMB|JPY|HKD))
        \s?{_AMOUNT}
        (?:\s?(?:[kKmMbB]n?|thousand|million|billion|{_CHINESE_SCALE}){WORD_END})?""",
    ),
    _detail(
        "money",
        _has_digit,
        rf"""(?=\d){_NOT_IN_NUMBER}{_AMOUNT}
        \s?(?:(?:thousand|million|billion)\s|{_CHINESE_SCALE}|k\s)?
        (?:{_CURRENCY_WORD}{WORD_END}|[€£])""",
        re.IGNORECASE,
    ),
    _detail("money", _has_numeral, rf"{_NUMERAL}多?{_CURRENCY_WORD}"),
    _detail(
        "time",
        _has_digit,
        rf"""(?=\d){_NOT_IN_NUMBER}(?<!:)(?:
            (?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\s?(?:[ap]m\b|[ap]\.m\.))?(?![:\d])
            |(?:1[0-2]|0?[1-9])\s?(?:[ap]m\b|[ap]\.m\.)
            |(?:[01]?\d|2[0-4])\s?[点點时時](?![钟鐘间間])(?:半|[一三]刻|[0-5]?\d分?)?
        )""",
        re.IGNORECASE,
    ),
    _detail(
        "time",
        _has_any("点點"),
        r"(?:[一二两兩三四五六七八九]|十[一二]?)[点點](?:半|[一三]刻|[二三四五]?十[一二三四五六七八九]?分|[钟鐘整])",
    ),
    _detail(
        "identifier",
        _has_digit,
        rf"""{WORD_START}(?<![.,$€£¥-])(?:
            (?=[A-Za-z_.-]*\d)[A-Za-z][A-Za-z0-9]*(?:[-_.]+[A-Za-z0-9]+)+
            |[A-Za-z]+\d[A-Za-z0-9]*
            |\d+[A-Z]+[A-Z0-9]*\d[A-Z0-9]*
            |\d+(?:-\d+){{2,}}
            |[A-Z][A-Za-z]*[A-Z][A-Za-z]*\s\d{{2,6}}[A-Za-z]{{0,3}}
                (?![\d:,%]|\s?(?:[KMGT]i?B|%|{_CHINESE_UNIT}))
        ){WORD_END}(?!\.\d)""",
    ),
    _detail("identifier", _has_any("#"), r"(?<![\w&/])\#\d{2,}\b"),
    _detail(
        "identifier",
        _has_any("_"),
        rf"{WORD_START}(?=_*[A-Za-z])[A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*{WORD_END}(?!\.\d)",
    ),
    _detail(
        "identifier",
        lambda text: _HUMP.search(text) is not None,
        rf"{WORD_START}(?!Mc[A-Z]|Mac[A-Z])[A-Za-z]*[a-z][A-Z][A-Za-z]*{WORD_END}",
    ),
    _detail(
        "number",
        _has_digit,
        rf"""(?=[-+\d]){_NOT_IN_NUMBER}(?:
            [-+]?{_AMOUNT}\s?(?:[%‰％]|{_UNIT}{WORD_END}|{_CHINESE_SCALE}?多?{_CHINESE_UNIT}
                |{_CHINESE_SCALE})
            |(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d{{2,}}|\d(?=\.\d))(?:\.\d+)?
        )(?![\d_]|\.\d)""",
    ),
    _detail(
        "number",
        _has_numeral,
        rf"(?:百分之[零一二三四五六七八九十百点點]+|(?<!第){_NUMERAL}多?{_CHINESE_UNIT}|(?<=第){_NUMERAL}{_CHINESE_UNIT})",
    ),
    _detail(
        "quoted",
        _has_any('“「『《"`'),
        r"""(?:“(?=\S)[^“”\n]{1,60}(?<=\S)”|「(?=\S)[^「」\n]{1,60}」|『(?=\S)[^『』\n]{1,60}』
        |《(?=\S)[^《》\n]{1,60}》|(?<![\w"])"(?=\S)[^"\n]{1,60}(?<=\S)"(?!\w)
        |(?<!`)`(?=\S)[^`\n]{1,80}(?<=\S)`(?!`))""",
    ),
)

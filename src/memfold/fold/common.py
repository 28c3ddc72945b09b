"""Words that are everywhere: they say little about a span even where they stand in it once."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from memfold.text.scripts import CJK
from memfold.text.stopwords import CHINESE_CHARACTERS, ENGLISH
from memfold.text.terms import terms

COMMON: Final = 0.25
"""What a common word counts for, beside a rare one."""
CJK_CHARACTER: Final = 0.1
CJK_PAIR: Final = 0.4
"""What single characters and pairs count for: a word of two is made of two characters, one pair
and its share in the pairs on both sides."""

_CJK: Final = re.compile(f"[{CJK}]")
_WORDS: Final = """
able actual actually ago almost already alright always amazing another anyway anything around
awesome away back bad beautiful begin believe best better big bit bring busy call care change check
come cool couple course day days definitely different difficult easy end enjoy enough especially
even evening every everyone everything exactly example excited exciting far feel feeling few find
fine first forward free full fun funny game gave get gets getting give glad go goes going gone gonna
good got great group guess guy happen happened happy hard hear heard help helpful here hey high hope
hour house huge idea important incredible inspiring interesting job join keep kind kinda know known
last late lately later learn least leave left less let life like liked list little live long look
looking lot lots love lovely low luck made main make making man matter maybe mean means might mind
minute moment month months morning move much nearly need never new next nice night nothing now
number old ones open part past people perfect perhaps person pick picture piece place plan play
pleasure point possible pretty probably problem proud put question quick quite reach read ready
real reason recent recently remember rest right run same saw see seem seems sense set share short
show side since small something sometimes soon sort sound sounds special start started stay step
stop story strong stuff super support sure surely take taken talk talking team tell thank thanks
thing things think thought time times tip today together tomorrow tonight took totally tough
town tried true try trying turn two understand use used usual wait walk want wanted wants watch way
week weekend weeks welcome well whole wish wonder wonderful word work working works world worth
write wrong year years yesterday young
今天 明天 昨天 现在 时间 地方 东西 事情 问题 感觉
觉得 喜欢 特别 非常 真的 真是 挺好 不错 很好 开心 高兴
谢谢 大家 朋友 工作 生活 最近 一直 已经 一起 一定
可能 应该 需要 希望 开始 准备 正在 将要 参加 进行
比较 有点 一点 其实 当然 不过 好像 这次 那次 每天
每次 平时 有时 晚上 早上 下午 上午 上周 下周 这周 本周
上个 下个 个月 今年 去年 明年 后来 还是 是在 时候
我的 你的 他的 她的 的人 很多 许多 好多 内容 主要
方面 情况 进展 继续 看看 想想 聊聊 说说 帮忙
帮我 麻烦 了解 明白 清楚 注意 安排 考虑 建议
的是 是我 我是 有个 个人 出来 起来 过来 回来 下来
看到 听到 想到 找到 收到 做好 很大 更好 最好 好的
"""


@cache
def _common() -> frozenset[str]:
    pairs = (term for word in _WORDS.split() for term in terms(word))
    return frozenset(term for term in pairs if len(term) > 1)


@cache
def _function_words() -> frozenset[str]:
    return CHINESE_CHARACTERS.union(*map(terms, ENGLISH))


def commonness(term: str) -> float:
    """Return the share, from 0 to 1, that is left of a term's weight when it is everywhere.

    Function words have none: "How was it?" says nothing.
    """
    if term in _function_words():
        return 0.0
    share = COMMON if term in _common() else 1.0
    if _CJK.match(term):
        share *= CJK_CHARACTER if len(term) == 1 else CJK_PAIR
    return share

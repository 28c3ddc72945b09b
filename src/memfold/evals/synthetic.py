"""Made-up chat in English and Chinese, as much as wanted and the same for the same seed.

For timing only: it has the lengths, the rare words and the numbers of chat, and no meaning.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from memfold.types import JSON

BEGAN: Final = datetime(2024, 1, 1, 8, tzinfo=UTC)

_ENGLISH = (
    "I finally talked to {name} about the {thing}, and we agreed on {number} euros.",
    "The meeting about {thing} moved to {day} at {number} past nine; {name} will bring the notes.",
    "Do you remember which {thing} {name} wanted for the {place}?",
    "{name} called from {place}. The {thing} is broken again and repair costs {number} dollars.",
    "Please keep in mind that I never drink coffee after {number} o'clock, it ruins my {thing}.",
    "We drove to {place} last weekend, {number} kilometres in the rain, because {name} missed us.",
    "That sounds right. I would start with the {thing} and leave the {other} for {day}.",
    "Order {code} arrived today: one {thing}, two of the {other}, everything for {name}.",
    "My {other} hurts since the {thing} fell on it in {place}. {name} says I should see a doctor.",
    "Sure! Here is a plan: first the {thing}, then the {other}, and {name} checks both by {day}.",
)
_CHINESE = (
    "我跟{name}说好了，{thing}一共{number}块钱，{day}给。",
    "{day}的会改到上午{number}点，{name}负责带{thing}的材料。",
    "你还记得{name}想在{place}买哪种{thing}吗？",
    "{name}从{place}打电话来，{thing}又坏了，修一次要{number}块。",
    "记住，我{number}点以后不喝咖啡，不然{thing}就毁了。",
    "上周末我们冒雨开了{number}公里去{place}，因为{name}想我们了。",
    "可以，先弄{thing}，{other}留到{day}再说。",
    "订单{code}今天到了：一个{thing}，两个{other}，都是给{name}的。",
    "{thing}在{place}砸到我的{other}以后一直疼，{name}让我去看医生。",
    "好的，计划如下：先做{thing}，再做{other}，{name}在{day}之前检查。",
)
_WORDS = {
    "en": {
        "thing": "bicycle kettle contract piano garden server wallpaper passport heater novel tent "
        "microscope recipe invoice sofa telescope ladder violin oven database",
        "other": "knee shoulder printer balcony spreadsheet camera fence battery curtain backup",
        "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    },
    "zh": {
        "thing": "自行车 水壶 合同 钢琴 花园 服务器 壁纸 护照 暖气 小说 帐篷 显微镜 菜谱 发票 "
        "沙发 望远镜 梯子 小提琴 烤箱 数据库",
        "other": "膝盖 肩膀 打印机 阳台 表格 相机 篱笆 电池 窗帘 备份",
        "day": "周一 周二 周三 周四 周五 周六 周日",
    },
}
_SYLLABLES = (
    "ba", "cor", "del", "fen", "gar", "hol", "jin", "kar", "lem", "mor", "nat", "ov", "pel", "quin",
    "ros", "sil", "tam", "ur", "ven", "wil",
)  # fmt: skip
_HAN = "安柏晨岱恩方桂海嘉凯岚明宁佩清若思桐文晓雅泽"


def messages(count: int, *, seed: int = 0) -> Iterator[tuple[JSON, datetime]]:
    """Yield messages with their times: two roles in turn, a session's worth in each language."""
    chance = random.Random(seed)
    at = BEGAN
    for number in range(count):
        language = "en" if number // 50 % 2 == 0 else "zh"
        role = "user" if number % 2 == 0 else "assistant"
        at += timedelta(seconds=chance.randrange(5, 900))
        yield {"role": role, "content": text(chance, language)}, at


def text(chance: random.Random, language: str) -> str:
    """One to three sentences in a language, "en" or "zh"."""
    templates = _ENGLISH if language == "en" else _CHINESE
    between = " " if language == "en" else ""
    chosen = chance.choices(templates, k=chance.choices((1, 2, 3), (6, 3, 1))[0])
    return between.join(_filled(template, chance, language) for template in chosen)


def questions(count: int, *, seed: int = 0) -> list[str]:
    """Questions about things that messages are about, in both languages in turn."""
    chance = random.Random(f"questions {seed}")
    templates = {
        "en": "What did {name} say about the {thing} in {place}?",
        "zh": "{name}在{place}说{thing}怎么样了？",
    }
    return [
        _filled(templates[language], chance, language)
        for language in ("en", "zh") * (count // 2 + 1)
    ][:count]


def _filled(template: str, chance: random.Random, language: str) -> str:
    words = {kind: chance.choice(each.split()) for kind, each in _WORDS[language].items()}
    return template.format(
        **words,
        name=_name(chance, language),
        place=_name(chance, language),
        number=chance.randrange(2, 2000),
        code=f"PO-{chance.randrange(10_000, 99_999)}",
    )


def _name(chance: random.Random, language: str) -> str:
    """A name out of some four hundred, or of some eight thousand rarer ones."""
    parts = 3 if chance.random() < 0.2 else 2
    if language == "en":
        return "".join(chance.choices(_SYLLABLES, k=parts)).capitalize()
    return "".join(chance.choices(_HAN, k=parts))

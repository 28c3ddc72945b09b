"""The attributes that facts have, in the terms of both languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OPEN: Final = "open:"
RELATION: Final = "relation:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """``single``: a new value takes the place of the old one; otherwise values accumulate."""

    english: str
    chinese: str
    single: bool


ATTRIBUTES: Final[dict[str, Attribute]] = {
    "name": Attribute(english="name", chinese="姓名", single=True),
    "alias": Attribute(english="to be called", chinese="称呼", single=True),
    "age": Attribute(english="age", chinese="年龄", single=True),
    "birthday": Attribute(english="birthday", chinese="生日", single=True),
    "birthplace": Attribute(english="born in", chinese="出生地", single=True),
    "nationality": Attribute(english="nationality", chinese="国籍", single=True),
    "gender": Attribute(english="gender", chinese="性别", single=True),
    "home": Attribute(english="lives in", chinese="住在", single=True),
    "occupation": Attribute(english="occupation", chinese="职业", single=True),
    "employer": Attribute(english="works at", chinese="工作单位", single=True),
    "school": Attribute(english="school", chinese="学校", single=True),
    "major": Attribute(english="field of study", chinese="专业", single=True),
    "email": Attribute(english="e-mail", chinese="邮箱", single=True),
    "phone": Attribute(english="phone", chinese="电话", single=True),
    "height": Attribute(english="height", chinese="身高", single=True),
    "weight": Attribute(english="weight", chinese="体重", single=True),
    "marital": Attribute(english="marital status", chinese="婚姻", single=True),
    "speaks": Attribute(english="speaks", chinese="会说", single=False),
    "likes": Attribute(english="likes", chinese="喜欢", single=False),
    "dislikes": Attribute(english="dislikes", chinese="不喜欢", single=False),
    "hobby": Attribute(english="hobby", chinese="爱好", single=False),
    "habit": Attribute(english="habit", chinese="习惯", single=False),
    "diet": Attribute(english="diet", chinese="饮食", single=False),
    "allergy": Attribute(english="allergic to", chinese="过敏", single=False),
    "health": Attribute(english="health", chinese="健康", single=False),
    "pet": Attribute(english="pet", chinese="宠物", single=False),
    "owns": Attribute(english="has", chinese="拥有", single=False),
    "plan": Attribute(english="plan", chinese="计划", single=False),
    "preference": Attribute(english="wish", chinese="要求", single=False),
    "note": Attribute(english="note", chinese="备忘", single=False),
    "personality": Attribute(english="personality", chinese="性格", single=False),
}

KINDS: Final[dict[str, str]] = {
    "mother": "母亲",
    "father": "父亲",
    "sister": "姐妹",
    "brother": "兄弟",
    "son": "儿子",
    "daughter": "女儿",
    "wife": "妻子",
    "husband": "丈夫",
    "partner": "伴侣",
    "friend": "朋友",
    "boss": "上司",
    "colleague": "同事",
    "neighbor": "邻居",
    "roommate": "室友",
    "grandmother": "祖母",
    "grandfather": "祖父",
    "uncle": "叔伯舅",
    "aunt": "姑姨",
    "cousin": "表亲",
    "teacher": "老师",
    "doctor": "医生",
}
"""What people are to each other, with the Chinese word for it."""


def is_single(attribute: str) -> bool:
    """Whether a new value of the attribute takes the place of the old one."""
    known = ATTRIBUTES.get(attribute)
    return known.single if known is not None else attribute.startswith(OPEN)


def label(attribute: str, language: str) -> str:
    """How the attribute is called: "en" or "zh"."""
    if attribute.startswith(OPEN):
        return attribute.removeprefix(OPEN)
    if attribute.startswith(RELATION):
        kind = attribute.removeprefix(RELATION)
        return KINDS.get(kind, kind) if language == "zh" else kind
    known = ATTRIBUTES.get(attribute)
    if known is None:
        return attribute
    return known.chinese if language == "zh" else known.english

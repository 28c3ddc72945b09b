"""Conversations for the tests of folding: told ones, and ones that hypothesis makes up."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from memfold.fold.build import fold_folds, fold_messages
from memfold.fold.config import FoldConfig
from memfold.text.chat import readable
from memfold.text.entities import EntityExtractor
from memfold.text.tokens import TiktokenCounter, count_message
from memfold.types import Message

COUNTER = TiktokenCounter()
EXTRACTOR = EntityExtractor()
START = datetime(2024, 3, 4, 9, tzinfo=UTC)

ENGLISH = [
    ("user", "Hi there! I'm planning the move of our archive to the new server next week."),
    ("assistant", "Sounds great! Which system will it run on?"),
    ("user", "It runs on the machine vault-07, with 96 GB of memory and an NVMe disk of 4 TB."),
    ("assistant", "Thanks! With 96 GB you can keep the whole index of PostgreSQL in memory."),
    ("user", "Please never run the migration in office hours. The window is 22:00 to 02:00."),
    ("assistant", "Understood. I will schedule the migration for 22:30 and send a report."),
    ("user", "Miriam Adler takes care of the backups; write to miriam@archive.example."),
    ("assistant", "OK."),
    ("user", "By the way, yesterday the invoice RE-2024-0117 over €1,250 came from Halden Ltd."),
    ("assistant", "Nice! Shall I add RE-2024-0117 to the budget? It would then stand at €8,400."),
    ("user", "Yes, and the ticket for all this is OPS-4411."),
    ("assistant", "I have added the invoice and linked it to OPS-4411. Is there anything else?"),
]  # fmt: skip
CHINESE = [
    ("user", "你好！我下周要把档案库搬到新服务器上，帮我一起做个计划吧。"),
    ("assistant", "好的，没问题！请问新服务器是什么配置？"),
    ("user", "机器编号是 vault-07，内存 96 GB，硬盘 4 TB，放在杭州机房三号楼。"),
    ("assistant", "谢谢！96 GB 内存足够把 PostgreSQL 的索引全部放进内存。"),
    ("user", "记住，以后不要在上班时间做迁移，只能在 22:00 到 02:00 之间做。"),
    ("assistant", "明白了。我会把迁移安排在 22:30，完成以后给你发一份报告。"),
    ("user", "备份由我的同事林晓燕负责，她的邮箱是 xiaoyan@archive.example，电话 0571-88886666。"),
    ("assistant", "好的。"),
    ("user", "对了，昨天收到了华信公司的发票 RE-2024-0117，金额是 1250 元。"),
    ("assistant", "太好了！要不要我把 RE-2024-0117 记到预算表里？记完以后一共是 8400 元。"),
    ("user", "要的。这件事的工单号是 OPS-4411，别忘了写上。"),
    ("assistant", "已经记好了，也关联到了 OPS-4411。还有什么可以帮您的吗？"),
]  # fmt: skip


def message(position, role, content, *, name=None, at=START, **raw):
    raw = {"role": role, "content": content, **raw}
    if name:
        raw["name"] = name
    return Message(
        id=f"m{position}",
        session="s",
        position=position,
        role=role,
        text=readable(raw),
        at=at,
        tokens=count_message(COUNTER, raw),
        raw=raw,
        name=name,
    )


def talk(said, *, first=0, pause=timedelta(minutes=3)):
    return [
        message(first + at, role, text, at=START + (first + at) * pause)
        for at, (role, text) in enumerate(said)
    ]


def segment(messages, config=None, *, index=0, **options):
    return fold_messages(
        messages,
        id=f"f1-{index}",
        index=index,
        config=config or FoldConfig(),
        counter=COUNTER,
        extractor=EXTRACTOR,
        **options,
    )


def above(children, config=None, *, level=2, index=0):
    return fold_folds(
        children,
        id=f"f{level}-{index}",
        level=level,
        index=index,
        config=config or FoldConfig(),
        counter=COUNTER,
        extractor=EXTRACTOR,
    )


_WORDS = st.sampled_from(
    [
        "I", "we", "moved", "to", "Oslo", "with", "Ann", "yesterday", "because", "the", "router",
        "RX-4410", "costs", "$120", "?", ".", "!", ",", "please", "never", "restart", "\n", "24 GB",
        "hello", "thanks", "ok", "v2.3.1", "/etc/hosts", "a@b.io", "我们", "昨天", "在杭州", "买了",
        "三台", "显卡", "。", "？", "，", "请记住", "编号是", "PRD-2024-07", "好的", "谢谢",
        "3万元", "```", "- ", "1. ", "😂", "👨‍👩‍👧", "\x00", "\ud800", "\u202e", "שלום",
        "e\u0301", "한국어",
    ]
)  # fmt: skip
_ODD = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)
TEXTS = st.lists(_WORDS, max_size=60).map(" ".join) | st.lists(_WORDS, max_size=60).map("".join)
ANY_TEXTS = TEXTS | _ODD
ROLES = st.sampled_from(["user", "assistant", "tool", "system"])


@st.composite
def conversations(draw, max_size=14):
    said = draw(st.lists(st.tuples(ROLES, ANY_TEXTS), min_size=1, max_size=max_size))
    return talk(said, pause=timedelta(minutes=draw(st.sampled_from([1, 700]))))

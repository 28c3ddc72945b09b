"""Conversations that hypothesis makes up: both languages, tools of both shapes, odd input."""

from hypothesis import strategies as st

_ENGLISH_WORDS = [
    "I", "we", "you", "moved", "to", "Oslo", "with Ann", "because", "the", "router", "RX-4410",
    "costs", "$120", "please never", "restart", "it", "hello", "thanks", "deploy", "PostgreSQL",
    "on Friday", "24 GB", "yesterday", "ticket", "OPS-4411", "is open.", "ok!", "Which one?",
    "My doctor", "said", "a@b.io", "/etc/hosts", "v2.3.1",
]  # fmt: skip
_CHINESE_WORDS = [
    "我们", "昨天", "在杭州", "买了", "三台", "显卡", "。", "？", "，", "请记住", "编号是",
    "PRD-2024-07", "好的", "谢谢", "3万元", "路由器", "型号", "RX-4410", "部署", "PostgreSQL",
    "星期五", "不要", "重启", "医生说", "林晓燕", "妹妹", "明天", "下周三", "密码", "上海",
]  # fmt: skip
_PIECES = [
    "\x00", "\ud800", "\u202e", "שלום ", "مرحبا", "e\u0301", "👨‍👩‍👧", "😂", "\n", "```", "한국어",
    "ﬁ", "İ", " ",
]  # fmt: skip
_ENGLISH = st.lists(st.sampled_from(_ENGLISH_WORDS), min_size=1, max_size=50).map(" ".join)
_CHINESE = st.lists(st.sampled_from(_CHINESE_WORDS), min_size=1, max_size=50).map("".join)
_ODD = st.text(alphabet=st.characters(exclude_categories=()), max_size=80) | st.lists(
    st.sampled_from(_PIECES), max_size=12
).map("".join)

TEXTS = _ENGLISH | _CHINESE | _ODD
SAID = _ENGLISH | _CHINESE
"""What has words in it."""

_LONG = st.tuples(SAID, st.integers(2, 40)).map(lambda each: "\n".join([each[0]] * each[1]))
CONTENTS = TEXTS | _LONG


def _plain(draw, at):
    message = {"role": draw(st.sampled_from(["user", "assistant"])), "content": draw(CONTENTS)}
    if draw(st.integers(0, 9)) == 0:
        message["name"] = draw(st.sampled_from(["Ann", "林晓燕", "Bob Lee"]))
    return [message]


def _parts(draw, at):
    parts = [{"type": "text", "text": text} for text in draw(st.lists(TEXTS, max_size=3))]
    return [{"role": draw(st.sampled_from(["user", "assistant"])), "content": parts}]


def _call(id_, text):
    return {
        "id": id_,
        "type": "function",
        "function": {"name": "look_up", "arguments": text},
    }


def _round(draw, at):
    names = [f"call_{at}_{n}" for n in range(draw(st.integers(1, 3)))]
    said = draw(st.none() | SAID)
    calling = {"role": "assistant", "content": said}
    calling["tool_calls"] = [_call(name, draw(SAID)) for name in names]
    # Sometimes one is missing: the call stays open, or is left open for good.
    results = draw(st.permutations(names))[: draw(st.sampled_from([99, 99, len(names) - 1]))]
    return [
        calling,
        *({"role": "tool", "tool_call_id": name, "content": draw(CONTENTS)} for name in results),
    ]


def _anthropic_round(draw, at):
    names = [f"toolu_{at}_{n}" for n in range(draw(st.integers(1, 3)))]
    uses = [
        {"type": "tool_use", "id": name, "name": "look_up", "input": {"q": draw(SAID)}}
        for name in names
    ]
    blocks = [
        {"type": "tool_result", "tool_use_id": name, "content": draw(TEXTS)} for name in names
    ]
    if draw(st.booleans()):
        blocks.append({"type": "text", "text": draw(SAID)})
    thought = [{"type": "thinking", "thinking": draw(SAID)}] if draw(st.booleans()) else []
    return [
        {"role": "assistant", "content": [*thought, {"type": "text", "text": draw(SAID)}, *uses]},
        {"role": "user", "content": blocks},
    ]


_STRAYS = [
    {"role": "tool", "tool_call_id": "call_none", "content": "a result without its call"},
    {"role": "function", "name": "look_up", "content": "of the old shape"},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "stray"}]},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "only a thought"}]},
    {"role": "user", "content": ""},
    {"role": "assistant", "content": "", "tool_calls": []},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [_call("same", "{}"), _call("same", "{}")],
    },
    {"role": "tool", "tool_call_id": "same", "content": "which of the two?"},
    {"role": "system", "content": "A word from the system in between."},
    {"role": "developer", "content": "And one from the developer."},
    {
        "role": "user",
        "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}],
    },
]


def _stray(draw, at):
    return [dict(draw(st.sampled_from(_STRAYS)))]


_KINDS = [_plain] * 6 + [_parts, _round, _round, _anthropic_round, _stray, _stray]


@st.composite
def talks(draw, *, max_turns=14):
    """A list of messages, with opening system text at times."""
    found = [{"role": "system", "content": draw(SAID)}] if draw(st.booleans()) else []
    for at in range(draw(st.integers(0, max_turns))):
        found += draw(st.sampled_from(_KINDS))(draw, at)
    return found


TOOLS = st.lists(
    st.fixed_dictionaries(
        {
            "type": st.just("function"),
            "function": st.fixed_dictionaries({"name": st.just("look_up"), "description": SAID}),
        }
    ),
    max_size=2,
)

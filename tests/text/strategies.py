"""Texts that people and broken programs send: both languages, and anything a string can hold."""

from hypothesis import strategies as st

ANYTHING = st.text(alphabet=st.characters(exclude_categories=()), max_size=120)
_PIECES = st.sampled_from(
    [
        "昨天", "我们", "部署", "PostgreSQL", "v1.2.3", "了。", "！",
        "《三体》", "「好」", "3万元", "2023年5月7日", "上周三", "５月",
        "記憶體", "显卡", " ", "\n", "  ", "\t", "\u3000", "I ", "yesterday ",
        "last week ", "met Ann", ". ", "? ", "24 GB", "RTX4090", "PRD-2024-07", "foo_bar",
        "a@b.io ", "https://x.io/a?b=1 ", "/etc/hosts ", "C:\\a\\b ", "e.g. ", "3.8.0",
        "$1,200", "50%", "```\n", "- ", "1. ", '"', "'s ", "“", "”", "😂", "👍🏽",
        "👨‍👩‍👧", "🇨🇳", "é", "e\u0301", "שלום", "مرحبا",
        "हिन्दी", "한국어", "かな", "\x00", "\ud800", "\udc00", "\u200d",
        "\ufe0f", "\u202e", "ﬁ", "İ", "ß", "in two weeks ", "3 days ago ",
        "May 7, 2023 ", "2023-02-31 ", "on Friday", ", ", "周五", "（", "5月7日",
        "..", "2023-06-04", "每",
    ]
)  # fmt: skip
MIXED = st.lists(_PIECES, max_size=40).map("".join)
TEXTS = ANYTHING | MIXED

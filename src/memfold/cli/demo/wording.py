"""What the demo says, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "happened": "What happened",
    "told": "{messages:,} messages over {days} days, {tokens:,} tokens, among them {tools} tool"
    " results. They were on disk after {stored:.0f} ms; vectors and folds followed in the"
    " background, in {derived:.1f} s.",
    "forgot": "The window that forgot",
    "window": "the last {count} messages, all that a sliding window has kept",
    "asked": "Asked now: ",
    "answer": "Its answer: ",
    "not_there": "It is not among them: it was said {ago} messages ago, on {day}.",
    "there": "It is still among them.",
    "outline": "The outline: folds that stand for all the rest",
    "outline_sum": "{source:,} tokens are folded into {tokens:,}; any fold unfolds into its very"
    " messages (memfold expand).",
    "fold": "fold",
    "level": "level",
    "messages": "messages",
    "tokens": "tokens",
    "gist": "what it keeps",
    "context": "The context: the right lines are back",
    "context_title": "what the model is given, in at most {budget:,} tokens",
    "before_after": "The whole history has {full:,} tokens; this context has {tokens:,} ({share}),"
    " put together in {ms:.0f} ms.",
    "sections": "stable {stable}, outline {outline}, window {window}, recall {recall},"
    " query {query}",
    "found": "all of its evidence is there",
    "missed": "not all of its evidence is there",
    "more": "Other kinds of questions",
    "single": "one fact",
    "multi": "several places",
    "time": "time",
    "update": "changed mind",
    "entity": "exact detail",
    "instruction": "instruction",
    "cost": "{tokens:,} of {full:,} tokens, {ms:.0f} ms",
    "score": "The score: all {count} questions in each language",
    "score_title": "share of questions whose whole evidence stands in a context of so many tokens",
    "at": "in {budget:,}",
    "language": "English",
    "memfold": "memfold",
    "window_row": "sliding window",
    "bm25": "plain BM25",
    "full": "full history",
    "too_long": "needs {tokens:,}",
    "score_rule": "Budgets are in tokens, the question included. A message is there when its whole"
    " text is, or the sentences of it that hold the answer's words; the same for all rows.",
    "cross": "Across languages",
    "cross_found": "found at rank {rank} of {messages}",
    "cross_missed": "not among the first {k}",
    "kept": "The memory stays in {path}. Try:",
    "end": "{seconds:.0f} s in all, on this machine, without a network.",
}

CHINESE: Final[Mapping[str, str]] = {
    "happened": "发生了什么",
    "told": "{messages:,} 条消息，历时 {days} 天，共 {tokens:,} 个 token，其中工具结果 {tools} 条。"
    "{stored:.0f} 毫秒后全部落盘；向量和折叠随后在后台完成，用时 {derived:.1f} 秒。",
    "forgot": "窗口忘了",
    "window": "最近 {count} 条消息：滑动窗口只剩这些",
    "asked": "现在问：",
    "answer": "答案：",
    "not_there": "窗口里没有：那句话在 {ago} 条消息之前，{day} 说的。",
    "there": "窗口里还有。",
    "outline": "提纲：其余的一切由这些折叠代表",
    "outline_sum": "{source:,} 个 token 折叠成 {tokens:,} 个；每个折叠都能展开成原来的消息"
    "（memfold expand）。",
    "fold": "折叠",
    "level": "层",
    "messages": "消息",
    "tokens": "token",
    "gist": "留下的内容",
    "context": "上下文：该有的那几句又回来了",
    "context_title": "交给模型的内容，最多 {budget:,} 个 token",
    "before_after": "全部历史有 {full:,} 个 token；这份上下文只有 {tokens:,} 个（{share}），"
    "组装用时 {ms:.0f} 毫秒。",
    "sections": "固定 {stable}，提纲 {outline}，窗口 {window}，回忆 {recall}，问题 {query}",
    "found": "依据都在里面",
    "missed": "依据不全",
    "more": "其他几类问题",
    "single": "单个事实",
    "multi": "分散几处",
    "time": "时间",
    "update": "改了主意",
    "entity": "确切细节",
    "instruction": "要求",
    "cost": "{full:,} 个 token 里取 {tokens:,} 个，{ms:.0f} 毫秒",
    "score": "成绩：每种语言全部 {count} 个问题",
    "score_title": "依据全部出现在这么多 token 以内的上下文里的问题所占比例",
    "at": "{budget:,} 以内",
    "language": "中文",
    "memfold": "memfold",
    "window_row": "滑动窗口",
    "bm25": "普通 BM25",
    "full": "全部历史",
    "too_long": "要 {tokens:,}",
    "score_rule": "上限以 token 计，问题本身也算在内。一条消息全文在上下文里，"
    "或者含有答案用词的那几句在，才算在；各行同一标准。",
    "cross": "跨语言",
    "cross_found": "在 {messages} 条里排第 {rank}",
    "cross_missed": "不在前 {k} 条里",
    "kept": "这份记忆留在 {path}。可以试试：",
    "end": "共用 {seconds:.0f} 秒，就在这台机器上，没有联网。",
}

WORDINGS: Final[Mapping[str, Mapping[str, str]]] = {"en": ENGLISH, "zh": CHINESE}

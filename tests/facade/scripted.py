"""Memories whose folds a scripted model writes, over real HTTP."""

import json
from contextlib import contextmanager
from datetime import timedelta

from tests.facade.driving import START

from memfold import FoldConfig, Memory
from memfold.llms import OpenAICompatible
from memfold.testing.llm_server import LLMServer

CONFIG = FoldConfig(
    window=2,
    segment_messages=4,
    segment_tokens=100,
    fan_out=2,
    chapter_tokens=80,
    entity_target=0.4,
)

SAID = {
    "en": "Crate {at} went to hall H-{at:03} that day and cost ${price} at Corvin Freight. {more}",
    "zh": "当天第 {at} 个箱子运到了 H-{at:03} 号仓库，科文货运收了 {price} 元。{more}",
}
MORE = {
    "en": [
        "Please do not send the next one before noon, as the gate is closed until then.",
        "The driver had to wait for a long time because nobody had the key of the gate.",
        "We should ask them whether two of these fit in one lorry, it would save a trip.",
    ],
    "zh": [
        "下一个请不要在中午之前送来，因为大门要到那时候才开。",
        "司机等了很久，因为谁也没有大门的钥匙，下次要提前联系。",
        "我们应该问问他们一辆卡车能不能装两个，这样可以少跑一趟。",
    ],
}  # fmt: skip


class Wall:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.at = START

    def __call__(self):
        return self.at

    def on(self, **by):
        self.at += timedelta(**by)


def said(spoken, count, *, first=0):
    """Messages that differ in their details."""
    return [
        {
            "role": ("user", "assistant")[at % 2],
            "content": SAID[spoken].format(at=at, price=at * 7 + 11, more=MORE[spoken][at % 3]),
        }
        for at in range(first, first + count)
    ]


def conversation(request):
    """What stands between the marks of a prompt."""
    return request.prompt.rpartition("<conversation>\n")[2].partition("\n</conversation>")[0]


def retold(request, *, share=0.45, prefix=""):
    """A summary that depends on nothing but the prompt: of each line the beginning."""
    lines = [line.partition(": ")[2] or line for line in conversation(request).splitlines()]
    return prefix + " ".join(_beginning(line, share) for line in lines if line)


def _beginning(line, share):
    words = line.split(" ")
    if len(words) > 6:
        return " ".join(words[: max(3, int(len(words) * share))]).rstrip(",.") + "."
    return line[: max(6, int(len(line) * share))].rstrip("，。") + "。"


@contextmanager
def opened(server, path=":memory:", *, strong=None, timeout=5.0, retries=0, window=8192, **options):
    """A memory on a server (an LLMServer, or its base URL)."""
    url = getattr(server, "base_url", server)
    llm = OpenAICompatible(
        "scripted", base_url=url, timeout=timeout, retries=retries, context_tokens=window
    )
    options = {"embedder": None, "fold": CONFIG, "clock": Wall(), "background": False, **options}
    try:
        if strong is not None:
            options["llm_strong"] = OpenAICompatible(
                "strong", base_url=strong.base_url, timeout=timeout, retries=retries
            )
        with Memory(path, llm=llm, **options) as memory:
            yield memory
    finally:
        llm.close()
        if "llm_strong" in options:
            options["llm_strong"].close()


@contextmanager
def serving(script=retold):
    """A server that retells, or does as its script says."""
    with LLMServer(script) as server:
        yield server


def tell(fold):
    """All of a fold but its number, the numbers of its children, and what it took to make it."""
    return {
        name: getattr(fold, name)
        for name in (
            "level", "index", "first", "last", "text", "headline", "sentences", "required",
            "kept", "missing", "quality", "method", "prompt_version", "since", "until",
            "verbatim", "tokens", "source_tokens", "retry_at",
        )
    }  # fmt: skip


def by_model(folds):
    return [fold for fold in folds if fold.method == "model"]


def check_tree(folds):
    """No fold twice, none torn: each is made of those that stand below it."""
    places = [(fold.level, fold.index) for fold in folds]
    assert len(places) == len(set(places))
    by_id = {fold.id: fold for fold in folds}
    for fold in folds:
        if fold.level < 2:
            continue
        children = [by_id[child] for child in fold.children]
        assert [child.level for child in children] == [fold.level - 1] * len(children)
        assert (children[0].first, children[-1].last) == (fold.first, fold.last)
        assert fold.source_tokens == sum(child.tokens for child in children)
        kept = {key for child in children for key in child.kept}
        assert {*fold.required} == kept
    segments = sorted((fold for fold in folds if fold.level == 1), key=lambda fold: fold.first)
    assert [s.first for s in segments] == [0, *(s.last + 1 for s in segments)][: len(segments)]


def questions(*pairs):
    """An answer with questions, as a reader gives it."""
    return json.dumps([{"question": q, "answer": a} for q, a in pairs], ensure_ascii=False)

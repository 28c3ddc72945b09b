"""Folds through the facade: smaller or verbatim, honest about what they keep, never remade."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.facade.driving import START, Clock
from tests.facade.talks import talks

from memfold import FoldConfig, Memory, TiktokenCounter
from memfold.text.entities import entity_key

COUNTER = TiktokenCounter()
CONFIGS = [
    FoldConfig(window=1, segment_messages=2, segment_tokens=40, fan_out=2, chapter_tokens=30),
    FoldConfig(window=0, segment_messages=1, segment_tokens=20, fan_out=3, chapter_tokens=20),
    FoldConfig(window=3, segment_messages=3),
]


def memory_with(config):
    return Memory(embedder=None, background=False, fold=config, clock=Clock())


def check(fold, config):
    assert fold.tokens == COUNTER.count(fold.text) <= config.limit(fold.level)
    assert fold.headline_tokens == COUNTER.count(fold.headline) <= config.headline_tokens
    assert fold.verbatim or fold.tokens < fold.source_tokens
    assert {*fold.kept} | {*fold.missing} == {*fold.required}
    condensed = entity_key(fold.text)
    for key in fold.kept:  # a date may be written in another way
        assert key in condensed or re.search(r"\d", key)


@settings(max_examples=50)
@given(talk=talks(max_turns=20), config=st.sampled_from(CONFIGS))
def test_folds_are_smaller_or_verbatim_and_keep_what_they_claim(talk, config):
    with memory_with(config) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(talk)
        folds = chat.folds()
        by_id = {fold.id: fold for fold in folds}
        for fold in folds:
            check(fold, config)
            for child, after in zip(fold.children, fold.children[1:], strict=False):
                assert by_id[child].last + 1 == by_id[after].first
            if fold.children:
                assert by_id[fold.children[0]].first == fold.first
                assert by_id[fold.children[-1]].last == fold.last
        segments = [fold for fold in folds if fold.level == 1]
        assert [s.first for s in segments] == [0, *(s.last + 1 for s in segments)][: len(segments)]


@settings(max_examples=40)
@given(talk=talks(max_turns=20), config=st.sampled_from(CONFIGS))
def test_adding_never_rewrites_a_fold_and_bits_make_the_same_as_the_whole(talk, config):
    with memory_with(config) as memory:
        bits = memory.user("ann").session("bits")
        before = []
        for message in talk:
            bits.extend([message], at=START)
            now = bits.folds()
            assert [fold for fold in now if fold in before] == before
            before = now
        whole = memory.user("bob").session("bits")
        whole.extend(talk, at=START)
        assert [tell(fold) for fold in whole.folds()] == [tell(fold) for fold in bits.folds()]


def tell(fold):
    return (
        fold.level, fold.index, fold.first, fold.last, fold.text, fold.headline, fold.sentences,
        fold.required, fold.kept, fold.missing, fold.since, fold.until, fold.verbatim,
    )  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        "By the way, order {at} is PRD-2024-{at:02} and costs $1,{at:02}0. Nothing else is new.",
        "顺便说一下，第 {at} 个订单是 PRD-2024-{at:02}，价格 1{at:02}0 元。别的没有什么新消息。",
    ],
    ids=["en", "zh"],
)
def test_an_identifier_is_still_reached_from_the_highest_fold(said):
    """Invariant 6: at the latest through ``expand``."""
    config = FoldConfig(window=0, segment_messages=2, segment_tokens=60, fan_out=2)
    with memory_with(config) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        for at in range(65):
            chat.add("user", said.format(at=at))
        top = max(chat.folds(), key=lambda fold: fold.level)
        assert top.level >= 5
        reached = "\n".join(message.text for message in ann.expand(top.id))
        for at in range(top.first, top.last + 1):
            assert f"PRD-2024-{at:02}" in reached


def test_two_threads_that_fold_make_each_fold_once(tmp_path):
    with Memory(tmp_path / "m.db", embedder=None, fold=CONFIGS[0]) as one:
        two = Memory(tmp_path / "m.db", embedder=None, fold=CONFIGS[0])
        for at in range(60):
            memory = (one, two)[at % 2]
            memory.user("ann").session("s").add("user", f"Crate {at} holds {at * 7} lamps.")
        assert one.flush(60)
        assert two.flush(60)
        folds = one.user("ann").session("s").folds()
        assert folds == two.user("ann").session("s").folds()
        places = [(fold.level, fold.index) for fold in folds]
        assert len(places) == len(set(places))
        two.close()

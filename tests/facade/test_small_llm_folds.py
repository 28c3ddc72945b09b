"""A small real model folds the sample conversations, as well as it can."""

import pytest
from tests import small_llm
from tests.facade.scripted import check_tree

from memfold import FoldConfig, Memory
from memfold.cli.demo.story import sample
from memfold.llms import OpenAICompatible

pytestmark = pytest.mark.extra("llm")

# Short, so that it takes seconds on a busy machine; the targets are for better models.
CONFIG = FoldConfig(
    window=2,
    segment_messages=3,
    segment_tokens=30,
    fan_out=2,
    chapter_tokens=30,
    entity_target=0.3,
)
TOLD = {"en": 8, "zh": 8}


def test_a_real_model_folds_and_where_it_fails_the_fold_without_it_stands(small_llm_url):
    llm = OpenAICompatible(
        small_llm.NAME,
        base_url=small_llm_url,
        timeout=60.0,
        retries=0,
        context_tokens=small_llm.CONTEXT_TOKENS,
    )
    with Memory(llm=llm, embedder=None, background=False, fold=CONFIG) as memory:
        ann = memory.user("ann")
        calls = 0
        for spoken, count in TOLD.items():
            told = sample(spoken)
            messages = told.chat()[:count]
            at = [message["time"] for message in told.messages[:count]]
            chat = ann.session(spoken)
            calls += chat.extend(messages, at=at).usage.calls
            assert [message.raw for message in chat.messages()] == messages
            folds = chat.folds()
            assert folds
            check_tree(folds)
            for fold in folds:
                limit = CONFIG.limit(fold.level)
                assert fold.tokens <= (2 * limit if fold.method == "model" else limit)
                assert fold.verbatim or fold.tokens < fold.source_tokens
                assert {*fold.kept} | {*fold.missing} == {*fold.required}
                assert fold.verbatim or fold.attempts
                taken = [attempt for attempt in fold.attempts if attempt.outcome == "taken"]
                assert len(taken) == (fold.method == "model")
                span = [message.raw for message in ann.expand(fold.id)]
                assert span == messages[fold.first : fold.last + 1]
        usage = ann.stats().usage
        assert usage.calls == calls > 0
        assert usage.prompt_tokens > 200
        assert usage.completion_tokens > 20
        assert usage.seconds > 0
        assert any(fold.method == "model" for fold in ann.session("en").folds())
    llm.close()

"""Where segments end: at a pause, where the topic does, where there is enough, at the end."""

from datetime import timedelta

import pytest
from tests.facade.driving import START
from tests.facade.scripted import by_model, check_tree, opened, said, serving

from memfold import FoldConfig, Memory, NotFound

both = pytest.mark.parametrize("spoken", ["en", "zh"])
CONFIG = FoldConfig(window=2, segment_messages=10)

TOPICS = {
    "en": [
        "The tomato seedlings in the greenhouse need watering and the soil needs compost.",
        "Our tax return needs the salary statement and the receipts for deductible expenses.",
    ],
    "zh": [
        "温室里的番茄苗要浇水，土壤里还要加些堆肥，幼苗才长得好。",
        "我们的报税材料还缺工资单，可以抵扣的费用要附上发票。",
    ],
}  # fmt: skip


def memory_with(config=CONFIG):
    return Memory(embedder=None, background=False, fold=config)


def spans(chat):
    return [(fold.first, fold.last) for fold in chat.folds() if fold.level == 1]


def times(count, *, pauses=()):
    """A minute between two messages, and a night before those of ``pauses``."""
    found, at = [], START
    for number in range(count):
        at += timedelta(hours=9) if number in pauses else timedelta(minutes=1)
        found.append(at)
    return found


@both
def test_a_pause_ends_a_segment(spoken):
    with memory_with() as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 40), at=times(40, pauses=[6, 9, 22]))
        found = spans(chat)
        assert found[0] == (0, 5)
        assert 21 in [last for _, last in found]
        # Three messages between two pauses are no segment by themselves.
        assert (6, 8) not in found


@both
def test_a_segment_ends_where_the_topic_does(spoken):
    first, second = TOPICS[spoken]
    messages = [{"role": "user", "content": f"{first} ({at})"} for at in range(9)]
    messages += [{"role": "user", "content": f"{second} ({at})"} for at in range(40)]
    with memory_with() as memory:
        chat = memory.user("ann").session("s")
        chat.extend(messages, at=times(49))
        assert spans(chat)[0] == (0, 8)


@both
def test_long_messages_make_short_segments(spoken):
    config = FoldConfig(window=2, segment_messages=10, segment_source_tokens=300)
    long = [{**message, "content": message["content"] * 5} for message in said(spoken, 20)]
    with memory_with(config) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(long, at=times(20))
        assert all(last - first < 4 for first, last in spans(chat))


@both
def test_the_end_folds_everything_and_the_session_goes_on(spoken):
    with memory_with() as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 17), at=times(17))
        assert spans(chat)[-1][1] < 15
        chat.end()
        assert spans(chat)[-1][1] == 16
        before = chat.folds()
        chat.end()
        assert chat.folds() == before
        chat.extend(said(spoken, 3, first=17), at=times(20)[17:])
        assert spans(chat)[-1][1] == 16
        chat.extend(said(spoken, 30, first=20), at=times(50)[20:])
        after = spans(chat)
        assert after[: len(before)] == [(f.first, f.last) for f in before if f.level == 1]
        assert after[len(before)][0] == 17
        check_tree(chat.folds())
        assert [fold for fold in chat.folds() if fold in before] == before
        memory.reindex()
        assert spans(chat) == after
        assert [message.raw for message in chat.messages()] == said(spoken, 50)


@both
def test_one_message_or_two_can_be_the_end(spoken):
    with memory_with() as memory:
        chat = memory.user("ann").session("s")
        with pytest.raises(NotFound):
            chat.end()
        for first in range(3):
            chat.extend(said(spoken, 1, first=first))
            chat.end()
            assert spans(chat) == [(at, at) for at in range(first + 1)]


@both
@pytest.mark.extra("llm")
def test_what_the_end_folds_is_written_by_the_model(spoken):
    with serving() as server, opened(server) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 7))
        chat.end()
        assert spans(chat)[-1][1] == 6
        assert len(by_model(chat.folds())) == sum(not fold.verbatim for fold in chat.folds())
        assert chat.messages()[-1].text in chat.context("?", max_tokens=900).text


@both
@pytest.mark.parametrize("how", ["edit", "forget", "reindex"])
def test_no_border_moves_when_something_is_changed(spoken, how):
    with memory_with() as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        ids = []
        for number, message in enumerate(said(spoken, 40)):
            ids.append(chat.extend([message], at=times(40, pauses=[6, 22])[number]).id)
        before = spans(chat)
        assert len(before) > 3
        first, second = TOPICS[spoken]
        if how == "edit":
            for at in (3, 5, 12, 21):
                chat.edit(ids[at], (first, second)[at % 2] * 3)
        elif how == "forget":
            ann.forget([ids[at] for at in (2, 3, 4, 5, 6, 12, 30)])
        else:
            memory.reindex()
        assert spans(chat) == before
        check_tree(chat.folds())
        chat.extend(said(spoken, 20, first=40), at=times(20)[-1] + timedelta(days=9))
        assert spans(chat)[: len(before)] == before


@both
def test_a_fork_and_a_cut_keep_the_borders_before_them(spoken):
    with memory_with() as memory:
        chat = memory.user("ann").session("s")
        ids = chat.extend(said(spoken, 50), at=times(50, pauses=[6])).ids
        chat.end()
        before = spans(chat)
        fork = chat.fork(before=ids[33])
        assert spans(fork) == [span for span in before if span[1] < 33][: len(spans(fork))]
        chat.cut(ids[33])
        assert spans(chat) == spans(fork)
        chat.extend(said(spoken, 30, first=33), at=times(70)[-30:])
        check_tree(chat.folds())
        assert spans(chat)[: len(spans(fork))] == spans(fork)

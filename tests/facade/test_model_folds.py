"""Folds that a model writes: made once, made the same again, gone with what they were about."""

import pytest
from tests.facade.scripted import (
    CONFIG,
    by_model,
    check_tree,
    conversation,
    opened,
    retold,
    said,
    serving,
    tell,
)

from memfold import FoldConfig, Memory
from memfold.testing.llm_server import Answer

pytestmark = pytest.mark.extra("llm")
both = pytest.mark.parametrize("spoken", ["en", "zh"])


@both
def test_all_levels_are_written_by_the_model(spoken):
    with serving() as server, opened(server) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        receipt = chat.extend(said(spoken, 30))
        folds = chat.folds()
        check_tree(folds)
        assert {fold.level for fold in folds} >= {1, 2, 3}
        assert {fold.method for fold in folds} == {"model"}
        assert {fold.retry_at for fold in folds} == {None}
        assert len(server.requests) == receipt.usage.calls == ann.stats().usage.calls > 10
        assert receipt.usage.prompt_tokens == sum(
            attempt.usage.prompt_tokens for fold in folds for attempt in fold.attempts
        )
        assert receipt.usage.completion_tokens > 0
        assert receipt.usage.seconds > 0
        assert receipt.usage.failures == 0
        for fold in folds:
            assert fold.tokens < fold.source_tokens
            assert fold.text
            assert fold.headline_tokens <= 40
            assert fold.attempts[-1].outcome == "taken" or "taken" in {
                attempt.outcome for attempt in fold.attempts
            }
        # Nothing is asked again for what stands.
        chat.add("user", "ok")
        memory.flush()
        assert len(server.requests) == receipt.usage.calls


@both
def test_a_context_shows_what_the_model_wrote(spoken):
    with (
        serving(
            lambda request: retold(request, prefix={"en": "Quokka. ", "zh": "袋鼠。"}[spoken])
        ) as server,
        opened(server) as memory,
    ):
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 60))
        assert by_model(chat.folds())
        word = {"en": "Quokka.", "zh": "袋鼠。"}[spoken]
        context = chat.context({"en": "Well?", "zh": "如何？"}[spoken], max_tokens=1300)
        assert word in context.text


@both
def test_made_again_without_the_server_from_what_is_on_record(spoken, tmp_path):
    path = tmp_path / "m.db"
    with serving() as server:
        url = server.base_url
        with opened(server, path) as memory:
            chat = memory.user("ann").session("s")
            for message in said(spoken, 30):
                chat.extend([message])
            before = [tell(fold) for fold in chat.folds()]
            usage = memory.user("ann").stats().usage
    assert {fold["method"] for fold in before} == {"model"}
    for reopened in range(2):
        with opened(url, path, timeout=1.0) as memory:
            chat = memory.user("ann").session("s")
            if reopened:
                memory.reindex()
            assert [tell(fold) for fold in chat.folds()] == before
            assert memory.user("ann").stats().usage == usage  # none was asked


@both
def test_one_failure_does_not_keep_the_rest_from_the_record(spoken):
    """While the server rests, what it answered before is taken all the same."""
    with serving() as server, opened(server, timeout=1.0) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 20))
        before = [tell(fold) for fold in chat.folds()]
        server.close()
        chat.edit("m1", {"en": "Another thing: H-777.", "zh": "另一件事：H-777。"}[spoken])
        first = min(chat.folds(), key=lambda fold: (fold.level, fold.index))
        assert (first.method, first.retry_at is not None) == ("extractive", True)
        memory.reindex()
        after = [tell(fold) for fold in chat.folds()]
        unchanged = [fold for fold in before if fold["first"] > 0]
        assert [fold for fold in after if fold["first"] > 0] == unchanged


PLANTED = {"en": "Zyzzyva", "zh": "龘靐齉"}


def planting(spoken):
    """Retells, with a word that stands in no message wherever H-001 is told of."""

    def script(request):
        word = PLANTED[spoken] if "H-001" in conversation(request) else ""
        end = {"en": " so it was noted. ", "zh": "这样记下了。"}[spoken]
        return retold(request, prefix=word + end if word else "")

    return script


def on_disk(path):
    found = b""
    for each in sorted(path.parent.iterdir()):
        if each.name.startswith(path.name):
            found += each.read_bytes()
    return found


@both
@pytest.mark.parametrize("how", ["edit", "cut", "forget", "erase session", "erase all"])
def test_what_a_model_said_of_a_message_goes_with_it(spoken, how, tmp_path):
    path = tmp_path / "m.db"
    word = PLANTED[spoken].encode()
    with serving(planting(spoken)) as server, opened(server, path) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        ids = chat.extend(said(spoken, 20)).ids
        assert any(PLANTED[spoken] in fold.text for fold in chat.folds())
        assert word in on_disk(path)
        calls = len(server.requests)
        if how == "edit":
            chat.edit(ids[1], said(spoken, 1, first=90)[0]["content"])
        elif how == "cut":
            chat.cut(ids[1])
        elif how == "forget":
            ann.forget([ids[1]])
        elif how == "erase session":
            chat.erase()
        else:
            ann.erase(everything=True)
        if how not in ("edit", "cut"):  # those keep the message itself, too
            assert word not in on_disk(path)
        folds = chat.folds()
        check_tree(folds)
        assert not any(PLANTED[spoken] in fold.text for fold in folds)
        if how in ("edit", "forget"):
            assert {fold.method for fold in folds} == {"model"}
            assert calls < len(server.requests) <= calls + 6  # one segment, and what is above it
    assert word not in on_disk(path)


@both
def test_a_fork_needs_no_model_and_keeps_what_was_said_of_its_own(spoken, tmp_path):
    path = tmp_path / "m.db"
    word = PLANTED[spoken].encode()
    with serving(planting(spoken)) as server, opened(server, path) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        ids = chat.extend(said(spoken, 20)).ids
        calls = len(server.requests)
        fork = chat.fork("fork")
        assert len(server.requests) == calls
        before = [tell(fold) for fold in fork.folds()]
        assert before == [tell(fold) for fold in chat.folds()]
        chat.edit(ids[1], said(spoken, 1, first=90)[0]["content"])
        assert not any(PLANTED[spoken] in fold.text for fold in chat.folds())
        assert [tell(fold) for fold in fork.folds()] == before
        calls = len(server.requests)
        memory.reindex()
        assert [tell(fold) for fold in fork.folds()] == before
        assert len(server.requests) == calls
        assert word in on_disk(path)
        ann.forget([ids[1]])
        assert word not in on_disk(path)


@both
def test_a_child_that_a_model_writes_later_has_its_parents_made_anew(spoken):
    down = [True]
    with (
        serving(lambda request: Answer.error(500) if down[0] else retold(request)) as server,
        opened(server) as memory,
    ):
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 30))
        before = {(fold.level, fold.index): fold for fold in chat.folds()}
        assert {fold.method for fold in before.values()} == {"extractive"}
        handles = [fold.id for fold in before.values()]
        down[0] = False
        memory._engine._clock.on(hours=2)
        memory.flush()
        folds = chat.folds()
        check_tree(folds)
        assert {fold.method for fold in folds} == {"model"}
        assert not {fold.id for fold in folds} & {*handles}
        # Handles that were shown until now still lead to the messages.
        for (level, index), fold in before.items():
            expanded = memory.user("ann").expand(fold.id)
            assert (level, index, len(expanded)) == (level, index, fold.last - fold.first + 1)


@both
def test_a_model_that_takes_little_at_once_reads_in_parts(spoken):
    config = FoldConfig(window=2, segment_messages=12)
    long = [{**message, "content": (message["content"] + "\n") * 6} for message in said(spoken, 40)]
    with serving() as server, opened(server, window=1200, fold=config) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(long)
        folds = chat.folds()
        check_tree(folds)
        assert by_model(folds)
        rungs = [attempt.rung for fold in folds for attempt in fold.attempts]
        assert "part" in rungs
        parts = "".join(conversation(request) for request in server.requests)
        segments = [fold for fold in folds if fold.level == 1]
        for at in range(segments[-1].last + 1):
            assert f"H-{at:03}" in parts


@both
def test_the_stronger_model_is_asked_where_the_other_falls_short(spoken):
    with (
        serving(lambda request: "-") as weak,
        serving() as strong,
        opened(weak, strong=strong) as memory,
    ):
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 20))
        for fold in chat.folds():
            tried = [(each.rung, each.model, each.outcome) for each in fold.attempts]
            assert tried == [
                ("summary", "scripted", "refused"),
                ("longer", "scripted", "refused"),
                ("topics", "scripted", "refused"),
                ("strong", "strong", "taken"),
            ]


def test_folds_made_without_a_model_stay_until_made_anew(tmp_path):
    path = tmp_path / "m.db"
    with Memory(path, embedder=None, background=False, fold=CONFIG) as memory:
        memory.user("ann").session("s").extend(said("en", 20))
    with serving() as server, opened(server, path) as memory:
        chat = memory.user("ann").session("s")
        memory.flush()
        assert not by_model(chat.folds())
        memory.reindex()
        assert len(by_model(chat.folds())) == len(chat.folds())

"""The running summary: one text for all that was folded, in the place of the tree."""

import pytest
from tests.facade.scripted import Wall, conversation, opened, retold, said, serving, tell

from memfold import FoldConfig, Memory
from memfold.testing.llm_server import Answer

both = pytest.mark.parametrize("spoken", ["en", "zh"])
llm = pytest.mark.extra("llm")

RUNNING = FoldConfig(
    window=2,
    segment_messages=4,
    segment_tokens=100,
    fan_out=2,
    chapter_tokens=80,
    entity_target=0.3,
    running=True,
    running_tokens=150,
)
ASKED = {"en": "Well?", "zh": "如何？"}


def plain(path=":memory:"):
    return Memory(path, embedder=None, background=False, fold=RUNNING, clock=Wall())


def running(chat):
    found = [fold for fold in chat.folds() if fold.level == 0]
    assert len(found) <= 1
    return found[0] if found else None


@both
def test_there_is_one_and_it_goes_as_far_as_the_segments(spoken):
    with plain() as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 4))
        assert running(chat) is None
        reached = []
        for at in range(4, 40):
            chat.extend(said(spoken, 1, first=at))
            segments = [fold for fold in chat.folds() if fold.level == 1]
            fold = running(chat)
            assert (fold is None) == (not segments)
            if fold is not None:
                assert (fold.first, fold.last) == (0, segments[-1].last)
                assert fold.tokens <= 150
                reached.append(fold.last)
        assert len(set(reached)) > 5


@both
def test_it_stands_in_contexts_in_the_place_of_the_tree(spoken):
    with plain() as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 60))
        fold = running(chat)
        context = chat.context(ASKED[spoken], max_tokens=1400)
        assert fold.text in context.text
        shown = [item for item in context.trace.shown if item.section == "outline"]
        assert [item.sources for item in shown] == [(fold.id,)]


@both
def test_it_survives_and_is_the_same_made_anew(spoken, tmp_path):
    with plain(tmp_path / "m.db") as memory:
        chat = memory.user("ann").session("s")
        for message in said(spoken, 30):
            chat.extend([message])
        before = tell(running(chat))
    with plain(tmp_path / "m.db") as memory:
        chat = memory.user("ann").session("s")
        assert tell(running(chat)) == before
        memory.reindex()
        assert tell(running(chat)) == before


@both
def test_five_rounds_later_all_is_still_reached_through_it(spoken):
    with plain() as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        chat.extend(said(spoken, 8))
        first = running(chat)
        assert first.kept
        for at in range(8, 48, 8):
            chat.extend(said(spoken, 8, first=at))
            fold = running(chat)
            reached = "\n".join(message.text for message in ann.expand(fold.id))
            for number in range(fold.last + 1):
                assert f"H-{number:03}" in reached
        # And an earlier handle still leads to what it stood for.
        assert len(ann.expand(first.id)) == first.last + 1


@llm
@both
def test_a_model_writes_it_from_what_stands(spoken, tmp_path):
    path = tmp_path / "m.db"
    with serving() as server:
        with opened(server, path, fold=RUNNING) as memory:
            chat = memory.user("ann").session("s")
            for at in range(0, 40, 8):
                chat.extend(said(spoken, 8, first=at))
                fold = running(chat)
                assert fold.method == "model" or fold.verbatim
            assert fold.prompt_version == f"running.{spoken}/1"
            asked = [r for r in server.requests if "running" in _kind(r, spoken)]
            # Each takes in what came since the one before.
            sources = list(dict.fromkeys(map(conversation, asked)))
            assert len(sources) >= 3
            texts = [fold.text for fold in chat.folds() if fold.level == 1]
            assert " ".join(texts[-1].split()) in sources[-1]
            before = [tell(fold) for fold in chat.folds()]
            assert fold.text in chat.context(ASKED[spoken], max_tokens=1400).text
        server.close()
        with opened(server.base_url, path, fold=RUNNING, timeout=1.0) as memory:
            chat = memory.user("ann").session("s")
            assert [tell(fold) for fold in chat.folds()] == before
            memory.reindex()
            assert [tell(fold) for fold in chat.folds()] == before


def _kind(request, spoken):
    mark = {"en": "oldest first", "zh": "从旧到新"}[spoken]
    return "running" if mark in request.prompt else "summary"


@llm
@both
def test_it_is_made_anew_when_what_it_was_made_of_is(spoken):
    down = [True]
    with (
        serving(lambda request: Answer.error(500) if down[0] else retold(request)) as server,
        opened(server, fold=RUNNING) as memory,
    ):
        chat = memory.user("ann").session("s")
        ids = chat.extend(said(spoken, 30)).ids
        assert running(chat).method == "extractive"
        down[0] = False
        memory._engine._clock.on(hours=2)
        memory.flush()
        assert {fold.method for fold in chat.folds()} == {"model"}
        assert "H-999" not in chat.messages()[1].text
        chat.edit(ids[1], said(spoken, 1, first=999)[0]["content"])
        after = running(chat)
        assert after.method == "model"
        assert (after.first, after.last) == (0, max(f.last for f in chat.folds() if f.level == 1))
        fresh = memory.user("bob").session("s")
        fresh.extend([message.raw for message in chat.messages()])
        assert running(fresh).text == after.text


@both
@pytest.mark.parametrize("max_tokens", [400, 900, 1400, 3000])
def test_no_context_goes_without_the_past(spoken, max_tokens):
    """Where the running summary does not fit, the tree stands for the past."""
    with plain() as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 90))
        for later in ("09:00", "23:00"):  # in the middle of it, and after a pause
            now = f"2024-03-04T{later}"
            context = chat.context(ASKED[spoken], max_tokens=max_tokens, now=now)
            assert context.tokens <= max_tokens
            assert context.tokens > 0.3 * max_tokens
            shown = {item.section for item in context.trace.shown}
            if max_tokens >= 900:
                assert "outline" in shown or context.trace.full_tokens <= max_tokens

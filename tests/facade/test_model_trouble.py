"""A model that is away, slow, or will not: writing goes on, folds stand, nothing is lost."""

import threading
import time

import pytest
from tests.facade.scripted import by_model, check_tree, opened, retold, said, serving

from memfold import FoldConfig, Memory
from memfold.facade.engine import system_clock
from memfold.testing.llm_server import Answer

pytestmark = pytest.mark.extra("llm")
both = pytest.mark.parametrize("spoken", ["en", "zh"])

# One level is enough.
FLAT = FoldConfig(
    window=2, segment_messages=4, segment_tokens=100, fan_out=50, entity_target=0.4
)  # fmt: skip


class Moody:
    """Answers with ``answer`` while it is set, else retells."""

    def __init__(self, answer):
        self.answer = answer

    def __call__(self, request):
        return retold(request) if self.answer is None else self.answer


def wall(memory):
    return memory._engine._clock


TROUBLE = {
    "too many": (Answer.error(429, retry_after=300), "LLMRateLimited"),
    "broken": (Answer.error(500), "LLMUnavailable"),
    "wrong key": (Answer.error(401), "LLMRejected"),
    "unknown model": (Answer.error(404), "LLMRejected"),
    "dropped": (Answer.dropped(), "LLMUnavailable"),
}


@both
@pytest.mark.parametrize("kind", TROUBLE)
def test_folds_stand_meanwhile_and_are_written_when_the_server_is_back(spoken, kind):
    answer, error = TROUBLE[kind]
    moody = Moody(answer)
    with serving(moody) as server, opened(server, fold=FLAT) as memory:
        ann = memory.user("ann")
        chat = ann.session("s")
        messages = said(spoken, 22)
        receipt = chat.extend(messages)
        assert [message.raw for message in chat.messages()] == messages
        folds = chat.folds()
        assert len(folds) == 5
        assert not by_model(folds)
        assert all(fold.retry_at is not None for fold in folds)
        # It was asked once, not once for each fold.
        assert len(server.requests) == 1
        assert (receipt.usage.calls, receipt.usage.failures) == (1, 1)
        (failed,) = [attempt for fold in folds for attempt in fold.attempts]
        assert failed.outcome == "failed"
        assert failed.reason.startswith(error)
        assert "Bearer" not in failed.reason
        # Not before its time, either.
        chat.add("user", messages[0]["content"])
        assert len(server.requests) == 1
        moody.answer = None
        wall(memory).on(seconds=40)
        memory.flush()
        assert len(server.requests) == 1
        wall(memory).on(minutes=5)
        memory.flush()
        folds = chat.folds()
        check_tree(folds)
        assert len(by_model(folds)) == 5
        assert not any(fold.retry_at for fold in folds)
        assert folds[0].attempts[0] == failed
        usage = ann.stats().usage
        assert (usage.calls, usage.failures) == (len(server.requests), 1)


def test_the_server_says_when_to_come_back():
    moody = Moody(Answer.error(429, retry_after=7))
    with serving(moody) as server, opened(server, fold=FLAT) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said("en", 22))
        moody.answer = None
        wall(memory).on(seconds=6)
        memory.flush()
        assert len(server.requests) == 1
        wall(memory).on(seconds=2)
        memory.flush()
        assert len(by_model(chat.folds())) == 5


def test_a_server_that_stays_away_is_asked_ever_more_seldom():
    with serving(Moody(Answer.error(503))) as server, opened(server, fold=FLAT) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said("en", 22))
        for _ in range(50):
            wall(memory).on(minutes=10)
            memory.flush()
        assert 5 < len(server.requests) < 16  # in eight hours
        folds = chat.folds()
        check_tree(folds)
        assert not by_model(folds)
        assert all(fold.retry_at is not None for fold in folds)
        assert all(len(fold.attempts) <= 20 for fold in folds)


@both
def test_a_question_that_is_never_answered_in_time_is_given_up(spoken):
    """The others are answered: it is not the server."""

    def script(request):
        return Answer.silence() if "H-005" in request.prompt else retold(request)

    with serving(script) as server, opened(server, fold=FLAT, timeout=0.4) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 22))
        for _ in range(6):
            wall(memory).on(hours=1)
            memory.flush()
        folds = chat.folds()
        check_tree(folds)
        assert [fold.method for fold in folds] == ["model", "extractive", "model", "model", "model"]
        assert not any(fold.retry_at for fold in folds)
        reasons = [attempt.reason for attempt in folds[1].attempts]
        assert len(reasons) == 3
        assert all(reason.startswith("LLMTimeout") for reason in reasons)
        asked = sum("H-005" in request.prompt for request in server.requests)
        assert asked == 3
        assert memory.user("ann").stats().usage.failures == 3


@both
def test_a_question_that_is_too_long_for_the_server_is_given_up(spoken):
    def script(request):
        return Answer.error(400, "too long") if "H-005" in request.prompt else retold(request)

    with serving(script) as server, opened(server, fold=FLAT) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 22))
        assert len(by_model(chat.folds())) == 4  # none of which had to wait
        for _ in range(6):
            wall(memory).on(hours=1)
            memory.flush()
        assert not any(fold.retry_at for fold in chat.folds())
        assert sum("H-005" in request.prompt for request in server.requests) == 3


def test_a_server_that_never_answers_is_taken_for_dead_after_a_few():
    with (
        serving(Moody(Answer.silence())) as server,
        opened(server, fold=FLAT, timeout=0.3) as memory,
    ):
        chat = memory.user("ann").session("s")
        chat.extend(said("en", 40))
        assert len(server.requests) == 3
        assert len(chat.folds()) >= 9


@both
def test_a_dead_strong_model_does_not_keep_the_other_from_writing(spoken):
    config = FoldConfig(
        window=2, segment_messages=4, segment_tokens=20, fan_out=50, entity_target=1.0
    )  # fmt: skip
    moody = Moody(Answer.error(500))
    with (
        serving() as weak,
        serving(moody) as strong,
        opened(weak, strong=strong, fold=config) as memory,
    ):
        chat = memory.user("ann").session("s")
        chat.extend(said(spoken, 22))
        folds = chat.folds()
        asked_strong = [a for f in folds for a in f.attempts if a.rung == "strong"]
        assert len(strong.requests) == 1
        assert len([a for a in asked_strong if a.usage.calls]) == 1
        assert len({r.prompt for r in weak.requests}) == len(weak.requests) >= 5
        calls = len(weak.requests)
        assert any(fold.retry_at for fold in folds)
        moody.answer = None
        wall(memory).on(hours=1)
        memory.flush()
        assert len(strong.requests) > 1
        assert not any(fold.retry_at for fold in chat.folds())
        assert len(weak.requests) == calls  # what it answered is on record


@both
@pytest.mark.parametrize(
    "answer", [Answer.silence(), Answer.error(500), Answer.dropped(), Answer(text="x", delay=30)]
)
def test_writing_never_waits_for_a_model(spoken, answer):
    with (
        serving(Moody(answer)) as server,
        opened(server, background=True, fold=FLAT, timeout=20.0) as memory,
    ):
        ann = memory.user("ann")
        chat = ann.session("s")
        began = time.monotonic()
        for message in said(spoken, 22):
            receipt = chat.extend([message])
            assert receipt.usage.calls == 0
        assert time.monotonic() - began < 5
        until = time.monotonic() + 10
        while len(chat.folds()) < 5 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(chat.folds()) == 5
        # While the question hangs, other sessions are folded too.
        other = ann.session("other")
        other.extend(said(spoken, 22))
        while len(other.folds()) < 5 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(other.folds()) == 5
        assert chat.context({"en": "Well?", "zh": "如何？"}[spoken], max_tokens=900).messages
        began = time.monotonic()
        assert time.monotonic() - began < 4, "closing waits for the model"


def test_the_background_writes_as_answers_come_in():
    with (
        serving(lambda request: Answer(text=retold(request), delay=0.05)) as server,
        opened(server, background=True) as memory,
    ):
        chat = memory.user("ann").session("s")
        chat.extend(said("en", 22))
        assert memory.flush(30)
        folds = chat.folds()
        check_tree(folds)
        assert len(by_model(folds)) == len(folds)


def test_what_is_due_later_is_done_later_by_itself():
    moody = Moody(Answer.error(429, retry_after=1))
    with (
        serving(moody) as server,
        opened(server, background=True, fold=FLAT, clock=system_clock) as memory,
    ):
        chat = memory.user("ann").session("s")
        chat.extend(said("en", 22))
        assert memory.flush(30)
        assert not by_model(chat.folds())
        moody.answer = None
        until = time.monotonic() + 10
        while len(by_model(chat.folds())) < 5 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(by_model(chat.folds())) == 5


def test_flush_says_when_there_was_not_enough_time():
    held = threading.Event()

    def script(request):
        held.wait(10)
        return retold(request)

    with serving(script) as server, opened(server, background=True, fold=FLAT) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said("en", 10))
        assert not memory.flush(0.5)
        assert chat.folds()
        held.set()
        assert memory.flush(30)


class Raising:
    """A model of somebody's own that does not keep to the contract."""

    name = "raising"
    context_tokens = 8192

    def complete(self, messages, *, max_tokens, schema=None):
        raise ValueError("not what was agreed")


def test_a_model_that_raises_what_it_likes_is_one_that_failed():
    with Memory(llm=Raising(), embedder=None, background=False, fold=FLAT) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said("en", 22))
        (failed,) = [attempt for fold in chat.folds() for attempt in fold.attempts]
        assert failed.reason == "LLMError: ValueError: not what was agreed"
        assert len(chat.folds()) == 5

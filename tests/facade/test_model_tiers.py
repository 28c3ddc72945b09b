"""A model says which messages are goals, where the rules saw none."""

from dataclasses import replace

import pytest
from tests.facade.driving import START
from tests.facade.scripted import CONFIG, opened, retold, said, serving

pytestmark = pytest.mark.extra("llm")
SORTING = replace(CONFIG, model_tiers=True)


def sorting(labels):
    def answer(request):
        if "goal:" in request.prompt or "goal：" in request.prompt:
            return labels
        return retold(request)

    return answer


@pytest.mark.parametrize("spoken", ["en", "zh"])
def test_what_the_model_takes_for_a_goal_stands(spoken):
    labels = "m2: goal\nm3: dialogue\nm99: goal\nm4: whatever"
    with serving(sorting(labels)) as server, opened(server, fold=SORTING) as memory:
        chat = memory.user("ann").session("s")
        messages = said(spoken, 12)
        chat.extend(messages, at=START)
        items = [item for fold in chat.folds() for item in fold.standing if item.source == "m2"]
        assert [item.kind for item in items] == ["goal"]
        assert messages[1]["content"].startswith(items[0].text)
        assert not {"m3", "m99"} & {i.source for f in chat.folds() for i in f.standing}
        context = chat.context("And now?" if spoken == "en" else "现在呢？", max_tokens=590)
        assert items[0].text in context.text


def test_an_answer_that_does_not_come_changes_nothing():
    def answer(request):
        if "goal:" in request.prompt:
            return "I cannot say."
        return retold(request)

    with serving(answer) as server, opened(server, fold=SORTING) as memory:
        chat = memory.user("ann").session("s")
        chat.extend(said("en", 12), at=START)
        asked = [each for each in server.requests if "goal:" in each.prompt]
        assert asked
        # Every third message asks for something, which the rules see.
        assert {i.source for f in chat.folds() for i in f.standing} <= {"m1", "m4", "m7", "m10"}

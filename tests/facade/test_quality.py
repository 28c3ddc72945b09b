"""The report on folds: figures, what is low and why, and a reader's answers."""

import pytest
from tests.facade.driving import TinyEmbedder
from tests.facade.scripted import Wall, by_model, conversation, opened, questions, said, serving

from memfold import FoldConfig, Memory, NotFound
from memfold.fold.examination import is_right
from memfold.llms import OpenAICompatible
from memfold.testing.llm_server import Answer

both = pytest.mark.parametrize("spoken", ["en", "zh"])
llm = pytest.mark.extra("llm")
CONFIG = FoldConfig(window=2, segment_messages=4, segment_tokens=60, fan_out=2, chapter_tokens=40)


def plain(**options):
    options = {"embedder": None, "background": False, "fold": CONFIG, "clock": Wall(), **options}
    return Memory(**options)


@both
def test_the_figures_are_those_of_the_folds(spoken):
    with plain() as memory:
        ann = memory.user("ann")
        ann.session("a").extend(said(spoken, 30))
        ann.session("b").extend(said(spoken, 12, first=40))
        told = []
        found = ann.quality(progress=lambda done, total: told.append((done, total)))
        folds = [*ann.session("a").folds(), *ann.session("b").folds()]
        assert [each.fold.id for each in found.folds] == [fold.id for fold in folds]
        assert told == [(done + 1, len(folds)) for done in range(len(folds))]
        for each in found.folds:
            assert each.entity_retention == each.fold.quality["entity_retention"]
            assert each.semantic_similarity is None
            assert each.answers is None
            assert each.unsupported == ()
            assert bool(each.low) == (each.entity_retention < 0.85)
        for level, figures in found.levels.items():
            among = [fold for fold in folds if fold.level == level]
            assert figures["folds"] == len(among)
            assert figures["tokens"] == sum(fold.tokens for fold in among)
            assert figures["source_tokens"] == sum(fold.source_tokens for fold in among)
            assert "semantic_similarity" not in figures
        assert sum(figures["low"] for figures in found.levels.values()) == len(found.low) > 0
        assert all("entity retention 0." in each.low[0] for each in found.low)
        assert len(ann.quality("b").folds) == len(ann.session("b").folds())
        with pytest.raises(NotFound):
            ann.quality("none")
        assert memory.user("bob").quality().folds == ()
        assert memory.user("bob").quality().levels == {}


@both
def test_nearness_is_measured_with_an_embedder(spoken):
    with plain(embedder=TinyEmbedder()) as memory:
        ann = memory.user("ann")
        ann.session("a").extend(said(spoken, 20))
        found = ann.quality()
        assert all(0 < each.semantic_similarity <= 1 for each in found.folds)
        assert 0 < found.levels[1]["semantic_similarity"] <= 1


@both
def test_what_was_erased_whole_does_not_spoil_the_report(spoken):
    with plain() as memory:
        ann = memory.user("ann")
        chat = ann.session("a")
        ids = chat.extend(said(spoken, 20)).ids
        first = chat.folds()[0]
        ann.forget(ids[: first.last + 1])
        assert len(ann.quality().folds) == len(chat.folds())


@llm
@both
def test_folds_by_a_model_are_held_against_their_sources(spoken):
    """What passed as they were written is found to be supported."""
    with serving() as server, opened(server) as memory:
        ann = memory.user("ann")
        ann.session("a").extend(said(spoken, 20))
        found = ann.quality()
        assert by_model([each.fold for each in found.folds])
        assert [each.unsupported for each in found.folds] == [()] * len(found.folds)


ASKED = {"en": "Question: ", "zh": "问题："}


def halls(request):
    """Asks for halls of the source, two a fold."""
    found = []
    for word in conversation(request).replace("，", " ").split():
        word = word.strip(".,;；。")
        if word.startswith("H-") and word not in found:
            found.append(word)
    return questions(*((f"Which hall is {at}?", hall) for at, hall in enumerate(found[:2])))


@llm
@both
@pytest.mark.parametrize(
    ("answer", "share"), [("all", 1.0), ("none", 0.0), ("half", 0.5)]
)  # fmt: skip
def test_a_reader_is_asked_and_judged(spoken, answer, share):
    expected = {}

    def script(request):
        if ASKED[spoken] not in request.prompt:
            given = halls(request)
            expected["halls"] = [h for h in given.split('"') if h.startswith("H-")]
            return given
        at = 1 if "hall is 1" in request.prompt else 0
        right = answer == "all" or (answer == "half" and at == 0)
        wrong = {"en": "unknown", "zh": "未知"}[spoken]
        return f"{expected['halls'][at]}." if right else wrong

    with serving(script) as server, plain() as memory:
        ann = memory.user("ann")
        ann.session("a").extend(said(spoken, 12))
        reader = OpenAICompatible("r", base_url=server.base_url, retries=0)
        found = ann.quality(reader=reader)
        reader.close()
        assert [each.answers for each in found.folds] == [share] * len(found.folds)
        assert found.levels[1]["answers"] == share
        assert all((f"answers {share:.2f} below 0.85" in each.low) == (share < 0.85)
                   for each in found.folds)  # fmt: skip
        # The fold is what it reads for an answer, not the source.
        asked = [r for r in server.requests if ASKED[spoken] in r.prompt]
        assert any(found.folds[0].fold.text in request.prompt for request in asked)
        usage = ann.stats().usage
        assert usage.calls == len(server.requests)
        assert usage.prompt_tokens > 0


@llm
@both
@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Here are no questions.",
        "[",
        '[{"question": "Which hall?"}]',
        '[{"question": "Which hall?", "answer": "in no source at all"}]',
        '["Which hall?", 7, null]',
        '{"question": "?", "answer": "H-000"}',
        '[{"question": 5, "answer": ["x"]}]',
        Answer.refusal("no"),
        Answer.error(500),
        Answer.no_choices(),
    ],
)
def test_a_reader_that_asks_nothing_sensible_leaves_the_figure_out(spoken, answer):
    with serving(lambda request: answer) as server, plain() as memory:
        ann = memory.user("ann")
        ann.session("a").extend(said(spoken, 12))
        reader = OpenAICompatible("r", base_url=server.base_url, retries=0)
        found = ann.quality(reader=reader)
        reader.close()
        assert [each.answers for each in found.folds] == [None] * len(found.folds)
        assert "answers" not in found.levels[1]


@llm
def test_a_reader_that_is_away_is_asked_once():
    with serving(lambda request: Answer.error(500)) as server, plain() as memory:
        ann = memory.user("ann")
        ann.session("a").extend(said("en", 30))
        reader = OpenAICompatible("r", base_url=server.base_url, retries=0)
        ann.quality(reader=reader)
        reader.close()
        assert len(server.requests) == 1


@llm
def test_json_is_found_in_what_stands_around_it():
    def script(request):
        if "Question: " in request.prompt:
            return "H-000"
        return '```json\n[{"question": "Which hall?", "answer": "H-000"}]\n```\nThere you are.'

    with serving(script) as server, plain() as memory:
        ann = memory.user("ann")
        ann.session("a").extend(said("en", 8))
        reader = OpenAICompatible("r", base_url=server.base_url, retries=0)
        found = ann.quality(reader=reader)
        reader.close()
        assert found.folds[0].answers == 1.0


@pytest.mark.parametrize(
    ("given", "expected", "right"),
    [
        ("Hall H-003.", "H-003", True),
        ("It is on March 5, 2024.", "5 March 2024", True),
        ("in the red lorry with Ann", "the red lorry", True),
        ("unknown", "H-003", False),
        ("H-0035", "H-003", False),
        ("", "H-003", False),
        ("她住在杭州。", "杭州", True),
        ("未知", "杭州", False),
        ("大概三万元", "三万元", True),
        ("24", "2024", False),
    ],
)
def test_what_a_right_answer_is(given, expected, right):
    assert is_right(given, expected) == right

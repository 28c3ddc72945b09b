"""Models that write summaries, read contexts and judge answers: scripted, over real HTTP."""

from dataclasses import replace

import pytest
from tests.evals import published
from tests.evals.test_compare import EMBEDDER, talk

from memfold import evals
from memfold.evals import Models
from memfold.evals.compare.verdict import verdict
from memfold.testing.llm_server import Answer, LLMServer

openai = pytest.importorskip("openai")

RIGHT = [
    "Yes",
    "yes.",
    "CORRECT.",
    "Correct",
    "**Correct**",
    "The answer is correct.",
    "Verdict: CORRECT",
    '{"verdict": "correct"}',
    '{"correct": true}',
    '```json\n{"label": "CORRECT", "reason": "no difference"}\n```',
    '{"score": 1}',
    "<think>It could be wrong, but no.</think>\nCORRECT",
    "Both name the ferret.\nCORRECT",
    "True",
    "It matches the expected answer.",
    "正确",
    "正确。",
    "对",
    "是的。",
    "判断：正确",
    '{"判断": "正确"}',
    "“正确”",
]
WRONG = [
    "No",
    "no.",
    "WRONG",
    "INCORRECT.",
    "Not correct",
    "That isn't correct.",
    "That isn’t right",
    "False",
    "Partially correct",
    "Mostly correct.",
    "Yes, but the date is missing.",
    "Maybe",
    "Probably correct",
    "CORRECT or WRONG",
    "I cannot tell whether it is correct.",
    '{"verdict": "incorrect"}',
    '{"correct": false}',
    '{"score": 0.5}',
    '{"correct": "partially"}',
    "Verdict: wrong. The expected answer is correct.",
    "错误",
    "不正确。",
    "不对",
    "部分正确",
    "基本正确",
    "可能正确",
    "否",
    '{"结论": "错误"}',
    "正确，但不完整",
]
UNCLEAR = [
    "",
    "   ",
    "I am a language model.",
    "{}",
    "{broken",
    "…",
    "42",
    "天气很好",
    "<think>yes",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_says_right(text):
    assert verdict(text) == "right"


@pytest.mark.parametrize("text", WRONG)
def test_what_says_wrong_or_hedges(text):
    assert verdict(text) == "wrong"


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_says_neither(text):
    assert verdict(text) == "unclear"


MORE = " It was such a lovely day, everyone was so happy about it, and we all had a lot of fun."


@pytest.fixture
def dataset(tmp_path):
    return evals.load("locomo", published.write(tmp_path / "talks.json", talk(32, MORE)))


def client(server, name):
    from memfold.llms.openai_compatible import OpenAICompatible

    return OpenAICompatible(name, base_url=server.base_url, api_key="none", retries=0)


def test_a_reader_answers_from_the_context_and_a_judge_decides(dataset):
    def read(request):
        return "122 euros: the ferret" if ", 122 euros" in request.prompt else "I do not know."

    def judge(request):
        return "CORRECT" if "the ferret" in request.prompt else "错误"

    with LLMServer(read) as reader, LLMServer(judge) as judging:
        result = evals.compare(
            dataset,
            strategies=["full", "window"],
            budgets=[100],
            limit=1,
            embedder=EMBEDDER,
            models=Models(reader=client(reader, "a-reader"), judge=client(judging, "a-judge")),
        )
        asked, judged = reader.requests, judging.requests
    full, window = (result["strategies"][name] for name in ("full", "window"))
    assert full["all"]["answers"] == {"judged": 1, "unclear": 0, "failed": 0, "accuracy": 1.0}
    assert window["100"]["answers"]["accuracy"] == 0
    assert result["models"] == {"reader": "a-reader", "judge": "a-judge"}
    assert result["model_usage"]["reader"]["calls"] == result["model_usage"]["judge"]["calls"] == 2
    assert "Which cost 122 euros?" in asked[0].prompt
    assert "Expected: ferret" in judged[0].prompt
    assert "Answers by the reader" in evals.comparison_page(result)


def test_questions_in_chinese_are_asked_in_chinese(dataset):
    case = dataset.cases[0]
    question = replace(case.questions[0], text="哪只宠物花了一百二十二欧元？")
    chinese = replace(dataset, cases=(replace(case, questions=(question,)),))
    with LLMServer(lambda request: "正确") as server:
        result = evals.compare(
            chinese,
            strategies=["window"],
            budgets=[100],
            embedder=EMBEDDER,
            models=Models(reader=client(server, "both")),
        )
        prompts = [request.prompt for request in server.requests]
    assert "问题：哪只宠物" in prompts[0]
    assert "标准答案：ferret" in prompts[1]
    assert result["models"] == {"reader": "both", "judge": "both"}
    assert result["strategies"]["window"]["100"]["answers"]["accuracy"] == 1


def test_what_a_model_did_not_answer_is_left_out(dataset):
    with LLMServer(lambda request: Answer.error(400, "no")) as server:
        result = evals.compare(
            dataset,
            strategies=["window"],
            budgets=[100],
            embedder=EMBEDDER,
            models=Models(reader=client(server, "broken")),
        )
    answers = result["strategies"]["window"]["100"]["answers"]
    assert answers == {"judged": 0, "unclear": 0, "failed": 2}


def test_summaries_by_a_model_are_shown_and_paid_for(dataset):
    told = "Ines and Tom bought many pets; the ferret cost 122 euros."
    with LLMServer(lambda request: told) as server:
        result = evals.compare(
            dataset,
            strategies=["recursive-summary", "summary-only", "memfold", "window"],
            budgets=[150],
            limit=1,
            embedder=EMBEDDER,
            models=Models(llm=client(server, "writer")),
        )
        calls = len(server.requests)
    rows = {name: each["150"] for name, each in result["strategies"].items()}
    assert rows["recursive-summary"]["llm_calls"] >= 3
    assert rows["recursive-summary"]["llm_tokens"] > 0
    assert rows["summary-only"]["llm_calls"] > 0
    assert rows["memfold"]["llm_calls"] > 0
    assert rows["window"]["llm_calls"] == 0
    assert result["model_usage"]["llm"]["calls"] == calls


def test_where_a_model_fails_sentences_stand_in(dataset):
    with LLMServer(lambda request: Answer.error(400, "no")) as server:
        result = evals.compare(
            dataset,
            strategies=["recursive-summary"],
            budgets=[150],
            limit=1,
            embedder=EMBEDDER,
            models=Models(llm=client(server, "broken")),
        )
    row = result["strategies"]["recursive-summary"]["150"]
    assert row["llm_failures"] == row["llm_calls"] > 0
    assert row["summary"]["tokens"] > 20

"""An agent that calls tools for long: what must stand stands, whatever the budget and the reach."""

import pytest
from tests.facade.driving import check_openai

from memfold import BudgetTooSmall, FoldConfig


def round_of(turn, words=5):
    name = f"call_{turn}"
    calls = [{"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    return [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": name, "content": f"state {turn} " * words},
    ]


def loop(rounds):
    return [message for turn in range(rounds) for message in round_of(turn)]


@pytest.fixture
def chat(open_memory):
    chat = open_memory(fold=FoldConfig(window=1)).user("ann").session("s")
    chat.add("user", "An older question.")
    chat.add("assistant", "An older answer.")
    return chat


@pytest.mark.parametrize("question", ["Go through all crates.", "把所有箱子都检查一遍。"])
def test_the_question_and_the_newest_rounds_stand(chat, question):
    chat.add("user", question)
    chat.extend(loop(300))
    for budget in (100, 500, 2000):
        context = chat.context(max_tokens=budget)
        assert context.tokens <= budget
        check_openai(context.messages)
        said = [message for message in context.messages if message["role"] != "system"]
        at = next(at for at, each in enumerate(said) if each["content"] == question)
        calls = [each["tool_calls"][0]["id"] for each in said[at + 1 :: 2]]
        assert calls == [f"call_{turn}" for turn in range(300)][-len(calls) :]
        left = [item for item in context.trace.left_out if item.section == "query"]
        assert len(left) == 300 - len(calls)


def test_what_is_needed_does_not_depend_on_what_was_given(chat):
    chat.add("user", "Go through all crates.")
    chat.add("developer", "Be quick.")
    chat.extend(loop(60))
    needed = set()
    for budget in (1, 20, 40):
        with pytest.raises(BudgetTooSmall) as refused:
            chat.context(max_tokens=budget)
        needed.add(refused.value.needed)
    assert len(needed) == 1
    assert chat.context(max_tokens=needed.pop()).messages[-1]["role"] == "tool"


def test_an_open_call_waits_in_its_place(chat):
    chat.add("user", "Go through all crates.")
    chat.extend([*loop(60), round_of(60)[0]])
    context = chat.context(max_tokens=300)
    assert check_openai(context.messages) == {"call_60"}
    # Asked something new, it can no longer be answered.
    context = chat.context("Stop that.", max_tokens=300)
    assert check_openai(context.messages) == set()
    assert "call_60" not in context.text


def test_a_session_in_which_no_user_speaks(open_memory):
    chat = open_memory(fold=FoldConfig(window=1)).user("ann").session("s")
    chat.extend(loop(300))
    context = chat.context(max_tokens=400)
    check_openai(context.messages)
    assert context.messages[-1]["content"].startswith("state 299")

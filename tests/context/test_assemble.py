import pytest
from tests.context.materials import (
    COUNTER,
    START,
    call,
    fold,
    hit,
    material,
    message,
    result,
    talk,
)

from memfold.context.assemble import assemble
from memfold.context.frames import frames
from memfold.context.recalled import relevant
from memfold.errors import BudgetTooSmall
from memfold.fold.config import FoldConfig
from memfold.text.tokens import count_messages

LONG = "The lamps of crate nine are to be shipped on Friday with the others. " * 3


def roles(context):
    return [each["role"] for each in context.messages]


def shown(context, section):
    return [id_ for item in context.trace.shown if item.section == section for id_ in item.sources]


def test_nothing_gives_nothing():
    context = assemble(material())
    assert context.messages == []
    assert context.text == ""


def test_sections_stand_in_the_order_that_caches_like():
    context = assemble(
        material(
            system=[message(1, {"role": "system", "content": "Be brief."})],
            past=talk("one", "two", first=30),
            folds=[fold(0, 1, 10, "They spoke of lamps."), fold(1, 11, 20, "And of boats.")],
            hits=[hit(message(5, "The heron nests on pier 9."), lexical=5.0)],
            query="Where does the heron nest?",
            budget=1500,
        )
    )
    said = [each["content"] for each in context.messages]
    assert roles(context) == ["system", "system", "user", "user", "system", "user"]
    assert said[0] == "Be brief."
    assert "f10 [2024-03-04] They spoke of lamps.\nf11" in said[1]
    assert said[2:4] == ["one", "two"]
    assert said[4].endswith("2024-03-04\nm5 user: The heron nests on pier 9.")
    assert said[5] == "Where does the heron nest?"
    assert shown(context, "stable") == ["m1"]
    assert shown(context, "outline") == ["f10", "f11"]
    assert shown(context, "window") == ["m30", "m31"]
    assert shown(context, "recall") == ["m5"]
    assert context.text.startswith("system: Be brief.\n\nsystem: ")


def test_frames_speak_the_language_of_the_conversation():
    context = assemble(
        material(frames=frames("zh"), hits=[hit(message(5, "苍鹭在码头。"))], query="苍鹭在哪里？")
    )
    assert "仅供参考" in context.messages[0]["content"]
    assert "m5 用户：苍鹭在码头。" in context.messages[0]["content"]


def test_recalled_lines_stand_by_day_in_the_order_they_were_said():
    days = [START.replace(day=day) for day in (9, 2, 9, 2)]
    said = [message(at + 1, f"line {at}", at=day) for at, day in enumerate(days)]
    context = assemble(material(hits=[hit(each) for each in said], query="?"))
    text = context.messages[0]["content"]
    assert text.split("\n")[1:] == [
        "2024-03-02", "m2 user: line 1", "m4 user: line 3",
        "2024-03-09", "m1 user: line 0", "m3 user: line 2",
    ]  # fmt: skip


def test_names_and_roles_say_who_spoke():
    said = [
        message(1, {"role": "user", "content": "a", "name": "Miriam"}),
        message(2, {"role": "assistant", "content": "b"}),
        message(3, result("x", "c")),
    ]
    text = assemble(material(hits=[hit(each) for each in said], query="?")).messages[0]["content"]
    assert "m1 Miriam: a\nm2 assistant: b\nm3 tool: c" in text


def test_the_budget_is_kept_by_giving_up_the_least():
    hits = [hit(message(at, f"{LONG} number {at}"), score=9 - at) for at in range(1, 9)]
    for budget in range(20, 700, 20):
        given = material(hits=hits, past=talk(*[LONG] * 4, first=30), query="lamps?", budget=budget)
        context = assemble(given)
        assert count_messages(COUNTER, context.messages) == context.tokens <= budget
        assert context.messages[-1] == {"role": "user", "content": "lamps?"}
        recalled = shown(context, "recall")
        assert recalled == [f"m{at}" for at in range(1, len(recalled) + 1)]  # the best first


def test_what_is_needed_is_told_exactly():
    given = {
        "system": [message(1, {"role": "system", "content": "Be brief."})],
        "query": "lamps?",
        "tools": [{"type": "function", "function": {"name": "f"}}],
    }
    with pytest.raises(BudgetTooSmall) as refused:
        assemble(material(**given, budget=1))
    needed = refused.value.needed
    assert assemble(material(**given, budget=needed)).tokens == needed
    with pytest.raises(BudgetTooSmall):
        assemble(material(**given, budget=needed - 1))


def test_an_open_call_stands_and_ends_the_context():
    pending = talk("look it up", call("a", "b"), result("a"), first=10)
    with pytest.raises(BudgetTooSmall) as refused:
        assemble(material(pending=pending, past=talk(LONG), budget=20))
    context = assemble(material(pending=pending, past=talk(LONG), budget=refused.value.needed))
    assert [each["role"] for each in context.messages] == ["user", "assistant", "tool"]
    assert shown(context, "query") == ["m10", "m11", "m12"]


def test_of_a_long_tool_loop_the_question_and_the_newest_rounds_stay():
    rounds = [each for at in range(6) for each in (call(f"c{at}"), result(f"c{at}", LONG))]
    context = assemble(material(pending=talk("look it up", *rounds), budget=250))
    assert roles(context)[:2] == ["user", "assistant"]
    calls = [m["tool_calls"][0]["id"] for m in context.messages if m["role"] == "assistant"]
    assert calls == [f"c{at}" for at in range(6)][-len(calls) :]
    assert 1 <= len(calls) < 6


def test_no_message_stands_beside_the_line_or_the_fold_of_it():
    said = talk("one", "two", "Lamps go on Friday.", *[f"{LONG * 3} {at}" for at in range(9)])
    context = assemble(
        material(
            past=said,
            folds=[fold(0, 0, 5, said[2].text), fold(1, 6, 11, "the later ones")],
            hits=[hit(each) for each in said],
            query="lamps?",
            budget=1500,
        )
    )
    window, recalled = shown(context, "window"), shown(context, "recall")
    assert window
    assert recalled
    assert {*window}.isdisjoint(recalled)
    assert shown(context, "outline") == ["f10"]  # the other one reaches into the window
    assert "m3" not in recalled  # stands in the fold word for word


def test_the_same_words_are_recalled_once_and_the_query_never():
    said = talk("ok then", "ok then", "lamps?")
    context = assemble(material(hits=[hit(each) for each in said], query="lamps?"))
    assert shown(context, "recall") == ["m1"]


def test_a_cold_question_leaves_the_window_to_recall():
    past = talk(*[LONG] * 10, first=30)
    given = {"past": past, "query": "lamps?", "budget": 700, "hits": [hit(message(1, LONG + "x"))]}
    cold, warm = (assemble(material(**given, cold=cold)) for cold in (True, False))
    assert len(shown(warm, "window")) >= len(shown(cold, "window"))
    assert "recall" in {item.section for item in cold.trace.shown}


def test_the_whole_session_where_it_fits():
    past = talk(*(f"line {at}" for at in range(40)))
    context = assemble(material(past=past, query="?", budget=2000, full_tokens=500))
    assert shown(context, "window") == [each.id for each in past]
    assert context.trace.left_out == ()


def test_what_was_left_out_is_told():
    hits = [hit(message(at, f"{LONG} {at}")) for at in range(1, 20)]
    hits.append(hit(message(99, "irrelevant"), lexical=-1.0))
    context = assemble(material(hits=hits, past=talk(LONG * 9, first=50), query="?", budget=300))
    reasons = {item.reason for item in context.trace.left_out}
    assert {"no room", "not relevant enough"} <= reasons
    assert any(item.section == "window" for item in context.trace.left_out)
    ids = [id_ for item in context.trace.left_out for id_ in item.sources]
    assert len(ids) == len(set(ids))


def test_a_window_of_nothing():
    context = assemble(
        material(past=talk(*[LONG] * 5), query="?", budget=100, config=FoldConfig(window=0))
    )
    assert shown(context, "window") == ["m5"]  # there is room, and nothing to recall
    assert not [item for item in context.trace.left_out if item.section == "window"]


def test_the_trace_counts():
    context = assemble(
        material(past=talk("one", "two", first=30), hits=[hit(message(5, "three"))], query="?")
    )
    trace = context.trace
    assert trace.tokens == context.tokens
    assert trace.budget == 1000
    assert trace.full_tokens == 1_000_000
    assert trace.by_section["window"] == sum(m.tokens for m in talk("one", "two", first=30))
    assert {item.section for item in trace.shown} <= {*trace.by_section}
    (recalled,) = [item for item in trace.shown if item.section == "recall"]
    assert (recalled.score, dict(recalled.parts)) == (1.0, {"lexical": 1.0})


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"lexical": 1.0, "dense": -0.5}, True),
        ({"lexical": -1.0, "dense": 0.5}, False),
        ({"lexical": 0.0}, True),
        ({"decayed": -9.0}, True),
    ],
)
def test_what_is_relevant_enough(parts, expected):
    assert relevant(hit(message(1, "x"), **parts), 0.0) is expected

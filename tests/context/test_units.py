import pytest
from tests.context.materials import call, result, talk

from memfold.context.units import is_sendable, units

USER = {"role": "user", "content": "hello"}
SAID = {"role": "assistant", "content": "hi"}


def grouped(*raws):
    found, unfit = units(talk(*raws))
    groups = [[int(message.id[1:]) for message in unit.messages] for unit in found]
    return groups, [unit.open for unit in found], [int(message.id[1:]) for message in unfit]


@pytest.mark.parametrize(
    ("raws", "groups", "opened", "unfit"),
    [
        ([], [], [], []),
        ([USER, SAID], [[1], [2]], [0, 0], []),
        ([USER, call("a"), result("a"), SAID], [[1], [2, 3], [4]], [0, 0, 0], []),
        ([call("a", "b"), result("b"), result("a")], [[1, 2, 3]], [0], []),
        ([call("a"), result("a"), call("a"), result("a")], [[1, 2], [3, 4]], [0, 0], []),
        ([call("a")], [[1]], [1], []),
        ([call("a", "b"), result("a")], [[1, 2]], [1], []),
        ([call("a"), USER], [[2]], [0], [1]),
        ([call("a", "b"), result("a"), USER], [[3]], [0], [1, 2]),
        ([call("a"), USER, result("a")], [[2]], [0], [1, 3]),
        ([result("a"), USER], [[2]], [0], [1]),
        ([call("a"), result("a"), result("a"), USER], [[1, 2], [4]], [0, 0], [3]),
        ([call("a"), result("b"), result("a")], [], [], [1, 2, 3]),
        ([{"role": "tool", "content": "x"}, USER], [[2]], [0], [1]),
        ([{"role": "function", "name": "f", "content": "x"}, USER], [[2]], [0], [1]),
        ([{"role": "user", "content": None}, {"role": "user"}, USER], [[3]], [0], [1, 2]),
        ([{"role": "assistant", "content": []}, SAID], [[2]], [0], [1]),
        ([{"role": "user", "content": ""}], [[1]], [0], []),
    ],
)
def test_what_stands_or_falls_together(raws, groups, opened, unfit):
    assert grouped(*raws) == (groups, [bool(each) for each in opened], unfit)


def test_blocks_of_results_answer_blocks_of_calls():
    uses = [{"type": "tool_use", "id": name, "name": "f", "input": {}} for name in "ab"]
    blocks = [{"type": "tool_result", "tool_use_id": name, "content": "x"} for name in "ab"]
    calling = {"role": "assistant", "content": uses}
    assert grouped(calling, {"role": "user", "content": blocks})[0] == [[1, 2]]
    halves = [{"role": "user", "content": [block]} for block in blocks]
    assert grouped(calling, *halves)[0] == [[1, 2, 3]]
    assert grouped(calling, halves[0], USER) == ([[3]], [False], [1, 2])


def test_the_last_position_of_a_unit():
    (unit,) = units(talk(call("a"), result("a"), first=5))[0]
    assert unit.last == 5


def test_what_can_be_sent():
    assert is_sendable(USER)
    assert is_sendable({"role": "user", "content": [{"type": "image_url", "image_url": {}}]})
    assert not is_sendable({"role": "user"})
    thought = [{"type": "thinking", "thinking": "hm"}]
    assert not is_sendable({"role": "assistant", "content": thought})

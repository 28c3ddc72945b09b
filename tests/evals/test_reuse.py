"""Identifiers that later steps of an agent use again."""

import json

from memfold.evals.reuse import Reuse, reused_identifiers, stands_in


def _call(**arguments):
    function = {"name": "f", "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": function}],
    }


def _output(text):
    return {"role": "tool", "tool_call_id": "c", "content": text}


def test_an_identifier_is_traced_to_the_output_that_gave_it():
    messages = [
        {"role": "user", "content": "I am kit_moss_2217."},
        _call(user="kit_moss_2217"),
        _output('{"reservation": "QX71LB", "price": 512}'),
        {"role": "assistant", "content": "Your reservation is QX71LB."},
        _call(reservation="QX71LB", amount=512, user="kit_moss_2217"),
    ]
    assert reused_identifiers(messages) == [
        Reuse(step=4, text="QX71LB", source=2),
        Reuse(step=4, text="512", source=2),
    ]


def test_paths_files_and_addresses_count_and_plain_words_do_not():
    messages = [
        _output("src/shop/cart.py\nREADME.md\nhttps://a.example/x\nkit@a.example\neconomy"),
        _call(c="cat src/shop/cart.py README.md", u="https://a.example/x", e="kit@a.example"),
        _call(cabin="economy", new="fresh_99"),
    ]
    texts = ["src/shop/cart.py", "README.md", "https://a.example/x", "kit@a.example"]
    assert [each.text for each in reused_identifiers(messages)] == texts


def test_anthropic_calls_and_arguments_that_are_no_json_are_read():
    blocks = [{"type": "tool_use", "id": "c", "name": "f", "input": {"ids": [{"a": "QX71LB"}]}}]
    result = [{"type": "tool_result", "tool_use_id": "c", "content": "QX71LB, ZZ104"}]
    broken = {"function": {"name": "f", "arguments": "{ZZ104"}}
    messages = [
        {"role": "user", "content": result},
        {"role": "assistant", "content": blocks},
        {"role": "assistant", "content": "", "tool_calls": [broken, "odd", {}]},
    ]
    assert [(each.step, each.text) for each in reused_identifiers(messages)] == [
        (1, "QX71LB"),
        (2, "ZZ104"),
    ]


def test_a_part_of_a_longer_word_is_not_the_identifier():
    assert stands_in("512", '"price": 512}')
    assert not stands_in("512", "15128")
    assert not stands_in("512", "a512_b")
    assert stands_in("512", "5120 512")
    assert reused_identifiers([_output("15128"), _call(amount=512)]) == []

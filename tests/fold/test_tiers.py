"""Tiers: what a message is to compression."""

import pytest
from tests.fold.conversations import message

from memfold.fold.tiers import tier


@pytest.mark.parametrize(
    ("role", "text", "expected"),
    [
        ("user", "From now on answer in Chinese.", "goal"),
        ("user", "以后请用中文回答。", "goal"),
        ("user", "以後請用中文回答。", "goal"),
        ("user", "預算不能超過三萬。", "goal"),
        ("assistant", "I'll send the report by Friday.", "goal"),
        ("assistant", "我保证周五前发给你。", "goal"),
        ("user", "We decided on PostgreSQL.", "decision"),
        ("user", "最终选了 4090。", "decision"),
        ("user", "The weather was lovely.", "dialogue"),
        ("user", "今天天气真好。", "dialogue"),
        ("tool", '{"seats": 3}', "tool"),
    ],
)
def test_a_message_has_the_tier_of_what_it_says(role, text, expected):
    assert tier(message(0, role, text)) == expected

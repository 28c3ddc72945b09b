"""Standing items: word for word, and settled or overruled by what is said later."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fold.conversations import ANY_TEXTS, ROLES, message, talk
from tests.fold.tier_examples import CHINESE_GOALS, ENGLISH_GOALS

from memfold.fold.standing import settle, standing

SETTLING = [
    "Done.", "I sent the report.", "The report is finished.", "Answer in English again.",
    "Answer in Chinese.", "搞定了。", "已经把报告发给你了。", "以后请用英文回答。",
    "最终选了 PostgreSQL 数据库。",
]  # fmt: skip
LINES = st.sampled_from([*ENGLISH_GOALS, *CHINESE_GOALS, *SETTLING, "Nice weather.", "好的。"])
TALKS = st.lists(st.tuples(ROLES, LINES | ANY_TEXTS), max_size=12).map(talk)


def settled(*said):
    """Which of what was said is standing and done, by text, and by which message."""
    messages = talk([("user", each) if isinstance(each, str) else each for each in said])
    return {item.text: item.closed_by for item in settle(standing(messages), messages) if item.done}


def test_items_are_sentences_of_their_messages():
    messages = talk(
        [
            ("user", "Hi! From now on answer in Chinese. The sky is blue."),
            ("assistant", "Fine. I'll send the report by Friday."),
            ("user", "预算不能超过三万。会场还没定。"),
        ]
    )
    found = [(item.kind, item.text, item.source, item.by) for item in standing(messages)]
    assert found == [
        ("constraint", "From now on answer in Chinese.", "m0", "user"),
        ("commitment", "I'll send the report by Friday.", "m1", "assistant"),
        ("constraint", "预算不能超过三万。", "m2", "user"),
        ("open", "会场还没定。", "m2", "user"),
    ]


def test_what_is_said_again_counts_once_the_last_time():
    messages = talk([("user", "Never touch production."), ("user", "never touch production!")])
    assert [item.source for item in standing(messages)] == ["m1"]


@pytest.mark.parametrize(
    ("promise", "report"),
    [
        ("I'll send the report by Friday.", "I have sent the report."),
        ("I'll send the report by Friday.", "Sent the report."),
        ("todo: ask legal about the licence", "Legal has approved the licence."),
        ("We haven't decided which vendor to take.", "That's settled: the vendor is Halden."),
        ("I promise to review your patch.", "Your patch is reviewed."),
        ("我保证周五前把报告发给你。", "报告已经发给你了。"),
        ("还没定用哪个数据库。", "最终选了 PostgreSQL 数据库。"),
        ("還沒定用哪個數據庫。", "數據庫已經選定了。"),
        ("明天我提交签证申请。", "签证申请提交了。"),
    ],
)
def test_a_report_settles_what_it_is_about(promise, report):
    assert settled(promise, "Nice weather.", report) == {promise: "m2"}


@pytest.mark.parametrize(
    ("promise", "other"),
    [
        ("I'll send the report by Friday.", "I sent the invoice."),
        ("I'll review the contract by Friday.", "I opened the contract."),
        ("I'll send the report by Friday.", "I haven't sent the report yet."),
        ("I'll send the report by Friday.", "Have you sent the report?"),
        ("I'll send the report by Friday.", "I'll send it on Monday, once the report is done."),
        ("我保证周五前把报告发给你。", "发票已经发给你了。"),
        ("我保证周五前把报告发给你。", "报告还没发给你。"),
        ("我保证周五前把报告发给你。", "报告发了吗？"),
    ],
)  # fmt: skip
def test_what_is_about_something_else_or_not_done_settles_nothing(promise, other):
    assert promise not in settled(promise, "Nice weather.", other)


@pytest.mark.parametrize("done", ["Done.", "done!", "All set.", "搞定了", "弄好了。"])
def test_a_bare_done_settles_only_what_it_directly_follows(done):
    promise = "todo: renew the certificate"
    assert settled(promise, done) == {promise: "m1"}
    assert settled(promise, "Nice weather.", done) == {}


def test_of_two_that_a_report_may_mean_neither_is_settled():
    assert settled("todo: renew the certificate", "todo: print the certificate", "x",
                   "The certificate is done.") == {}  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("From now on answer in Chinese.", "Please answer in English again."),
        ("以后请用中文回答。", "请改用英文回答。"),
        ("以後請用中文回答。", "Answer in English, please."),
        ("My budget is 4,000 dollars.", "My budget is 5,000 dollars now."),
        ("我的预算是五千元。", "我的预算是八千元。"),
    ],
)
def test_a_rule_is_overruled_by_another_on_the_same_matter(old, new):
    assert settled(old, "Nice weather.", new) == {old: "m2"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Never touch the production database.", "Always put the units in the table header."),
        ("From now on answer in Chinese.", "Write the commit messages in English."),
        ("预算不能超过三万。", "回答请控制在两百字以内。"),
    ],
)
def test_rules_on_other_matters_stand_side_by_side(old, new):
    assert settled(old, new) == {}


def test_only_a_user_overrules():
    assert settled("From now on answer in Chinese.", ("assistant", "Answer in English.")) == {}


def test_a_label_decides_whether_there_are_items():
    said = message(0, "user", "The tower is 40 metres tall.")
    labelled = message(0, "user", "Never touch production.")
    for one, tier, count in ((said, "goal", 1), (labelled, "dialogue", 0)):
        object.__setattr__(one, "metadata", {"tier": tier})
        assert len(standing([one])) == count


@given(TALKS)
def test_items_stand_word_for_word_in_their_messages(messages):
    texts = {message.id: message.text for message in messages}
    for item in standing(messages):
        assert item.text
        assert item.text in texts[item.source]


@given(TALKS, st.integers(0, 12))
def test_settling_bit_by_bit_is_the_same_as_all_at_once(messages, cut):
    items = standing(messages)
    halves = settle(settle(items, messages[:cut]), messages[cut:])
    assert halves == settle(items, messages)
    assert [item.text for item in halves] == [item.text for item in items]
    assert all(bool(item.closed_by) == item.done for item in halves)

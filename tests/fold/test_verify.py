"""What of an answer is a summary, and what of it can be believed."""

import pytest
from tests.fold.climbing import GOOD, TALKS, completion, finished
from tests.fold.conversations import COUNTER, EXTRACTOR, talk

from memfold.fold.source import of_messages
from memfold.fold.verify import unsupported, verify

both = pytest.mark.parametrize("spoken", ["en", "zh"])


def judged(spoken, given):
    source = of_messages(talk(TALKS[spoken]), COUNTER)
    answer = completion(given)
    return verify(answer, source, counter=COUNTER, extractor=EXTRACTOR)


def text(verdict, spoken):
    return {"en": " ", "zh": ""}[spoken].join(verdict.sentences)


PLAIN = {
    "en": "The archive moves to vault-07. Miriam Adler takes care of the backups.",
    "zh": "档案库要搬到 vault-07。备份由林晓燕负责。",
}


@both
def test_a_plain_answer_stands_as_it_is(spoken):
    verdict = judged(spoken, PLAIN[spoken])
    assert (text(verdict, spoken), verdict.refused, verdict.made_up) == (PLAIN[spoken], "", ())
    assert not judged(spoken, GOOD[spoken]).made_up


@both
@pytest.mark.parametrize(
    "wrapped",
    [
        "{}\n",
        "```\n{}\n```",
        "```text\n{}\n```\n",
        "```markdown\n{}",
        "<think>vault-99, 12345?\nNo.</think>\n\n{}",
        "Only vault-99 and 12345 matter.\n</think>\n{}",
        '{{"summary": "{}"}}',
        "Here is a summary of the conversation:\n\n{}",
        "Here's the summary: {}",
        "Sure! Here is a summary in plain sentences:\n{}",
        "Here is a summary:\n```\n{}\n```",
        "**Summary:** {}",
        "## Summary:\n\n{}",
        "Summary:\n{}",
        "以下是对话的摘要：\n\n{}",
        "好的，以下是摘要：{}",
        "摘要：{}",
        "**摘要**：\n{}",
        "[2024-03-04] {}",
        "- {}",
        "1. {}",
        "* **{}**",
    ],
)
def test_what_stands_around_a_summary_goes(spoken, wrapped):
    verdict = judged(spoken, wrapped.format(PLAIN[spoken]))
    assert (text(verdict, spoken), verdict.refused) == (PLAIN[spoken], "")


def test_a_sentence_with_a_colon_is_no_introduction():
    said = "The window is 22:00 to 02:00, so they agreed: no migration in office hours."
    assert text(judged("en", said), "en") == said
    said = "以下事情还没有定：迁移要不要推迟。"
    assert text(judged("zh", said), "zh") == said
    said = "Backups:\nMiriam Adler takes care of them."
    assert "Backups" in text(judged("en", said), "en")


@both
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("<think>", "empty"),
        ("<think>only a thought that never ends", "empty"),
        ("```\n```", "empty"),
        ("…", "no words"),
        ("42", "no words"),
        ('{"summary": ["a", "b"]}', "prose"),
        ('{"a": "x", "b": "y"}', "prose"),
        ('[{"topic": "x"}]', "prose"),
        ('```json\n{"a": 1, "b": 2}\n```', "prose"),
        ("{}", "prose"),
        ("[]", "prose"),
    ],
)
def test_what_is_no_summary_is_refused(spoken, given, reason):
    verdict = judged(spoken, given)
    assert not verdict.sentences
    assert reason in verdict.refused


@both
def test_a_refusal_is_refused(spoken):
    verdict = judged(spoken, finished(PLAIN[spoken], "refusal"))
    assert verdict.refused == "the model refused"


@both
def test_another_language_is_refused(spoken):
    other = {"en": "zh", "zh": "en"}[spoken]
    verdict = judged(spoken, PLAIN[other])
    assert "another language" in verdict.refused


def test_english_names_in_a_chinese_answer_are_no_other_language():
    said = "机器 vault-07 有 96 GB 内存和 4 TB 硬盘，PostgreSQL 放在上面，工单 OPS-4411。"
    assert not judged("zh", said).refused


@both
def test_an_answer_as_long_as_its_source_is_refused(spoken):
    source = of_messages(talk(TALKS[spoken]), COUNTER)
    verdict = judged(spoken, " ".join(said for _, said in TALKS[spoken]) * 2)
    assert verdict.refused == "the answer is no shorter than its source"
    assert COUNTER.count(GOOD[spoken]) < source.tokens


@both
def test_what_was_cut_off_goes(spoken):
    cut = {"en": " The invoice came from", "zh": "发票来自"}[spoken]
    assert text(judged(spoken, finished(PLAIN[spoken] + cut, "length")), spoken) == PLAIN[spoken]
    only = {"en": "The archive moves to", "zh": "档案库要搬到"}[spoken]
    assert text(judged(spoken, finished(only, "length")), spoken) == only


MADE_UP = {
    "en": [
        ("It costs $9,999 in all.", "9,999"),
        ("The port is 8123.", "8123"),
        ("Write to boss@evil.example.", "boss@evil.example"),
        ("Gustav Lindqvist agreed.", "Gustav Lindqvist"),
        ("The ticket is OPS-9999.", "OPS-9999"),
        ("It took place on 2023-01-05.", "2023-01-05"),
    ],
    "zh": [
        ("一共花了 9999 元。", "9999"),
        ("端口是 8123。", "8123"),
        ("请写信给 boss@evil.example。", "boss@evil.example"),
        ("工单号是 OPS-9999。", "OPS-9999"),
        ("时间是 2023 年 1 月 5 日。", "2023"),
    ],
}


@both
def test_sentences_with_what_the_source_does_not_have_are_taken_out(spoken):
    for wrong, named in MADE_UP[spoken]:
        verdict = judged(spoken, PLAIN[spoken] + " " + wrong)
        assert text(verdict, spoken).strip() == PLAIN[spoken], wrong
        assert any(named in each for each in verdict.made_up), wrong


@both
def test_mostly_made_up_is_not_believed_at_all(spoken):
    verdict = judged(spoken, PLAIN[spoken] + "".join(f" {wrong}" for wrong, _ in MADE_UP[spoken]))
    assert verdict.refused == "most of the answer is made up"
    assert not verdict.sentences
    assert len(verdict.made_up) >= 4


def test_other_ways_to_write_the_same_are_not_made_up():
    for said in (
        "The invoice over €1250 came.",
        "The invoice over €1,250 came on March 3, 2024.",
        "The invoice came on 3 March 2024.",
        "It has 96GB of memory.",
        "They talked on 2024-03-04.",
    ):
        assert judged("en", said).made_up == (), said
    for said in (
        "金额是 1,250 元。",
        "发票是2024年3月3日收到的。",
        "内存９６GB。",
        "电话 0571-88886666。",
    ):
        assert judged("zh", said).made_up == (), said


def test_unsupported_details_of_any_text():
    source = "Ann moved 24 crates to Oslo."
    assert unsupported("Ann moved 24 crates.", source, EXTRACTOR) == ()
    assert unsupported("Ann moved 25 crates to Bergen.", source, EXTRACTOR) != ()
    assert unsupported("", source, EXTRACTOR) == ()
    assert unsupported("1" * 5000, source, EXTRACTOR) != ()

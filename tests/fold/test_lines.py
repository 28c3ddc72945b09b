from datetime import date

from tests.fold.conversations import COUNTER

from memfold.fold.lines import CHINESE, ENGLISH, Layout, style_of

MONDAY, TUESDAY = date(2024, 3, 4), date(2024, 3, 5)


def test_a_line_for_each_speaker_and_day():
    layout = Layout(ENGLISH, MONDAY, COUNTER)
    said = [
        (("Ann", MONDAY), "I moved."),
        (("Ann", MONDAY), "It rained."),
        (("Bob", MONDAY), "Oh."),
        (("Bob", TUESDAY), "Here are the keys."),
        (("Ann", TUESDAY), "Fine."),
    ]
    assert layout.text(said, ["GX-200", "£850"]) == (
        "Ann: I moved. It rained.\nBob: Oh.\n[03-05] Bob: Here are the keys.\nAnn: Fine.\n"
        "Key facts: GX-200; £850"
    )


def test_the_first_day_is_named_where_it_is_not_that_of_the_fold():
    layout = Layout(CHINESE, MONDAY, COUNTER)
    assert layout.text([(("小林", TUESDAY), "钥匙在这里。")]) == "[03-05] 小林：钥匙在这里。"


def test_chinese_marks_and_no_space_between_sentences():
    layout = Layout(style_of("zh"), MONDAY, COUNTER)
    said = [(("小林", MONDAY), "我搬家了。"), (("小林", MONDAY), "下雨了。")]
    assert layout.text(said, ["GX-200"]) == "小林：我搬家了。下雨了。\n要点：GX-200"


def test_nothing_said_and_speakers_without_a_name():
    layout = Layout(ENGLISH, None, COUNTER)
    assert layout.text([]) == ""
    assert layout.text([], ["GX-200"]) == "Key facts: GX-200"
    assert layout.text([(("", None), "One."), (("", None), "Two.")]) == "One. Two."


def test_a_text_of_several_lines_stays_on_lines_of_its_own():
    layout = Layout(ENGLISH, MONDAY, COUNTER)
    said = [(("Ann", MONDAY), "Run this:"), (("Ann", MONDAY), "a = 1\nb = 2")]
    assert layout.text(said) == "Ann: Run this:\na = 1\nb = 2"


def test_what_opens_a_line_is_counted_as_it_is_written():
    layout = Layout(ENGLISH, MONDAY, COUNTER)
    ann, bob = ("Ann", MONDAY), ("Bob", TUESDAY)
    assert layout.cost_between(ann, ann) == 0
    assert layout.cost_between(ann, bob) == COUNTER.count("\n[03-05] Bob: ")

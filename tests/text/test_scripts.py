import pytest
from hypothesis import given

from memfold.text.scripts import fold_han, language, runs, to_simplified

from .strategies import TEXTS


def pieces(text):
    return [(text[run.start : run.end], run.script) for run in runs(text)]


def test_runs_end_where_scripts_meet():
    assert pieces("用PostgreSQL部署 OK") == [
        ("用", "han"), ("PostgreSQL", "latin"), ("部署", "han"), (" ", "punct"), ("OK", "latin"),
    ]  # fmt: skip
    assert pieces("カナと漢字") == [("カナと", "kana"), ("漢字", "han")]
    assert pieces("한국 мир") == [("한국", "hangul"), (" ", "punct"), ("мир", "other")]


def test_combining_marks_stay_with_their_letters():
    assert pieces("cafe\u0301") == [("cafe\u0301", "latin")]
    assert pieces("हिन्दी") == [("हिन्दी", "other")]


@given(TEXTS)
def test_runs_cover_the_text_in_order(text):
    assert "".join(text[run.start : run.end] for run in runs(text)) == text
    assert all(run.start < run.end for run in runs(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where did we leave the keys?", "en"),
        ("我们的显卡是什么型号？", "zh"),
        ("用PostgreSQL部署", "zh"),
        ("I met 张三 yesterday", "en"),
        ("東京に行きました", "ja"),
        ("안녕하세요", "ko"),
        ("Привет, как дела?", "other"),
        ("12:30 !!! 😂", ""),
        ("", ""),
    ],
)
def test_language_is_told_by_the_scripts(text, expected):
    assert language(text) == expected


def test_simplified_by_phrase_and_by_character():
    assert to_simplified("記憶體與資料庫") == "记忆体与资料库"
    assert to_simplified("乾隆與乾淨") == "乾隆与干净"
    assert fold_han("乾隆與乾淨，瞭解") == "干隆与干净，了解"


@given(TEXTS)
def test_simplifying_changes_nothing_but_han(text):
    assert fold_han(fold_han(text)) == fold_han(text)
    assert isinstance(to_simplified(text), str)
    assert language(text) in {"zh", "ja", "ko", "en", "other", ""}

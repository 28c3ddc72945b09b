from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.context.materials import COUNTER, hit, message
from tests.text.strategies import TEXTS

from memfold.context.excerpts import excerpt

UTC = ZoneInfo("UTC")
ENGLISH = "The shed is green. The heron nests on pier 9. Rain is due. The boat leaks. Ask Miriam."
CHINESE = "棚子是绿色的。苍鹭在九号码头筑巢。快要下雨了。船漏水了。去问问林晓燕。"


def shown(text, query, limit, *, passage=None, zone=UTC):
    found = hit(message(1, text), passage=passage)
    return excerpt(found, query, limit=limit, counter=COUNTER, zone=zone)


@pytest.mark.parametrize(
    ("text", "query", "kept", "gone"),
    [
        (ENGLISH, "Where does the heron nest?", "The heron nests on pier 9.", "Miriam"),
        (CHINESE, "苍鹭在哪里筑巢？", "苍鹭在九号码头筑巢。", "林晓燕"),
    ],
    ids=["en", "zh"],
)
def test_of_a_long_message_the_sentences_that_bear_on_the_question(text, query, kept, gone):
    found, whole = shown(text, query, COUNTER.count(kept) + 1)
    assert not whole
    assert kept in found
    assert gone not in found
    assert "…" in found
    assert COUNTER.count(found) <= 20


def test_what_was_left_out_between_is_marked():
    found, _ = shown(ENGLISH, "heron, or Miriam?", 15)
    assert found == "… The heron nests on pier 9. … Ask Miriam."


def test_neighbouring_sentences_stand_as_they_stood():
    text = "One fox.  Two foxes.\nThree owls. Four owls. Five owls, and many more of them."
    found, _ = shown(text, "fox", 9)
    assert found == "One fox.  Two foxes. …"


def test_a_short_message_is_shown_whole():
    assert shown("  The heron.\n", "x", 150) == ("The heron.", True)


def test_only_the_passage_that_matched_is_looked_at():
    text = ENGLISH + " " + "Nothing here. " * 100
    start = text.index("Nothing")
    found, _ = shown(text, "heron", 20, passage=(start, start + 200))
    assert "heron" not in found


def test_one_long_sentence_is_cut():
    found, whole = shown("heron " * 500, "heron", 20)
    assert not whole
    assert found
    assert COUNTER.count(found) <= 22


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I saw it yesterday.", "[2024-03-03]"),
        ("我昨天看见了。", "[2024-03-03]"),
        ("I saw it today.", ""),
        ("I saw it on 2023-05-07.", ""),
        ("Not yesterday, but tomorrow.", "[yesterday = 2024-03-03; tomorrow = 2024-03-05]"),
    ],
)
def test_relative_days_get_their_dates(text, meant):
    assert shown(text, "x", 150)[0] == f"{text} {meant}".strip()


def test_days_are_the_callers():
    text = "I saw it yesterday."
    late = hit(message(1, text, at=message(1, text).at.replace(hour=23)))
    found, _ = excerpt(late, "x", limit=99, counter=COUNTER, zone=ZoneInfo("Asia/Shanghai"))
    assert found.endswith("[2024-03-04]")


@given(text=TEXTS, query=TEXTS, limit=st.integers(1, 60))
def test_whatever_is_shown_was_said(text, query, limit):
    found, whole = shown(text, query, limit)
    if whole:
        assert found.startswith(text.strip())
    assert COUNTER.count(text.strip()) > limit or whole

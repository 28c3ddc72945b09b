import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fold.conversations import (
    CHINESE,
    COUNTER,
    ENGLISH,
    EXTRACTOR,
    START,
    TEXTS,
    above,
    conversations,
    message,
    segment,
    talk,
)

from memfold.errors import InvalidInput
from memfold.fold.build import fold_messages
from memfold.fold.config import FoldConfig
from memfold.text.entities import EntityExtractor, entity_key, retained
from memfold.text.scripts import language
from memfold.text.terms import terms

TIGHT = FoldConfig(segment_tokens=120, chapter_tokens=60, headline_tokens=25)
LANGUAGES = pytest.mark.parametrize(
    ("said", "tongue"), [(ENGLISH, "en"), (CHINESE, "zh")], ids=["en", "zh"]
)


def check(fold, config):
    """What holds for every fold, of whatever it was made."""
    assert fold.tokens == COUNTER.count(fold.text) <= config.limit(fold.level)
    assert fold.headline_tokens == COUNTER.count(fold.headline) <= config.headline_tokens
    assert "\n" not in fold.headline
    assert fold.verbatim or fold.tokens < fold.source_tokens
    assert {*fold.kept} | {*fold.missing} == {*fold.required}
    assert not {*fold.kept} & {*fold.missing}
    condensed = entity_key(fold.text)
    for key in fold.kept:  # a date may be written in another way
        assert key in condensed or re.search(r"\d", key)
    for sentence in fold.sentences:
        assert sentence.text in fold.text
        assert sentence.sources
    said = [sentence.text for sentence in fold.sentences if not sentence.fact]
    places, at = [], 0
    for text in said:
        at = fold.text.index(text, at)
        places.append(at)
        at += len(text)
    assert places == sorted(places)
    assert 0 <= fold.quality["entity_retention"] <= 1
    assert fold.extractor == EXTRACTOR.fingerprint


@LANGUAGES
def test_a_segment_keeps_what_matters_in_its_own_language(said, tongue):
    fold = segment(talk(said[:10]), TIGHT)
    check(fold, TIGHT)
    assert not fold.verbatim
    assert language(fold.text) == tongue
    assert fold.quality["entity_retention"] >= 0.85
    for detail in ("vault-07", "RE-2024-0117", "22:00"):
        assert detail in fold.text
    for chatter in ("Hi there", "OK.", "你好", "好的。"):
        assert chatter not in fold.text


@LANGUAGES
def test_details_that_no_sentence_brings_in_stand_in_a_line_of_their_own(said, tongue):
    config = FoldConfig(segment_tokens=80)
    fold = segment(talk(said), config)
    check(fold, config)
    facts = [sentence for sentence in fold.sentences if sentence.fact]
    label = {"en": "Key facts: ", "zh": "要点："}[tongue]
    assert facts
    assert fold.text.splitlines()[-1].startswith(label + facts[0].text)


@LANGUAGES
def test_a_short_span_is_its_own_fold(said, tongue):
    messages = talk(said[6:8])
    fold = segment(messages)
    check(fold, FoldConfig())
    assert fold.verbatim
    assert fold.missing == ()
    assert all(message.text in fold.text for message in messages)
    assert [sentence.sources for sentence in fold.sentences] == [("m0",), ("m1",)]


@LANGUAGES
def test_the_headline_says_what_the_span_is_about(said, tongue):
    fold = segment(talk(said), TIGHT)
    assert 5 <= fold.headline_tokens <= 25
    words = {
        "en": ("archive", "migration", "invoice", "vault"),
        "zh": ("档案", "迁移", "发票", "备份", "vault"),
    }
    assert any(word in fold.headline for word in words[tongue])
    assert language(fold.headline) == tongue


def test_the_span_and_the_sources_of_a_segment():
    messages = talk(ENGLISH, first=40)
    fold = segment(messages, TIGHT, index=4)
    assert (fold.level, fold.index, fold.first, fold.last) == (1, 4, 40, 51)
    assert (fold.since, fold.until) == (messages[0].at, messages[-1].at)
    assert (fold.session, fold.children) == ("s", ())
    by_id = {message.id: message for message in messages}
    for sentence in fold.sentences:
        (source,) = sentence.sources
        assert sentence.at == by_id[source].at
        assert sentence.fact or sentence.speaker == by_id[source].role
        # But for the dates that were added after "yesterday" and "next week".
        bare = re.sub(r" \[[\d.-]+\]", "", sentence.text)
        assert bare in by_id[source].text or re.fullmatch(r"[\d-]+", bare)


def test_relative_dates_become_absolute():
    fold = segment(talk(ENGLISH[8:10]))
    assert "yesterday [2024-03-03] the invoice" in fold.text
    fold = segment(talk(CHINESE[8:10]))
    assert "昨天[2024-03-03]收到" in fold.text


def test_the_day_is_written_where_it_changes():
    messages = talk(ENGLISH[:2], pause=timedelta(days=1))
    fold = segment(messages)
    assert fold.text.startswith("user: Hi there!")
    assert "\n[03-05] assistant: Sounds great!" in fold.text


def test_names_stand_before_what_their_bearers_say():
    fold = segment([message(0, "user", "I moved to Oslo.", name="Ann Lee\nBob:")])
    assert fold.text == "Ann Lee Bob:: I moved to Oslo."


def test_tool_output_goes_first_and_never_stands_whole():
    rows = "\n".join(f"row {row}: shelf {row * 7} temperature nominal" for row in range(300))
    messages = [
        message(0, "user", "Which shelf is too warm? Please write down the order ORD-7781."),
        message(1, "assistant", None, tool_calls=[
            {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
        ]),
        message(2, "tool", "status: 300 rows\n" + rows, tool_call_id="c1"),
        message(3, "assistant", "Shelf 42 is too warm; I noted it on ORD-7781."),
    ]  # fmt: skip
    fold = segment(messages)
    check(fold, FoldConfig())
    assert not fold.verbatim
    assert "ORD-7781" in fold.text
    assert "Shelf 42 is too warm" in fold.text
    assert "temperature nominal" not in fold.text
    assert "299" not in fold.required


def test_details_that_a_tool_gave_stand_behind_those_that_people_said():
    call = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    paths = " ".join(f"/srv/lager/teil-{part}.log" for part in range(5))
    messages = [
        message(0, "user", "The invoice RE-2024-0117 is for Miriam Adler in Tromsø. " * 6),
        message(1, "assistant", None, tool_calls=[call]),
        message(2, "tool", paths, tool_call_id="c1"),
    ]
    fold = segment(messages, FoldConfig(segment_tokens=50))
    check(fold, FoldConfig(segment_tokens=50))
    assert {"re-2024-0117", "miriamadler", "tromsø"} <= {*fold.kept}
    assert any("teil" in key for key in fold.missing)


@LANGUAGES
def test_a_fold_takes_what_room_it_is_given(said, tongue):
    for limit in (60, 100, 150):
        fold = segment(talk(said), FoldConfig(segment_tokens=limit))
        assert fold.tokens >= 0.85 * limit


def test_what_a_talk_is_about_goes_before_what_it_touches_once():
    said = [
        ("user", "The pottery class starts at six in the old mill."),
        ("assistant", "How does one get a place in the pottery class?"),
        ("user", "A pottery class is booked at the desk of the mill."),
        ("assistant", "A cousin of mine repairs bagpipes in a garage by the harbour."),
    ]
    fold = segment(talk(said), FoldConfig(segment_tokens=30))
    assert "pottery class" in fold.text
    assert "bagpipes" not in fold.text


def test_what_a_user_adds_to_a_tool_result_is_kept():
    content = [
        {"type": "tool_result", "tool_use_id": "t1", "content": "value 1\n" + "value 2 " * 400},
        {"type": "text", "text": "From now on use the mirror in Tromsø."},
    ]
    fold = segment([message(0, "user", content)])
    assert "From now on use the mirror in Tromsø." in fold.text
    assert "value 2" not in fold.text


def test_a_fold_of_folds_keeps_speakers_days_and_sources():
    children = [
        segment(talk(ENGLISH, first=12 * at, pause=timedelta(hours=3)), TIGHT, index=at)
        for at in range(5)
    ]
    fold = above(children, TIGHT, index=7)
    check(fold, TIGHT)
    assert (fold.level, fold.index, fold.first, fold.last) == (2, 7, 0, 59)
    assert fold.children == tuple(child.id for child in children)
    assert fold.required == tuple(dict.fromkeys(key for child in children for key in child.kept))
    assert fold.source_tokens == sum(child.tokens for child in children)
    below = [each for child in children for each in child.sentences]
    for sentence in fold.sentences:
        assert any(
            sentence.text in each.text
            and sentence.sources == each.sources
            and sentence.at == each.at
            and (sentence.fact or sentence.speaker == each.speaker)
            for each in below
        )
    assert "user: " in fold.text


def test_short_children_are_their_own_chapter():
    children = [segment(talk([said], first=at), index=at) for at, said in enumerate(ENGLISH[6:8])]
    fold = above(children)
    check(fold, FoldConfig())
    assert fold.verbatim
    assert fold.text == "\n".join(child.text for child in children)


def test_children_of_another_level_are_refused():
    child = segment(talk(ENGLISH))
    with pytest.raises(InvalidInput):
        above([child], level=3)
    with pytest.raises(InvalidInput):
        above([])
    with pytest.raises(InvalidInput):
        segment([])


@LANGUAGES
def test_through_five_levels_nothing_is_out_of_reach(said, tongue):
    config = FoldConfig(fan_out=2)
    level = [segment(talk(said, first=12 * at), config, index=at) for at in range(16)]
    kept = {key for fold in level for key in fold.kept}
    folds = {fold.id: fold for fold in level}
    for number in range(2, 6):
        pairs = zip(level[::2], level[1::2], strict=True)
        level = [above(pair, config, level=number, index=index) for index, pair in enumerate(pairs)]
        for fold in level:
            check(fold, config)
            folds[fold.id] = fold
    (top,) = level
    assert (top.first, top.last) == (0, 16 * 12 - 1)
    assert top.quality["entity_retention"] >= 0.85, "the same was said sixteen times"
    reached, open_folds = set(), [top]
    while open_folds:
        fold = open_folds.pop()
        reached |= {*fold.kept}
        open_folds += [folds[child] for child in fold.children]
    assert reached == kept


@pytest.mark.parametrize(
    "text",
    [
        "", " \n\t ", "😀😃👨‍👩‍👧" * 400, "\ud800\udc00\ud800" * 500, "\x00\x01" * 900, "-" * 5_000,
        "a" * 100_000, "天" * 100_000, "word " * 20_000, "we met Ann. " * 9_000, "？！。" * 2_000,
        "\u202eabc" * 900, "e\u0301" * 4_000, "1" * 9_000, "{" * 3_000,
        "https://x.io/" + "a" * 9_000,
    ],
    ids=lambda text: f"{text[:6]!r}x{len(text)}".encode("unicode_escape").decode(),
)  # fmt: skip
@pytest.mark.parametrize("role", ["user", "tool"])
def test_odd_messages(text, role):
    fold = segment([message(at, role, text) for at in range(3)])
    check(fold, FoldConfig())
    chapter = above([fold])
    check(chapter, FoldConfig())
    if text.strip():
        assert fold.text
        assert fold.headline


def test_only_small_talk_still_has_a_fold():
    said = [("user", "Thanks a lot, Ann! Sounds great! Good night!")] * 40
    fold = segment(talk(said))
    check(fold, FoldConfig())
    assert "Thanks a lot" in fold.text


def test_a_counter_may_count_anything():
    class Characters:
        name = "characters"

        def count(self, text):
            return len(text)

    config = FoldConfig(segment_tokens=160, headline_tokens=30)
    fold = fold_messages(
        talk(ENGLISH), id="f", index=0, config=config, counter=Characters(), extractor=EXTRACTOR
    )
    assert len(fold.text) == fold.tokens <= 160
    assert 0 < len(fold.headline) <= 30


def test_own_patterns_are_protected():
    extractor = EntityExtractor({"dish": r"\b(?:laksa|borscht)\b"})
    said = [*ENGLISH, ("user", "Then we had borscht.")]
    fold = fold_messages(
        talk(said), id="f", index=0, config=TIGHT, counter=COUNTER, extractor=extractor
    )
    assert "borscht" in fold.kept
    assert fold.extractor == extractor.fingerprint != EXTRACTOR.fingerprint


def test_a_given_rarity_decides_between_equals():
    words = ["kettle", "printer", "ladder", "lamp", "basket", "mirror", "carpet", "radio", "clock"]
    said = [("user", f"The {word} stands behind our old office building.") for word in words]
    config = FoldConfig(segment_tokens=60)
    for rare in words:
        (term,) = terms(rare)
        fold = segment(talk(said), config, idf=lambda each, term=term: 9.0 if each == term else 1.0)
        assert not fold.verbatim
        assert rare in fold.text


@given(conversations(), st.sampled_from([FoldConfig(), TIGHT, FoldConfig(segment_tokens=20)]))
def test_every_segment_holds_to_its_limits(messages, config):
    fold = segment(messages, config)
    check(fold, config)
    assert {id for s in fold.sentences for id in s.sources} <= {each.id for each in messages}
    order = [int(id[1:]) for s in fold.sentences if not s.fact for id in s.sources]
    assert order == sorted(order)
    assert segment(messages, config) == fold


@given(conversations())
def test_what_is_kept_stands_in_the_text(messages):
    fold = segment(messages, TIGHT)
    entities = [
        entity
        for sentence in fold.sentences
        for entity in EXTRACTOR.extract(sentence.text)
        if entity.key in fold.required
    ]
    assert retained(entities, fold.text) <= {*fold.kept}
    assert not {*fold.missing} & {sentence.text for sentence in fold.sentences if sentence.fact}


@given(st.lists(conversations(max_size=6), min_size=1, max_size=5), TEXTS)
def test_every_chapter_holds_to_its_limits(talks, text):
    children = [segment(messages, TIGHT, index=at) for at, messages in enumerate(talks)]
    fold = above(children, TIGHT)
    check(fold, TIGHT)
    assert {*fold.required} == {key for child in children for key in child.kept}
    assert {*fold.sources} <= {id for child in children for id in child.sources}
    assert above(children, TIGHT) == fold


def test_the_clock_of_the_fold_is_that_of_its_messages():
    late, early = START + timedelta(days=3), START
    fold = segment([message(0, "user", "One.", at=late), message(1, "user", "Two.", at=early)])
    assert (fold.since, fold.until) == (early, late)


@LANGUAGES
def test_details_that_a_headline_adds_stand_in_brackets(said, tongue):
    found = [
        segment(talk(said), FoldConfig(headline_tokens=limit)).headline
        for limit in range(20, 80, 6)
    ]
    assert any(headline[-1] in ")）" for headline in found)
    assert not any(re.search("[.!?。！？][;；]", headline) for headline in found)

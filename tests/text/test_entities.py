import unicodedata

import pytest
from hypothesis import given

from memfold.errors import InvalidInput
from memfold.text.entities import Entity, EntityExtractor, retained

from .strategies import MIXED, TEXTS

EXTRACTOR = EntityExtractor()


def found(text, extractor=EXTRACTOR):
    return [(entity.kind, entity.text) for entity in extractor.extract(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我们的显卡是 RTX 4090，24 GB 显存。", [("identifier", "RTX 4090"), ("number", "24 GB")]),
        ("on May 7, 2023 at 10:30 am.", [("date", "May 7, 2023"), ("time", "10:30 am")]),
        ("2023年5月7日下午3点半", [("date", "2023年5月7日"), ("time", "3点半")]),
        ("[2023-05-29..2023-06-04]", [("date", "2023-05-29"), ("date", "2023-06-04")]),
        ("2024-07-01, 7 May", [("date", "2024-07-01"), ("date", "7 May")]),
        ("$1,200 or ¥500", [("money", "$1,200"), ("money", "¥500")]),
        ("about 200 euros", [("money", "200 euros")]),
        ("花了3万元，还有三万块钱", [("money", "3万元"), ("money", "三万块钱")]),
        ("$2.5 million in all", [("money", "$2.5 million")]),
        (
            "50% of 3 days, 5 of 1,234",
            [("number", "50%"), ("number", "3 days"), ("number", "1,234")],
        ),
        (
            "三天，两小时，百分之五十",
            [("number", "三天"), ("number", "两小时"), ("number", "百分之五十")],
        ),
        ("买了一个苹果，第5名", [("number", "5名")]),
        ("bob@example.com，邮箱a@b.io,", [("email", "bob@example.com"), ("email", "a@b.io")]),
        ("(see https://x.io/a?b=1).", [("url", "https://x.io/a?b=1")]),
        ("网址https://x.io/a。好", [("url", "https://x.io/a")]),
        ("in /etc/nginx/nginx.conf.", [("path", "/etc/nginx/nginx.conf")]),
        (
            "C:\\Users\\ann\\a.txt and/or src/main.py",
            [("path", "C:\\Users\\ann\\a.txt"), ("path", "src/main.py")],
        ),
        ("请看report.pdf和~/notes/x", [("path", "report.pdf"), ("path", "~/notes/x")]),
        (
            "PRD-2024-07, INV_0042, foo_bar",
            [("identifier", "PRD-2024-07"), ("identifier", "INV_0042"), ("identifier", "foo_bar")],
        ),
        (
            "camelCase PostgreSQL gpt-4o ABC123",
            [("identifier", word) for word in ("camelCase", "PostgreSQL", "gpt-4o", "ABC123")],
        ),
        ("order #12345", [("identifier", "#12345")]),
        ("v1.2.3 then 3.8.0-rc1", [("version", "v1.2.3"), ("version", "3.8.0-rc1")]),
        ("commit a1b2c3d", [("hash", "a1b2c3d")]),
        (
            "550e8400-e29b-41d4-a716-446655440000",
            [("hash", "550e8400-e29b-41d4-a716-446655440000")],
        ),
        (
            "+86 138-0013-8000 or 13800138000",
            [("phone", "+86 138-0013-8000"), ("phone", "13800138000")],
        ),
        ("(555) 123-4567", [("phone", "(555) 123-4567")]),
        (
            "10.0.0.1:80 and fe80::1ff:fe23:4567:890a",
            [("ip", "10.0.0.1:80"), ("ip", "fe80::1ff:fe23:4567:890a")],
        ),
        (
            "“三体”、《活着》 and `x + y`",
            [("quoted", "三体"), ("quoted", "活着"), ("quoted", "x + y")],
        ),
        ('the "o" of `x` and “é”, not 《茶》', [("quoted", "茶")]),
        ('she said "I will go. Soon."', []),
        ("we met Barack Obama in New York", [("name", "Barack Obama"), ("name", "New York")]),
        ("I like the GPU but not on Monday", [("name", "GPU")]),
        ("Dr. Smith read J. R. Tolkien", [("name", "Smith"), ("name", "J. R. Tolkien")]),
        (
            "Yesterday Bob left. University of Bern.",
            [("name", "Bob"), ("name", "University of Bern")],
        ),
        ("我叫Ann", [("name", "Ann")]),
        ("Ann: hello", [("name", "Ann")]),
        ("nothing of note, 5 or 7", []),
    ],
)
def test_details_of_every_kind(text, expected):
    assert found(text) == expected


def test_a_word_at_the_start_of_a_sentence_is_a_name_only_if_it_is_one_elsewhere():
    assert found("Deploy now. Sure.") == []
    assert found("Carol came. I like Carol.") == [("name", "Carol"), ("name", "Carol")]


def test_a_text_that_shouts_has_no_acronyms():
    assert found("PLEASE DO NOT EVER DO THAT") == []


def test_the_users_own_patterns_go_first():
    own = EntityExtractor({"ticket": r"T-\d+", "colour": "red|绿色"})
    assert found("T-12 is red, 是绿色", own) == [
        ("ticket", "T-12"), ("colour", "red"), ("colour", "绿色"),
    ]  # fmt: skip
    with pytest.raises(InvalidInput, match="ticket"):
        EntityExtractor({"ticket": "("})


class Places:
    name = "places 1"

    def entities(self, text):
        at = text.find("bern")
        return [Entity(kind="place", text="bern", start=at, end=at + 4)] if at >= 0 else []


def test_a_model_adds_what_patterns_cannot_find():
    assert found("in bern since 2019", EntityExtractor(ner=Places())) == [
        ("place", "bern"), ("date", "2019"),
    ]  # fmt: skip


def test_the_fingerprint_changes_with_whatever_changes_the_result():
    prints = {
        EntityExtractor().fingerprint,
        EntityExtractor({"a": "x"}).fingerprint,
        EntityExtractor({"a": "y"}).fingerprint,
        EntityExtractor(ner=Places()).fingerprint,
    }
    assert len(prints) == 4
    assert EntityExtractor().fingerprint == EXTRACTOR.fingerprint


def keys(text):
    return {entity.key for entity in EXTRACTOR.extract(text)}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("24 GB", "24GB"),
        ("《資料庫》", "《资料库》"),
        ("$1,200", "$1200"),
        ("５０％", "50%"),
    ],
)
def test_entities_are_equal_whatever_their_form(first, second):
    assert keys(first) == keys(second) != set()


def number(text):
    return Entity(kind="number", text=text, start=0, end=len(text))


@pytest.mark.parametrize(
    ("entity", "text", "stands"),
    [
        ("24", "in 2024", False),
        ("24", "24GB", True),
        ("24", "24.5", False),
        ("24", "1.24", False),
        ("24", "It is 24.", True),
        ("24 GB", "显存24gb，够了", True),
        ("24GB", "the 24 GB card", True),
        ("1,200", "we paid 1200", True),
        ("Ann", "Annual review", False),
        ("Ann", "ann's cat", True),
        ("Ann", "to Ann Arbor", True),
        ("資料庫", "用资料库", True),
        ("foo", "foo_bar", False),
        ("RTX 4090", "rtx4090", True),
        ("RTX 4090", "RTX 40901", False),
    ],
)
def test_what_counts_as_standing_in_a_text(entity, text, stands):
    assert bool(retained([number(entity)], text)) is stands


def test_a_date_stands_in_a_text_however_it_is_written():
    required = EXTRACTOR.extract("We met on May 7, 2023")
    for text in ("2023-05-07: met", "7 May 2023", "2023年5月7日见面"):
        assert retained(required, text) == {"may7,2023"}
    assert retained(required, "May 8, 2023") == set()


@given(TEXTS)
def test_entities_are_in_order_apart_and_within_bounds(text):
    last = 0
    for entity in EXTRACTOR.extract(text):
        assert last <= entity.start < entity.end <= len(text)
        assert text[entity.start : entity.end] == entity.text
        last = entity.end
    assert EXTRACTOR.extract(text) == EXTRACTOR.extract(text)


@given(MIXED)
def test_a_text_retains_its_own_entities(text):
    normal = unicodedata.normalize("NFKC", text)
    required = EXTRACTOR.extract(normal)
    assert retained(required, normal) == {entity.key for entity in required if entity.key}
    assert retained(required, "") == set()


@pytest.mark.parametrize(
    "unit",
    ["a", "1", "A", "a-", "1,", "a/", "+/", "a@", "A ", "1.", "一", "a1", "_", "f0", "'A", "1 "],
)
def test_a_long_unbroken_run_takes_linear_time(unit):
    EXTRACTOR.extract(unit * 10_000)

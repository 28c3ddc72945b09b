import pytest

from memfold.rerankers.wordpiece import WordPiece

VOCABULARY = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]",
    "un", "##believ", "##able", "##s", "able", "cafe", "don", "'", "t", "$", "24", "gb", ".",
    "显", "卡", "。",
]  # fmt: skip


@pytest.fixture
def pieces():
    encoder = WordPiece(VOCABULARY)
    return lambda text: [VOCABULARY[number] for number in encoder.encode(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unbelievable ables", "un ##believ ##able able ##s"),
        ("Café CAFE cafe\u0301", "cafe cafe cafe"),
        ("don't", "don ' t"),
        ("$24 GB.", "$ 24 gb ."),
        ("显卡24。", "显 卡 24 。"),
        ("able\u200d \x00un\x7f able\x1fun", "able un able un"),
        ("\ud800able \ufffd", "able"),
        ("unfit able", "[UNK] able"),
        ("able" + "s" * 97 + " able", "[UNK] able"),
        (" \n\t", ""),
    ],
)
def test_words_are_cut_into_known_pieces(pieces, text, expected):
    assert pieces(text) == expected.split()


def test_marks_of_start_end_and_padding_are_those_of_the_vocabulary():
    encoder = WordPiece(VOCABULARY)
    assert (encoder.pad, encoder.start, encoder.end) == (0, 2, 3)

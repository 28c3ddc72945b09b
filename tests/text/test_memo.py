from memfold.text.memo import Memo


def test_a_function_is_asked_once_for_each_text():
    asked = []

    def size(text: str) -> int:
        asked.append(text)
        return len(text)

    sizes = Memo(size, most=10, longest=5)
    assert [sizes[text] for text in ("ab", "abc", "ab", "ab")] == [2, 3, 2, 2]
    assert list(map(sizes.__getitem__, ["ab", "abcd"])) == [2, 4]
    assert asked == ["ab", "abc", "abcd"]


def test_it_stays_small():
    sizes = Memo(len, most=3, longest=5)
    assert sizes["too long to keep"] == 16
    assert not sizes
    for text in ("a", "b", "c", "d"):
        assert sizes[text] == 1
    assert set(sizes) == {"d"}

from itertools import pairwise

import pytest

from memfold.text.places import MOST_PLACES, Places, ends
from memfold.text.sentences import LONGEST_PASSAGE, passages, weight

ENGLISH = "The boat is not in the harbour, and nobody knows why. "
CHINESE = "船今天不在港口里，谁也不知道为什么。"


def places(text):
    """The places that stand for the passages of a text, in order."""
    found = Places(text)
    return [found.of(span.start, span.end) for span in passages(text)]


@pytest.mark.parametrize("line", [ENGLISH, CHINESE])
@pytest.mark.parametrize("length", [1, 2_000, MOST_PLACES * LONGEST_PASSAGE])
def test_each_passage_stands_for_itself_up_to_a_bound(line, length):
    text = line * max(1, length // weight(line))
    assert places(text) == passages(text)


@pytest.mark.parametrize("line", [ENGLISH, CHINESE, "x" * 400 + "长" * 400])
@pytest.mark.parametrize("times", [2, 7, 40])
def test_a_longer_text_is_read_at_evenly_spread_places(line, times):
    text = line * (times * MOST_PLACES * LONGEST_PASSAGE // weight(line))
    found = sorted({(span.start, span.end) for span in places(text)})
    assert MOST_PLACES // 2 < len(found) <= MOST_PLACES
    assert all(0 < weight(text[start:end]) <= LONGEST_PASSAGE for start, end in found)
    step = len(text) / MOST_PLACES
    assert found[0][0] == 0
    assert len(text) - found[-1][0] <= 3 * step
    assert all(second[0] - first[0] <= 3 * step for first, second in pairwise(found))


def test_a_question_is_read_whole_or_at_its_ends():
    assert ends(" Where is the boat? ") == [" Where is the boat? "]
    for line in (ENGLISH, CHINESE):
        text = line * 9_000
        first, last = ends(text)
        assert text.startswith(first)
        assert text.strip().endswith(last)
        assert LONGEST_PASSAGE // 2 < weight(first) <= LONGEST_PASSAGE

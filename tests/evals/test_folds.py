"""What folds keep, measured on conversations made up here."""

import json
from importlib import resources

import pytest
from jsonschema import Draft202012Validator
from tests.evals import published

from memfold import evals
from memfold.errors import InvalidInput
from memfold.evals.folds.keeping import Keeping
from memfold.evals.folds.levels import Folding
from memfold.evals.folds.others import OTHERS, extracts
from memfold.evals.folds.outlined import LENGTH, Outlined
from memfold.evals.folds.talks import read, said, talks
from memfold.fold.config import FoldConfig
from memfold.text.entities import EntityExtractor
from memfold.text.tokens import TiktokenCounter

SCHEMA = json.loads(
    resources.files("memfold.evals").joinpath("schema", "folds.schema.json").read_text("utf-8")
)
COUNTER = TiktokenCounter()
PETS = ("parrot", "tortoise", "ferret", "hedgehog", "canary", "lizard", "goldfish")
TOWNS = ("Oslo", "Bergen", "Turin", "Cork", "Porto")


def chat(turns):
    """A LoCoMo file of two people, who ask back every other time."""
    said = []
    for turn in range(turns):
        pet, town = PETS[turn % 7], TOWNS[turn % 5]
        text = (
            f"My {pet} number {turn} came from {town} and cost {turn + 20} euros in the end. "
            "It was such a lovely day, everyone was so happy about it and we all had fun."
            if turn % 2 == 0
            else "Oh wow, that sounds really amazing! How was the day for all of you?"
        )
        speaker = ("Ines", "Tom")[turn % 2]
        said.append({"speaker": speaker, "dia_id": f"D1:{turn + 1}", "text": text})
    asked = [
        ("Where did the ferret come from?", TOWNS[2], "D1:3", 4),
        ("What did it cost?", "22 pounds", "D1:3", 4),
        ("Which pets are there?", "parrot", "D1:1", 1),
    ]
    return [
        {
            "sample_id": "talk-1",
            "conversation": {
                "speaker_a": "Ines",
                "speaker_b": "Tom",
                "session_1_date_time": "1:00 pm on 8 May, 2023",
                "session_1": said,
            },
            "qa": [
                {"question": text, "answer": answer, "evidence": [place], "category": category}
                for text, answer, place, category in asked
            ],
        }
    ]


@pytest.fixture
def file(tmp_path):
    return published.write(tmp_path / "talks.json", chat(60))


def test_a_result_has_the_form_of_the_schema(file):
    Draft202012Validator.check_schema(SCHEMA)
    seen = []
    result = evals.folds("locomo", file, progress=lambda done, total: seen.append((done, total)))
    Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(result)))
    assert seen[0] == (0, 4)
    first = result["level_1"]["100"]
    # The last ten have nothing after them. "pounds" is no word of the evidence.
    assert (first["spans"], first["questions"]) == (5, 1)
    assert first["memfold"]["entity_retention"] > first["random"]["entity_retention"]
    assert all(first[name]["tokens"] <= 100 for name in ("memfold", *OTHERS))
    assert result["higher"]["2"]["spans"] == 1
    assert result["higher"]["3"]["spans"] == 0
    assert result["kept"]["75"]["information_prior"] == 1
    assert result["folds_per_cpu_second"] > 0


@pytest.mark.extra("ner")
def test_names_that_models_find_are_counted_too(file):
    result = evals.folds("locomo", file)
    assert "ner" in result["extractors"]
    ours = result["level_1"]["200"]["memfold"]
    assert ours["entity_retention_ner_folded"] > 0.5


def test_what_stands_beside_keeps_to_the_limit_and_to_its_order(file):
    (talk,) = talks(read("locomo", file), COUNTER)
    texts = extracts(talk.messages[:10], 60, COUNTER)
    assert tuple(texts) == OTHERS
    assert len(set(texts["random"])) > 1
    assert extracts(talk.messages[:10], 60, COUNTER) == texts
    assert all(COUNTER.count(text) <= 60 for each in texts.values() for text in each)
    assert texts["lead"][0].startswith("Ines: My parrot number 0")
    assert "number 8" in texts["recent"][0]


def test_conversations_without_tools_or_answers_that_nobody_gave(file):
    english, chinese = talks(read("demo"), COUNTER)
    assert (english.id, chinese.id) == ("en", "zh")
    assert any(asked.answer for asked in chinese.asked)
    assert any(message.role == "tool" for message in english.messages)
    assert all(message.role != "tool" for message in said(english.messages))
    (talk,) = talks(read("locomo", file), COUNTER)
    assert [asked.answer for asked in talk.asked] == ["Turin", "", ""]
    assert [asked.evidence for asked in talk.asked] == [(2,), (2,), (0,)]


def test_folds_of_a_conversation_go_level_by_level(file):
    (talk,) = talks(read("locomo", file), COUNTER)
    folding = Folding(COUNTER)
    made = folding.folds(talk, FoldConfig(window=0), EntityExtractor())
    assert [fold.level for fold in made] == [1] * 5 + [2]
    assert folding.made == 5
    assert folding.seconds > 0


def test_an_outline_shows_more_than_messages_do(tmp_path):
    file = published.write(tmp_path / "long.json", chat(LENGTH))
    outlined = Outlined(counter=COUNTER, extractor=EntityExtractor(), config=FoldConfig())
    found = outlined.measure(talks(read("locomo", file), COUNTER))
    assert (found["stretches"], found["evidence"]) == (1, 2)
    assert {"memfold", *OTHERS} < set(found)


def test_without_questions_there_is_nothing_to_keep():
    keeping = Keeping(EntityExtractor())
    assert keeping.summary() == {"evidence": 0}


def test_what_cannot_be_measured_is_refused(tmp_path, file):
    with pytest.raises(InvalidInput, match="no conversation is left"):
        evals.folds("locomo", file, skip=1)
    with pytest.raises(InvalidInput, match="without a file"):
        evals.folds("locomo")
    with pytest.raises(InvalidInput, match="long enough"):
        evals.folds("locomo", published.write(tmp_path / "short.json", chat(4)))

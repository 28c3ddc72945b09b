"""What users may rely on: its names, its docstrings, and how its values are made."""

import dataclasses
import importlib
import inspect
import pkgutil
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import memfold

HERE = Path(__file__).resolve().parent
LISTED = (HERE / "public_surface.txt").read_text("utf-8").split()


def modules() -> list[str]:
    found = pkgutil.walk_packages(memfold.__path__, prefix="memfold.")
    return [info.name for info in found if not info.name.endswith(".__main__")]


def own_dataclasses(module: ModuleType) -> list[type]:
    return [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and dataclasses.is_dataclass(value)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]


def public_members(owner: type) -> list[str]:
    """Methods and properties that memfold defines on a class, inherited ones included."""
    return [
        name
        for base in owner.__mro__
        if base.__module__.split(".")[0] == "memfold"
        for name, value in vars(base).items()
        if not name.startswith("_")
        and (inspect.isroutine(value) or isinstance(value, property | classmethod | staticmethod))
    ]


def has_docstring(value: object) -> bool:
    text = inspect.getdoc(value)
    # What dataclass() writes by itself is the signature.
    generated = inspect.isclass(value) and (text or "").startswith(f"{value.__name__}(")
    return bool(text) and not generated


def test_public_names_are_those_listed():
    missing = sorted(set(LISTED) - set(memfold.__all__))
    unlisted = sorted(set(memfold.__all__) - set(LISTED))
    assert not missing, f"in public_surface.txt, but not in memfold.__all__: {missing}"
    assert not unlisted, f"in memfold.__all__, but not in public_surface.txt: {unlisted}"
    assert sorted(LISTED) == LISTED, "public_surface.txt is sorted, one name a line"


def test_visible_names_are_the_public_ones():
    visible = {
        name
        for name in dir(memfold)
        if not name.startswith("_") and not inspect.ismodule(getattr(memfold, name))
    }
    assert visible == {name for name in memfold.__all__ if not name.startswith("_")}


def test_version_is_that_of_the_project():
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert memfold.__version__ == project["version"]


@pytest.mark.parametrize("name", modules())
def test_public_dataclasses_are_frozen_and_keyword_only(name):
    for cls in own_dataclasses(importlib.import_module(name)):
        assert vars(cls)["__dataclass_params__"].frozen, f"{name}.{cls.__name__} is not frozen"
        positional = [f.name for f in dataclasses.fields(cls) if f.init and not f.kw_only]
        assert not positional, f"{name}.{cls.__name__} takes {positional} by position"


@pytest.mark.parametrize("name", sorted(n for n in memfold.__all__ if not n.startswith("_")))
def test_public_names_have_docstrings(name):
    value = getattr(memfold, name)
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return
    assert has_docstring(value), f"memfold.{name} has no docstring"
    if inspect.isclass(value):
        bare = [m for m in public_members(value) if not has_docstring(getattr(value, m))]
        assert not bare, f"memfold.{name}: no docstring on {bare}"

"""``memfold demo``: the sample conversations told to a memory, and asked about."""

from __future__ import annotations

from memfold.cli.demo.command import demo

__all__ = ["demo"]

"""The command line: ``memfold``. Parses, calls the facade, prints."""

from __future__ import annotations

from memfold.cli.app import main

__all__ = ["main"]

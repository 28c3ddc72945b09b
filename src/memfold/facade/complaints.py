"""Failures that are not raised where they happen, in the log: each once, until it is over."""

from __future__ import annotations

import logging

_log = logging.getLogger("memfold")
# A library says nothing on stderr; an application that sets up logging sees it.
_log.addHandler(logging.NullHandler())


class Complaints:
    """What goes wrong on one errand. Safe to call from several threads."""

    def __init__(self) -> None:
        self._last = ""

    def about(self, error: Exception) -> None:
        """Log a failure at level WARNING, unless it is the last one again."""
        told = f"{type(error).__name__}: {error}"
        if told != self._last:
            self._last = told
            _log.warning("put off, and tried again later: %s", told)

    def over(self) -> None:
        """It went well: the next failure is news."""
        self._last = ""

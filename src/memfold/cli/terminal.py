"""A rich console that leaves a closed pipe to the command line's own handling."""

from __future__ import annotations

from rich.console import Console


class Terminal(Console):
    """Rich would end the process with code 1."""

    def on_broken_pipe(self) -> None:
        """Let the error through that is being handled."""
        raise

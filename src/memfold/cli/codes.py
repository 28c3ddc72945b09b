"""Exit codes."""

from __future__ import annotations

from typing import Final

OK: Final = 0
FAILED: Final = 1
PARTIAL: Final = 3
NOT_FOUND: Final = 4
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells count
CLOSED_PIPE: Final = 141  # 128 + SIGPIPE

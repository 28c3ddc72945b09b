"""The machine that figures were measured on."""

from __future__ import annotations

import os
import platform


def machine() -> str:
    """Its architecture, its cores and the Python on it."""
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"

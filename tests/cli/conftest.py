import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from memfold.cli import main

SRC = Path(__file__).resolve().parents[2] / "src"


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document it has to be."""
        return json.loads(self.out)


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path, monkeypatch):
    """Commands run in a folder of their own, with no settings from outside."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("MEMFOLD_")]:
        monkeypatch.delenv(name)


def run(*arguments: str, stdin: str | bytes = "") -> Ran:
    """Run a command in this process; whatever goes wrong in it must end as an exit code."""
    result = CliRunner().invoke(main, list(arguments), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return Ran(code=result.exit_code, out=result.stdout, err=result.stderr)


@pytest.fixture(scope="session")
def memfold():
    return run


@pytest.fixture
def process():
    """Starts a command as a process of its own."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, environment: dict[str, str] | None = None) -> Any:
        child = subprocess.Popen(
            [sys.executable, "-m", "memfold", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(SRC), **(environment or {})},
            # Where the tests run behind nohup, Ctrl-C is ignored, and children inherit that.
            preexec_fn=_heed_interrupts,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        if child.poll() is None:
            child.kill()
        child.communicate()

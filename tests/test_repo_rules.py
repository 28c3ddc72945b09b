"""What no tracked file may hold, and no file may be."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 600

# Written so that no pattern matches its own line.
FORBIDDEN = {
    "a path of one machine": re.compile(
        r"/work/(?:main|shared|\.library)\b|/tmp/(?:lab|brief|bash_jobs)\b|/root/\.|/opt/(?:pypi|wheels)\b"
        + "|"
        + re.escape(f"{ROOT}/")
    ),
    "a registry's host": re.compile(
        r"(?:pypi|pythonhosted|crates|debian|anaconda)\.(?:org|io)\b|(?:npmjs|yarnpkg)\.(?:org|com)\b"
        r"|proxy\.golang\.org|(?:mirrors?|index)\.[\w.-]+/(?:pypi|simple)\b"
    ),
    "something like a secret": re.compile(
        r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b"
        r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAIza[\w-]{35}\b|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"
    ),
    "unfinished work": re.compile(r"\b(?:TO(?:)DO|FIX(?:)ME|X(?:)XX|NotImplemented(?:)Error)\b"),
}
LOCK_FILE = re.compile(r"(?:\.lock|\.lockb|-lock\.json|-lock\.yaml|npm-shrinkwrap\.json)\Z")
# Data is as long as it is, and the licence is not ours to shorten.
ANY_LENGTH = re.compile(r"\.jsonl?\Z|(?:\A|/)LICENSE\Z")


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


FILES = tracked()


def text_of(name: str) -> str:
    """The file as text; a file that is no text fails here, and there is none."""
    return (ROOT / name).read_text("utf-8")


def test_there_are_files_to_look_at():
    assert "pyproject.toml" in FILES


@pytest.mark.parametrize("name", FILES)
def test_file_holds_nothing_forbidden(name):
    found = [
        f"{name}:{number}: {what}: {match[0]}"
        for number, line in enumerate(text_of(name).splitlines(), start=1)
        for what, pattern in FORBIDDEN.items()
        if (match := pattern.search(line))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", FILES)
def test_file_is_not_too_long(name):
    lines = len(text_of(name).splitlines())
    assert lines <= MAX_LINES or ANY_LENGTH.search(name), f"{name} has {lines} lines"


def test_no_lock_files():
    assert [name for name in FILES if LOCK_FILE.search(name)] == []

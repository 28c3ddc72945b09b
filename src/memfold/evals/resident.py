"""What a process holds in memory: run in one of its own, so that nothing else is counted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import memfold
from memfold.errors import MemfoldError

_CODE = """
import sys
from memfold import Memory
from memfold.evals.resident import resident_bytes
with Memory(sys.argv[1]) as memory:
    user = memory.user(sys.argv[2])
    session = user.sessions()[-1].id
    user.search(sys.argv[3])
    user.session(session).context(sys.argv[3], max_tokens=2000)
    print(resident_bytes())
"""


def resident_bytes() -> int | None:
    """Bytes of this process in physical memory; None where the system does not tell.

    On Linux what is held now, elsewhere the most that was ever held.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text("ascii", "replace").splitlines()
        for line in lines:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def resident_with(file: Path, user: str, query: str) -> int | None:
    """Bytes a new process holds that opened the file, searched and made a context."""
    command = [sys.executable, "-c", _CODE, str(file), user, query]
    # The new process is to find this very memfold, however this one found it.
    here = str(Path(memfold.__file__).parent.parent)
    path = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        check=False,
    )
    if ended.returncode:
        raise MemfoldError(f"the measuring process failed: {ended.stderr.strip()[-500:]}")
    printed = ended.stdout.strip()
    return int(printed) if printed.isdigit() else None

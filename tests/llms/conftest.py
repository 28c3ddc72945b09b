from contextlib import ExitStack

import pytest

from memfold.llms import OpenAICompatible
from memfold.testing.llm_server import LLMServer


@pytest.fixture
def ask(monkeypatch):
    """``ask(script, **options)``: a scripted server and a model on it, closed after the test."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with ExitStack() as stack:

        def open_(script, **options):
            server = stack.enter_context(LLMServer(script))
            options = {"base_url": server.base_url, "timeout": 10.0, **options}
            llm = OpenAICompatible("scripted", **options)
            stack.callback(llm.close)
            return server, llm

        yield open_

"""What the tests of the facade share: the async twins driven as if they were sync, parts, rules."""

import inspect
import json
import zlib
from datetime import UTC, datetime, timedelta

import numpy as np

from memfold import AsyncSession, AsyncUser
from memfold.text.chat import answers, opens

START = datetime(2024, 3, 4, 9, tzinfo=UTC)


class Driven:
    """An async handle, driven as if it were a sync one: each coroutine is run to its end."""

    def __init__(self, handle, runner):
        self._handle = handle
        self._runner = runner

    def __getattr__(self, name):
        found = getattr(self._handle, name)
        if name == "length":  # a property of the sync twin
            return self._runner.run(found())
        if not callable(found):
            return found
        return lambda *args, **kwargs: self._give(found(*args, **kwargs))

    def _give(self, result):
        if inspect.iscoroutine(result):
            result = self._runner.run(result)
        is_handle = isinstance(result, AsyncUser | AsyncSession)
        return Driven(result, self._runner) if is_handle else result

    def __enter__(self):
        self._runner.run(self._handle.__aenter__())
        return self

    def __exit__(self, *error):
        self._runner.run(self._handle.__aexit__(*error))


class TinyEmbedder:
    """Hashed character n-grams: a real embedder, though a small one. No two seeds agree."""

    def __init__(self, *, seed=0, dimension=64):
        self.dimension = dimension
        self.fingerprint = f"tiny-{seed}/{dimension}"
        self.texts = []
        self._seed = seed

    def embed(self, texts):
        self.texts += texts
        return np.stack([self._vector(text.casefold()) for text in texts])

    def _vector(self, text):
        vector = np.zeros(self.dimension, dtype=np.float32)
        for size in (1, 2, 3):
            for at in range(len(text) - size + 1):
                gram = text[at : at + size].encode("utf-8", "surrogatepass")
                vector[zlib.crc32(gram, self._seed) % self.dimension] += size
        vector[0] += 1e-3  # nothing at all has a direction too
        return vector / np.linalg.norm(vector)


class Clock:
    """A clock that goes on by a minute whenever it is looked at."""

    def __init__(self, at=START, step=timedelta(minutes=1)):
        self.at = at
        self.step = step

    def __call__(self):
        self.at += self.step
        return self.at


def check_openai(messages):
    """Fail where OpenAI's chat API would refuse: roles, contents, calls and their results."""
    waiting = set()
    for message in messages:
        role, content = message["role"], message.get("content")
        assert role in {"system", "developer", "user", "assistant", "tool", "function"}
        json.dumps(message)
        if role == "tool":
            assert message["tool_call_id"] in waiting, "a result without its call before it"
            waiting.discard(message["tool_call_id"])
            assert isinstance(content, str | list)
            continue
        assert not waiting, "a call that something else follows before its result"
        calls = message.get("tool_calls")
        assert calls or "tool_calls" not in message
        if role == "assistant" and calls:
            waiting = {call["id"] for call in calls}
            assert all(isinstance(call["function"]["arguments"], str) for call in calls)
        elif not message.get("function_call"):
            assert isinstance(content, str) or (isinstance(content, list) and content), message
        if isinstance(content, list):
            kinds = {part["type"] for part in content}
            assert kinds <= {"text", "image_url", "input_audio", "file", "refusal"}, kinds
    return waiting


def check_anthropic(turns):
    """Fail where Anthropic's API would refuse: roles that alternate, results after their calls."""
    waiting = set()
    for turn, before in zip(turns, [None, *turns], strict=False):
        assert turn["role"] in {"user", "assistant"}
        assert before is None or before["role"] != turn["role"]
        assert turn["content"]
        answered = set(answers(turn))
        assert answered == waiting
        waiting = set(opens(turn))


def texts(messages):
    return [message.text for message in messages]


def ids(hits):
    return [hit.message.id for hit in hits]

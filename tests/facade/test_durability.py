"""Written is written (invariant 8): reopened after every write, and the same twice adds nothing."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.facade.driving import texts
from tests.facade.talks import CONTENTS

from memfold import FoldConfig, Memory

SMALL = FoldConfig(window=1, segment_messages=2)
KEYS = st.none() | st.integers(0, 5).map(str)
WRITES = st.lists(
    st.tuples(st.sampled_from(["one", "two"]), st.lists(st.tuples(KEYS, CONTENTS), max_size=4)),
    max_size=6,
)


@settings(max_examples=20)
@given(writes=WRITES)
def test_every_write_is_there_after_reopening(writes):
    expected = {"one": [], "two": []}
    known = set()
    with tempfile.TemporaryDirectory() as folder:
        for session, batch in [*writes, *writes]:
            keys = [key for key, _ in batch]
            with Memory(Path(folder) / "m.db", embedder=None, background=False) as memory:
                receipt = (
                    memory.user("ann")
                    .session(session)
                    .extend([{"role": "user", "content": text} for _, text in batch], keys=keys)
                )
            for (key, text), item in zip(batch, receipt.items, strict=True):
                assert item.outcome == ("known" if key in known else "stored")
                if item.outcome == "stored":
                    expected[session].append(text)
                if key is not None:
                    known.add(key)
            with Memory(Path(folder) / "m.db", embedder=None) as memory:
                for name, said in expected.items():
                    assert texts(memory.user("ann").session(name).messages()) == said


KILLED = """
import sys
from memfold import FoldConfig, Memory
memory = Memory(sys.argv[1], embedder=None, fold=FoldConfig(window=1, segment_messages=2))
chat = memory.user("ann").session("s")
for at in range(10_000):
    print(chat.add("user", f"message {at} 第{at}条").id, flush=True)
"""


def test_a_killed_process_loses_nothing_it_was_told_is_stored(tmp_path):
    path = tmp_path / "m.db"
    writer = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    )
    told = [writer.stdout.readline().strip() for _ in range(40)]
    os.kill(writer.pid, signal.SIGKILL)
    told += writer.stdout.read().split()
    writer.wait()
    writer.stdout.close()
    with Memory(path, embedder=None, fold=SMALL) as memory:
        chat = memory.user("ann").session("s")
        kept = [message.id for message in chat.messages()]
        assert kept[: len(told)] == told
        assert len(kept) <= len(told) + 1
        assert memory.flush(60)
        whole = memory.user("bob").session("s")
        whole.extend([message.raw for message in chat.messages()])
        assert memory.flush(60)
        assert [fold.text for fold in chat.folds()] == [fold.text for fold in whole.folds()]

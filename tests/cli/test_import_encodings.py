"""Files that are not UTF-8: read where that is known, named where it can be told."""

import gzip
import json

import pytest

from memfold import ImportFailed, InvalidInput, Memory
from memfold.adapters.files import import_file

TEXT = "早上好，服务器在四楼。Good morning!"
LINES = "".join(
    f"{json.dumps({'role': 'user', 'content': TEXT + str(at)}, ensure_ascii=False)}\n"
    for at in range(3)
)
WHOLE = f"[{','.join(LINES.splitlines())}]"


@pytest.fixture
def user():
    with Memory(embedder=None, background=False) as memory:
        yield memory.user("ann")


@pytest.mark.parametrize("content", [LINES, WHOLE], ids=["lines", "list"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        ("utf-16", None),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "utf-16-le"),
        ("gb18030", "GB18030"),
        ("gbk", "gbk"),
        ("big5hkscs", "big5hkscs"),
        ("utf-8-sig", None),
        ("utf-8-sig", "utf8"),
        ("utf-32", "utf-32"),
    ],
)
def test_encodings(user, tmp_path, content, pack, encoding, named):
    if encoding == "big5hkscs":
        content = content.replace("务", "務").replace("楼", "樓").replace("气", "氣")
    path = tmp_path / "x.data"
    path.write_bytes(pack(content.encode(encoding, "ignore")))
    assert import_file(user, path, encoding=named).stored == 3
    assert "Good morning!2" in user.session("x.data").messages()[2].text


@pytest.mark.parametrize("content", [LINES, WHOLE], ids=["lines", "list"])
@pytest.mark.parametrize("encoding", ["gb18030", "utf-16-le", "utf-16-be"])
def test_another_encoding_is_told(user, tmp_path, content, encoding):
    (tmp_path / "x.jsonl").write_bytes(content.encode(encoding))
    with pytest.raises(ImportFailed, match=rf"line 1: not UTF-8; it looks like {encoding}"):
        import_file(user, tmp_path / "x.jsonl")


def test_guesses(user, tmp_path):
    told = {
        '{"role": "user", "content": "crème brûlée, déjà vu"}'.encode("cp1252"): "cp1252",
        '{"role": "user", "content": "四'.encode()[:-1]: "it ends within a character",
    }
    for data, said in told.items():
        (tmp_path / "x.jsonl").write_bytes(data)
        with pytest.raises(ImportFailed, match=f"line 1: not UTF-8.*{said}"):
            import_file(user, tmp_path / "x.jsonl")


def test_the_wrong_encoding(user, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINES.encode("gb18030") + b"\xff\xff")
    with pytest.raises(ImportFailed, match="not gb18030") as failed:
        import_file(user, path, encoding="gb18030")
    assert failed.value.kept in (0, 3)
    for name in ("klingon", "hex", "rot13", "a\0b"):
        with pytest.raises(InvalidInput, match="names no encoding"):
            import_file(user, path, encoding=name)


def test_the_command(memfold, tmp_path):
    (tmp_path / "x.jsonl").write_bytes(LINES.encode("gb18030"))
    assert "it looks like gb18030" in memfold("import", "x.jsonl").err
    assert memfold("import", "x.jsonl", "--encoding", "gb18030").code == 0
    assert memfold("import", "x.jsonl", "--encoding", "klingon").code == 1

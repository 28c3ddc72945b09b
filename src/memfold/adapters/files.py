"""Importing chat files: OpenAI-style JSON and JSONL, ChatGPT's export, LoCoMo, LongMemEval."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import chain
from typing import BinaryIO, Final, Literal, get_args

from memfold.adapters.documents import Broken, Document, documents
from memfold.adapters.shapes import Reader, Told
from memfold.adapters.source import Source
from memfold.adapters.writing import ImportReport, Refusal, Writer
from memfold.errors import ImportFailed, InvalidInput, shown
from memfold.evals.dataset import Dataset
from memfold.evals.readers import load, locomo, longmemeval
from memfold.evals.readers.node import Node
from memfold.facade.checks import function, scope_name
from memfold.facade.user import User
from memfold.text.given import string

Format = Literal["auto", "openai", "locomo", "longmemeval"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

Progress = Callable[[int, int], None]
"""Called with what is done and the whole of it (0: not known), in bytes or in messages."""


def import_file(
    user: User,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    format: Format = "auto",
    session: str | None = None,
    encoding: str | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Store all messages of a chat file in ``user``'s memory, in batches that are each durable.

    OpenAI-style files hold messages or conversations, in a JSON list or one a line; ``.gz`` and
    ``.xz`` are read too, and open binary streams. A message may have ``session``, ``time`` (or
    ``timestamp``, ``created_at``: ISO 8601 or seconds) and ``metadata``; a conversation
    ``session`` or ``id`` beside its ``messages``. The sessions of LoCoMo and LongMemEval are
    named ``<conversation or question>/<session>``. ``encoding``: UTF-8, or UTF-16 where a byte
    order mark says so, unless it is named here.

    What names no session goes into ``session``, by default one with the file's name without its
    endings; where that holds another file's messages, a number is put behind it (``name~2``).
    Importing a file again adds nothing, one that has grown at its end adds what is new, and
    after a crash it goes on. A message that cannot be kept is counted as refused. Raises
    ImportFailed, with the line, when the file breaks off (what stands before is kept),
    InvalidInput when it is no chat file or holds no messages.
    """
    if not isinstance(user, User):
        raise InvalidInput(f"user is a handle on a user's memory, not {shown(user)}")
    if string(format, "format") not in FORMATS:
        raise InvalidInput(f"format {shown(format)} is none of: {', '.join(FORMATS)}")
    if session is not None:
        scope_name(session, "session")
    function(progress, "progress")
    with Source(path, encoding=encoding) as source:
        single, found = documents(source)
        name: str = format
        if format == "auto":
            found, name = _recognised(source, found)
        if name in (locomo.NAME, longmemeval.NAME):
            dataset = load(name, _file(source))
            return _import_dataset(Writer(user, name), dataset, progress)
        reader = Reader(session or source.stem, chosen=bool(session), single=single)
        return _import_documents(Writer(user, "openai"), source, found, reader, progress)


def _recognised(source: Source, found: Iterator[Document]) -> tuple[Iterator[Document], str]:
    """The documents, and the format that the first of them shows."""
    try:
        first = next(found, None)
    except Broken as broken:
        return _broken(broken), "openai"
    if first is None:
        return found, "openai"
    root = Node(value=first[0], file=source.name)
    for reader in (locomo, longmemeval):
        if reader.recognises(root):
            return found, reader.NAME
    return chain([first], found), "openai"


def _broken(broken: Broken) -> Iterator[Document]:
    raise broken
    yield  # a generator, so that it is raised where documents are read


def _file(source: Source) -> str:
    if source.path is None or source.compression == "gz":
        raise InvalidInput(f"{source.name}: LoCoMo and LongMemEval are read from .json or .json.xz")
    return source.path


def _import_documents(
    writer: Writer,
    source: Source,
    found: Iterator[Document],
    reader: Reader,
    progress: Progress | None,
) -> ImportReport:
    is_first = True
    try:
        for document, line in found:
            for told in reader.told(document, line):
                if is_first and not told.is_message:
                    raise InvalidInput(f"{source.name}: line {line}: {told.problem}")
                is_first = False
                writer.take(told)
                if writer.due:
                    writer.write()
                    _tell(progress, source.done, source.total)
    except Broken as broken:
        writer.finish()
        raise ImportFailed(
            broken.reason, file=source.name, kept=writer.kept, line=broken.line
        ) from broken
    if is_first:
        raise InvalidInput(f"{source.name}: there is no message in it")
    writer.finish()
    _tell(progress, source.total, source.total)
    return _checked(writer, source)


def _checked(writer: Writer, source: Source) -> ImportReport:
    report = writer.report()
    if report.refused and not (writer.kept or report.erased):
        first = report.refusals[0]
        raise InvalidInput(
            f"{source.name}: line {first.line}: {first.reason}; no message of it can be kept"
        )
    return report


def _import_dataset(writer: Writer, dataset: Dataset, progress: Progress | None) -> ImportReport:
    total = sum(len(case.items) for case in dataset.cases)
    done = 0
    for case in dataset.cases:
        for history in case.sessions:
            for index, item in enumerate(history.items):
                writer.take(
                    Told(
                        session=f"{case.id}/{history.id}",
                        index=index,
                        line=0,
                        message=dict(item.message),
                        at=item.at,
                        metadata={**(item.metadata or {}), "source": item.id},
                    )
                )
            done += len(history.items)
            if writer.due:
                writer.write()
                _tell(progress, done, total)
    writer.finish()
    _tell(progress, total, total)
    return writer.report()


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


__all__ = ["FORMATS", "Format", "ImportReport", "Refusal", "import_file"]

"""Importing chat files: OpenAI-style JSON and JSONL, and the published LoCoMo and LongMemEval."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final, Literal, get_args

from memfold.adapters.documents import Broken, Document, documents
from memfold.adapters.shapes import Reader, Told
from memfold.adapters.source import Source
from memfold.errors import ImportFailed, InvalidInput
from memfold.evals.dataset import Dataset
from memfold.evals.readers import load, locomo, longmemeval
from memfold.evals.readers.node import Node
from memfold.facade.user import User

Format = Literal["auto", "openai", "locomo", "longmemeval"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

Progress = Callable[[int, int], None]
"""Called with what is done and the whole of it (0: not known), in bytes or in messages."""

_BATCH: Final = 500
_BATCH_CHARACTERS: Final = 8_000_000
_TOLD_OF: Final = 100  # refusals that a report lists


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """One message that was not imported: its line, its session and place there, and why."""

    line: int
    session: str
    index: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportReport:
    """What an import did, in messages.

    ``known`` ones were there from an earlier import, ``erased`` ones were erased on purpose and
    are not brought back, ``refused`` ones cannot be kept; ``refusals`` lists the first hundred.
    """

    format: str
    sessions: tuple[str, ...]
    stored: int
    known: int
    erased: int
    refused: int
    refusals: tuple[Refusal, ...]


def import_file(
    user: User,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    format: Format = "auto",
    session: str | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Store all messages of a chat file in ``user``'s memory, in batches that are each durable.

    OpenAI-style files hold messages or conversations, in a JSON list or one a line; ``.gz`` and
    ``.xz`` are read too, and open binary streams. A message may have ``session``, ``time`` (or
    ``timestamp``, ``created_at``: ISO 8601 or seconds) and ``metadata``; a conversation
    ``session`` or ``id`` beside its ``messages``. What names no session goes into ``session``,
    by default the file's name without its endings. The sessions of LoCoMo and LongMemEval are
    named ``<conversation or question>/<session>``.

    Importing a file again adds nothing, and after a crash goes on. A message that cannot be kept
    is counted as refused. Raises ImportFailed, with the line, when the file breaks off (what
    stands before is kept), InvalidInput when it is no chat file.
    """
    if format not in FORMATS:
        raise InvalidInput(f"format {format!r} is none of: {', '.join(FORMATS)}")
    with Source(path) as source:
        single, found = documents(source)
        name: str = format
        if format == "auto":
            found, name = _recognised(source, found)
        if name in (locomo.NAME, longmemeval.NAME):
            dataset = load(name, _file(source))
            return _import_dataset(_Writer(user, name), dataset, progress)
        reader = Reader(session or source.stem, single=single)
        return _import_documents(_Writer(user, "openai"), source, found, reader, progress)


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


class _Writer:
    """Stores messages in batches and counts what becomes of them."""

    def __init__(self, user: User, format: str) -> None:
        self._user = user
        self._format = format
        self._batch: list[Told] = []
        self._characters = 0
        self._sessions: dict[str, None] = {}
        self._counts: Counter[str] = Counter()
        self._refusals: list[Refusal] = []

    @property
    def kept(self) -> int:
        """Messages of the file that are in the memory now."""
        return self._counts["stored"] + self._counts["known"]

    @property
    def due(self) -> bool:
        """Whether there is a batch worth writing."""
        return len(self._batch) >= _BATCH or self._characters >= _BATCH_CHARACTERS

    def take(self, told: Told) -> None:
        """Put a message on the batch."""
        if told.problem:
            self._refuse(told, told.problem)
            return
        self._batch.append(told)
        self._characters += len(str(told.message.get("content")))

    def write(self) -> None:
        """Store the batch, the messages of a session in the file's order."""
        batch, self._batch, self._characters = self._batch, [], 0
        for session in dict.fromkeys(told.session for told in batch):
            self._store(session, [told for told in batch if told.session == session])

    def _store(self, session: str, batch: Sequence[Told]) -> None:
        try:
            receipt = self._user.session(session).extend(
                [told.message for told in batch],
                at=[told.at for told in batch],
                metadata=[told.metadata for told in batch],
                keys=[told.key(self._format) for told in batch],
            )
        except InvalidInput as error:
            if len(batch) == 1:
                self._refuse(batch[0], str(error))
                return
            # Nothing was written: halve until the messages that cannot be kept stand alone.
            half = len(batch) // 2
            self._store(session, batch[:half])
            self._store(session, batch[half:])
        else:
            self._sessions[session] = None
            self._counts.update(item.outcome for item in receipt.items)

    def _refuse(self, told: Told, reason: str) -> None:
        self._counts["refused"] += 1
        if len(self._refusals) < _TOLD_OF:
            self._refusals.append(
                Refusal(line=told.line, session=told.session, index=told.index, reason=reason)
            )

    def report(self) -> ImportReport:
        """What has been done so far."""
        return ImportReport(
            format=self._format,
            sessions=tuple(self._sessions),
            stored=self._counts["stored"],
            known=self._counts["known"],
            erased=self._counts["erased"],
            refused=self._counts["refused"],
            refusals=tuple(sorted(self._refusals, key=lambda refusal: refusal.line)),
        )


def _import_documents(
    writer: _Writer,
    source: Source,
    found: Iterator[Document],
    reader: Reader,
    progress: Progress | None,
) -> ImportReport:
    nothing = True
    try:
        for document, line in found:
            for told in reader.told(document, line):
                if nothing and not told.is_message:
                    raise InvalidInput(f"{source.name}: line {line}: {told.problem}")
                nothing = False
                writer.take(told)
                if writer.due:
                    writer.write()
                    _tell(progress, source.done, source.total)
    except Broken as broken:
        writer.write()
        raise ImportFailed(
            f"{source.name}: {broken.reason}", kept=writer.kept, line=broken.line
        ) from broken
    writer.write()
    _tell(progress, source.total, source.total)
    return _checked(writer, source)


def _checked(writer: _Writer, source: Source) -> ImportReport:
    report = writer.report()
    if report.refused and not (writer.kept or report.erased):
        first = report.refusals[0]
        raise InvalidInput(
            f"{source.name}: no message in it can be kept; line {first.line}: {first.reason}"
        )
    return report


def _import_dataset(writer: _Writer, dataset: Dataset, progress: Progress | None) -> ImportReport:
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
    writer.write()
    _tell(progress, total, total)
    return writer.report()


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


__all__ = ["FORMATS", "Format", "ImportReport", "Refusal", "import_file"]

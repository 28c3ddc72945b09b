"""The outline: the folds that stand for what is older than the window."""

from __future__ import annotations

from collections.abc import Sequence

from memfold.context.pieces import Material
from memfold.fold.config import RUNNING
from memfold.fold.outline import OutlinePiece, outline
from memfold.types import Fold

_PIECE_OVERHEAD = 8  # dates and line break


def choose(material: Material, *, before: int, room: int) -> list[OutlinePiece[Fold]]:
    """The pieces that fit ``room`` tokens, for everything before position ``before``."""
    frame = material.frame_tokens(material.frames.outline)
    if room <= frame or not material.folds:
        return []
    if material.config.running and (running := _running(material, before)):
        return [running] if running.tokens <= room - frame else []
    return outline(material.folds, before, room - frame, material.config, overhead=_PIECE_OVERHEAD)


def _running(material: Material, before: int) -> OutlinePiece[Fold] | None:
    """The running summary, when it tells of nothing that stands in the window."""
    for fold in material.folds:
        if fold.level == RUNNING and fold.last < before:
            return OutlinePiece(fold=fold, form="text", tokens=fold.tokens + _PIECE_OVERHEAD)
    return None


def write(material: Material, pieces: Sequence[OutlinePiece[Fold]]) -> str:
    """The section's text: a line a fold, with its days."""
    return "\n".join([material.frames.outline, *(_written(material, piece) for piece in pieces)])


def _written(material: Material, piece: OutlinePiece[Fold]) -> str:
    fold = piece.fold
    since = fold.since.astimezone(material.zone).date().isoformat()
    until = fold.until.astimezone(material.zone).date().isoformat()
    days = since if since == until else f"{since}..{until}"
    text = fold.text if piece.form == "text" else fold.headline
    return f"{fold.id} [{days}] {text}"


def sources(pieces: Sequence[OutlinePiece[Fold]]) -> tuple[str, ...]:
    """Ids of the folds shown."""
    return tuple(piece.fold.id for piece in pieces)

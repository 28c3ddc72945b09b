"""The outline: the folds that stand for what is older than the window."""

from __future__ import annotations

from collections.abc import Sequence

from memfold.context.pieces import Material
from memfold.fold.config import RUNNING
from memfold.fold.outline import OutlinePiece, outline
from memfold.types import Fold

_PIECE_OVERHEAD = 8  # dates and line break
_RUNNING = 0.5  # the most of the room that the running summary takes


def choose(material: Material, *, before: int, share: int, room: int) -> list[OutlinePiece[Fold]]:
    """The pieces for everything before position ``before``, in at most ``room`` tokens.

    They have ``share`` of it; the running summary, which is not to be had in finer or coarser
    pieces, has what it needs up to a half. Where it does not fit, the others stand for the past.
    """
    frame = material.frame_tokens(material.frames.outline)
    if not material.folds:
        return []
    running = _running(material, before) if material.config.running else None
    if running is not None and frame + running.tokens <= max(share, int(room * _RUNNING)):
        return [running]
    room = min(share, room) - frame
    if room <= 0:
        return []
    return outline(material.folds, before, room, material.config, overhead=_PIECE_OVERHEAD)


def _running(material: Material, before: int) -> OutlinePiece[Fold] | None:
    """The running summary, when it tells of anything before a position."""
    for fold in material.folds:
        if fold.level == RUNNING and fold.first < before:
            return OutlinePiece(fold=fold, form="text", tokens=fold.tokens + _PIECE_OVERHEAD)
    return None


def tells_of_past(piece: OutlinePiece[Fold], before: int) -> bool:
    """Whether a piece is still to be shown where the window begins at position ``before``.

    The running summary is, as long as it tells of anything else: it cannot be had without what
    the window shows.
    """
    return (piece.fold.first if piece.fold.level == RUNNING else piece.fold.last) < before


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

"""Agents' runs with tools: what a shorter history saves, and whether it has what is used again."""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memfold import Memory, Session
from memfold.errors import BudgetTooSmall, InvalidInput
from memfold.evals.reuse import Reuse, reused_identifiers
from memfold.evals.tally import Progress
from memfold.text.chat import readable
from memfold.text.tokens import TiktokenCounter, count_message
from memfold.types import JSON, Context

ROOMS: Final = (1_000, 600)
"""Tokens that a context may take beside the system text."""


def transcripts(path: str | os.PathLike[str]) -> list[list[JSON]]:
    """Read runs of tau-bench (a list of {"traj": messages}, .json or .json.xz) or SWE-agent.

    For SWE-agent ``path`` is a file, or a folder of files, with a "history"; what its environment
    said stands there as the user's, and is read as the output of the call before it. Raises
    InvalidInput for anything else.
    """
    place = Path(path)
    files = sorted(place.glob("*.json*")) if place.is_dir() else [place]
    found = [run for file in files for run in _runs(file)]
    if not found:
        raise InvalidInput(f"{place}: no agents' runs are there")
    return found


def _runs(file: Path) -> list[list[JSON]]:
    try:
        data = file.read_bytes()
        data = lzma.decompress(data) if file.suffix == ".xz" else data
        loaded = json.loads(data)
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise InvalidInput(f"{file}: {error}") from error
    if isinstance(loaded, list) and all(
        isinstance(each, dict) and "traj" in each for each in loaded
    ):
        return [list(each["traj"]) for each in loaded]
    if isinstance(loaded, dict) and isinstance(loaded.get("history"), list):
        return [_swe_agent(loaded["history"])]
    raise InvalidInput(f"{file} holds neither tau-bench's nor SWE-agent's runs")


def _swe_agent(history: Sequence[Mapping[str, Any]]) -> list[JSON]:
    """A run in OpenAI's shape: each action a call, each observation its result."""
    messages: list[JSON] = []
    call = ""
    for number, each in enumerate(history):
        text = str(each.get("content") or "")
        if each.get("message_type") == "observation" and call:
            messages.append({"role": "tool", "tool_call_id": call, "content": text})
            call = ""
        elif each.get("message_type") == "action":
            call = f"call_{number}"
            arguments = json.dumps({"command": str(each.get("action") or "")})
            function = {"name": "run", "arguments": arguments}
            tool_call = {"id": call, "type": "function", "function": function}
            said = str(each.get("thought") or text) or None
            messages.append({"role": "assistant", "content": said, "tool_calls": [tool_call]})
        else:
            role = "system" if each.get("role") == "system" else "user"
            messages.append({"role": role, "content": text})
    return messages


@dataclass(slots=True)
class _Tally:
    history: int = 0
    context: int = 0
    prompts: int = 0
    reused: int = 0
    shown: int = 0
    by_handle: int = 0
    window: int = 0
    lost: list[str] = field(default_factory=list)


def agents(
    runs: Sequence[Sequence[JSON]],
    *,
    room: int = ROOMS[0],
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Go through runs step by step, with a context in place of the history at each.

    Each step's context may take ``room`` tokens beside the system text, or what it must at least.
    ``saved`` is the part of the history's tokens that were not sent. Of the identifiers in a
    step's calls that earlier tool output gave, ``in_context`` are those whose text stands in that
    context; ``available`` those and the ones whose output is named there by an id that ``expand``
    takes. ``window`` is the share in the newest messages of the same size.
    """
    tally = _Tally()
    for number, transcript in enumerate(runs):
        _go_through(transcript, room, tally)
        if progress is not None:
            progress(number + 1, len(runs))
    return {
        "runs": len(runs),
        "steps": tally.prompts,
        "room": room,
        "saved": _rate(tally.history - tally.context, tally.history),
        "reused": tally.reused,
        "in_context": _rate(tally.shown, tally.reused),
        "available": _rate(tally.shown + tally.by_handle, tally.reused),
        "window": _rate(tally.window, tally.reused),
        "lost": tally.lost[:20],
    }


def _rate(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 1.0


def _go_through(transcript: Sequence[JSON], room: int, tally: _Tally) -> None:
    counter = TiktokenCounter()
    costs = [count_message(counter, message) for message in transcript]
    system = sum(
        cost for message, cost in zip(transcript, costs, strict=True) if message["role"] == "system"
    )
    wanted: dict[int, list[Reuse]] = {}
    for each in reused_identifiers(transcript):
        wanted.setdefault(each.step, []).append(each)
    with Memory(counter=counter, embedder=None, background=False) as memory:
        session = memory.user("agent").session("run")
        ids: list[str] = []
        for step, message in enumerate(transcript):
            if message["role"] == "assistant" and step:
                history = sum(costs[:step]) - system
                context = _context(session, system + room)
                tally.prompts += 1
                tally.history += history
                tally.context += context.tokens - system
                newest = _newest(transcript[:step], costs, context.tokens - system)
                for each in wanted.get(step, ()):
                    _look(each, context, newest, ids, tally)
            ids.append(session.extend([message]).id)


def _context(session: Session, budget: int) -> Context:
    try:
        return session.context(max_tokens=max(budget, 1))
    except BudgetTooSmall as error:
        return session.context(max_tokens=error.needed)


def _newest(messages: Sequence[JSON], costs: Sequence[int], room: int) -> str:
    texts: list[str] = []
    for message, cost in zip(reversed(messages), reversed(costs[: len(messages)]), strict=True):
        room -= cost
        if room < 0:
            break
        texts.append(readable(message))
    return "\n".join(texts)


def _look(each: Reuse, context: Context, newest: str, ids: Sequence[str], tally: _Tally) -> None:
    told = "\n".join(readable(message) for message in context.messages)
    tally.reused += 1
    tally.window += each.text in newest
    if each.text in told:
        tally.shown += 1
    elif _is_named(ids[each.source], context, told):
        tally.by_handle += 1
    else:
        tally.lost.append(each.text)


def _is_named(id: str, context: Context, told: str) -> bool:
    """Whether the context names a handle by which an output can be had back."""
    return (
        f"{id} " in told
        or f"{id}]" in told
        or any(id in item.sources for item in context.trace.shown)
    )

"""The command ``add``."""

from __future__ import annotations

import json
from typing import Any

import click

from memfold.cli.console import binary_input, emit, say, text
from memfold.cli.forms import receipt_form
from memfold.cli.options import DEFAULT_SESSION, Place, memory_options, session_option
from memfold.errors import InvalidInput


@click.command()
@memory_options
@session_option(f"Session to add to.  [default: {DEFAULT_SESSION}]")
@click.option("--at", help="Time of the message, ISO 8601.  [default: now]")
@click.option("--name", type=text, help="Who speaks, where one role has several.")
@click.option("--call", type=text, help="Of a tool: the id of the call that it answers.")
@click.option(
    "--key", type=text, help="Makes it idempotent: of writes with one key the first counts."
)
@click.option("--metadata", type=text, help="A JSON object to keep with it.")
@click.argument("role", type=text)
@click.argument("text", type=text)
def add(
    place: Place,
    *,
    session: str | None,
    at: str | None,
    name: str | None,
    call: str | None,
    key: str | None,
    metadata: str | None,
    role: str,
    text: str,
) -> None:
    """Add one message.

    ROLE is user, assistant, system, developer or tool (with --call); TEXT is what was said, or -
    to read it from standard input. It is on disk when this returns, and found by its words at
    once; its vector is made by the next command that searches.
    """
    content = _standard_input() if text == "-" else text
    given = {"name": name, "tool_call_id": call}
    fields = {field: value for field, value in given.items() if value is not None}
    extra = _object(metadata) if metadata is not None else None
    with place.opened(make=True) as (_, user):
        chat = user.session(session or DEFAULT_SESSION)
        receipt = chat.add(role, content, at=at, key=key, metadata=extra, **fields)
    if place.json:
        emit(receipt_form(receipt))
        return
    item = receipt.items[0]
    say(f"{item.id or '-'} {item.outcome}" + (f": {item.reason}" if item.reason else ""))


def _standard_input() -> str:
    data = binary_input().read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        from memfold.adapters.encodings import not_utf8

        reason = not_utf8(data, error)
        raise InvalidInput(f"standard input: byte {error.start}: {reason}") from error
    return text.removesuffix("\n").removesuffix("\r")


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"--metadata is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInput("--metadata is a JSON object")
    return found

"""`browser wait`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.browser.arguments import DEFAULT, Name, Nth, Ref, Role, SessionName, State, WithText, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser wait --until text --expected Saved"


def command(
    until: Annotated[
        str | None, typer.Option("--until", help="time, text, url, visible, hidden, enabled, dialog, download or page.")
    ] = None,
    expected: Annotated[str | None, typer.Option("--expected", help="Text, or a part of the address.")] = None,
    timeout_ms: Annotated[
        int | None, typer.Option("--timeout", min=0, max=120_000, metavar="MS", help="How long.")
    ] = None,
    ref: Ref = None,
    role: Role = None,
    name: Name = None,
    with_text: WithText = None,
    nth: Nth = None,
    state: State = None,
    session: SessionName = DEFAULT,
) -> Call:
    """Wait until something is so."""
    return "browser.wait", payload(locals())

"""Options that the `browser` commands share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

SessionName = Annotated[str, typer.Option("--session", metavar="NAME", help="Name of the session.")]
State = Annotated[str | None, typer.Option("--state", metavar="ID", help="stateId of the newest document.")]
Ref = Annotated[str | None, typer.Option("--ref", metavar="REF", help="The control's ref; needs --state.")]
Role = Annotated[str | None, typer.Option("--role", help="Role of the control, such as button.")]
Name = Annotated[str | None, typer.Option("--name", help="Name of the control.")]
WithText = Annotated[str | None, typer.Option("--with-text", metavar="TEXT", help="A part of the control's name.")]
Nth = Annotated[int | None, typer.Option("--nth", min=1, help="Which of several, from 1.")]
RequireVerified = Annotated[
    bool, typer.Option("--require-verified", help="Exit 1 when the effect was not seen.", show_default=False)
]
Enable = Annotated[bool, typer.Option("--enable", help="Allow browsers for this once.", show_default=False)]
Headless = Annotated[
    bool | None, typer.Option("--headless/--headed", help="Without or with a window.", show_default=False)
]

DEFAULT = "default"


def payload(values: dict[str, Any]) -> dict[str, Any]:
    """A command's own parameters as a request; what was not given is left to the request's defaults."""
    return {name: value for name, value in values.items() if value is not None and value not in ([], ())}

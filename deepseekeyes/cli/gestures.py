"""Options that the gestures on pages and desktops share, declared once and put on a command by a decorator."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final

import typer

from deepseekeyes.cli.parse import Call

DEFAULT = "default"

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

_OPTIONS: Final[dict[str, tuple[Any, Any]]] = {
    "ref": (Ref, None),
    "role": (Role, None),
    "name": (Name, None),
    "with_text": (WithText, None),
    "nth": (Nth, None),
    "state": (State, None),
    "session": (SessionName, DEFAULT),
    "require_verified": (RequireVerified, False),
}
_CONTROL: Final = ("ref", "role", "name", "with_text", "nth")

Command = Callable[..., Call]


def sharing(*names: str, beside: Mapping[str, tuple[Any, Any]] = MappingProxyType({})) -> Callable[[Command], Command]:
    """Put shared options on a command in the place of its `**shared`, after its own.

    Args:
        names: keys of the table above: ref, role, name, with_text, nth, state, session, require_verified; and of
            `beside`.
        beside: a group's own options with their defaults.
    """
    table = {**_OPTIONS, **beside}
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option)
        for name, (option, default) in ((name, table[name]) for name in names)
    ]

    def put(command: Command) -> Command:
        signature = inspect.signature(command, eval_str=True)
        own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        command.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
        return command

    return put


on_control = sharing(*_CONTROL, "state", "session", "require_verified")
"""An action on one control: by ref and state, or by role, name and text."""

on_surface = sharing("state", "session", "require_verified")
"""An action on the page or desktop as a whole."""

about_control = sharing(*_CONTROL, "state", "session")
"""A look at one control: an assertion, a wait."""

in_session = sharing("session")
"""Something that only needs to know the session."""


Value = Annotated[str | None, typer.Option("--value", help="The text.")]
ValueFile = Annotated[str | None, typer.Option("--value-file", metavar="FILE", help="A file with the text.")]
ValueEnv = Annotated[str | None, typer.Option("--value-env", metavar="NAME", help="A variable with the text.")]
ValueStdin = Annotated[bool, typer.Option("--value-stdin", help="The text is on standard input.")]
Secret = Annotated[bool, typer.Option("--secret", help="Never store or show it.")]
SecretName = Annotated[
    str | None, typer.Option("--secret-name", metavar="NAME", help="A secret of automation.secrets is the text.")
]


def payload(**given: Any) -> dict[str, Any]:
    """A command's parameters as a request; what was not given is left to the request's defaults."""
    return {name: value for name, value in given.items() if value is not None and value not in ([], ())}


def reporting(group: str) -> Command:
    """The `report` command of a group."""

    def command(
        report_name: Annotated[
            str | None, typer.Option("--report-name", metavar="NAME", help="Name of the files.")
        ] = None,
        html: Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write the page here too.")] = None,
        verify: Annotated[bool, typer.Option("--verify", help="Check a stored run again.")] = False,
        run: Annotated[
            str | None, typer.Option("--run", metavar="RUN", help="Run id, folder or report for --verify.")
        ] = None,
        **shared: Any,
    ) -> Call:
        """Write the run so far as a document and a page, or check a stored run again."""
        if verify:
            return f"{group}.verify", payload(run=run)
        return f"{group}.report", payload(report_name=report_name, html=html, **shared)

    return command

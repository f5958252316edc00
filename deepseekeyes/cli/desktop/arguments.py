"""Options that the `desktop` commands share beside those of all gestures."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from deepseekeyes.cli.gestures import sharing

_ASK: Final = "Show the pixels, or do not; by policy when absent."
_OPTIONS: Final[dict[str, tuple[Any, Any]]] = {
    "x": (
        Annotated[float | None, typer.Option("--x", min=0, help="Pixel of the newest screenshot; needs --state.")],
        None,
    ),
    "y": (
        Annotated[float | None, typer.Option("--y", min=0, help="Pixel of the newest screenshot; needs --state.")],
        None,
    ),
    "window": (Annotated[str | None, typer.Option("--window", metavar="REF", help="The window's ref.")], None),
    "app": (Annotated[str | None, typer.Option("--app", metavar="NAME", help="The window's program.")], None),
    "title": (
        Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The window's title, or a part.")],
        None,
    ),
    "screenshot": (
        Annotated[bool | None, typer.Option("--screenshot/--no-screenshot", help=_ASK, show_default=False)],
        None,
    ),
    "plan": (Annotated[bool, typer.Option("--plan", help="Say what would be done; do nothing.")], False),
    "enable": (
        Annotated[bool, typer.Option("--enable", help="Allow desktop commands in this session.", show_default=False)],
        False,
    ),
}
_CONTROL: Final = ("ref", "role", "name", "with_text", "nth")
_POINT: Final = ("x", "y")
_WINDOW: Final = ("window", "app", "title")
_ACTION: Final = ("state", "plan", "screenshot", "require_verified", "session", "enable")

on_place = sharing(*_CONTROL, *_POINT, *_WINDOW, *_ACTION, beside=_OPTIONS)
"""An action on an element or a point."""

on_element = sharing(*_CONTROL, *_WINDOW, *_ACTION, beside=_OPTIONS)
"""An action on an element, or without one on the window."""

on_window = sharing(*_WINDOW, *_ACTION, beside=_OPTIONS)
"""An action on a window as a whole."""

on_program = sharing(*_ACTION, beside=_OPTIONS)
"""An action that is about no window yet."""

about_element = sharing(*_CONTROL, *_WINDOW, "state", "session", "enable", beside=_OPTIONS)
"""A claim about an element or a window."""

about_window = sharing(*_WINDOW, "session", "enable", beside=_OPTIONS)
"""A look at a window."""

in_session = sharing("session", "enable", beside=_OPTIONS)
"""Something that only needs to know the session."""

AllowFocused = Annotated[
    bool, typer.Option("--allow-focused-target", help="Whatever has the focus may be meant.", show_default=False)
]

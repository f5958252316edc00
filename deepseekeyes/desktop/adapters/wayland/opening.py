"""Opens the Wayland backend, and tells whether it is the one to open."""

from __future__ import annotations

from collections.abc import Mapping

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.ports import Backend, Opening

XWAYLAND = "XWAYLAND"


def open_wayland(opening: Opening) -> Backend:
    """The Wayland session that the environment names.

    Raises:
        EyesError: DESKTOP_DISPLAY_MISSING, DESKTOP_DISPLAY_LOST, DESKTOP_TIMEOUT.
    """
    from deepseekeyes.desktop.adapters.wayland.compositor import look
    from deepseekeyes.desktop.adapters.wayland.desktop import WaylandDesktop

    return WaylandDesktop(look(opening.environment, opening.timeout_s), opening)


def is_wayland(environment: Mapping[str, str]) -> bool:
    """Whether the environment leads to a Wayland session rather than to an X server of its own.

    A `DISPLAY` beside `WAYLAND_DISPLAY` is mostly that of XWayland, which shows only programs that still speak X11; one
    that is a real X server was put there on purpose and is taken.
    """
    if not environment.get("WAYLAND_DISPLAY", "").strip():
        return False
    if not environment.get("DISPLAY", "").strip():
        return True
    return _is_half_blind(environment)


def _is_half_blind(environment: Mapping[str, str]) -> bool:
    """Whether the X display cannot be reached, or is XWayland's, as its monitors say."""
    from deepseekeyes.desktop.adapters.linux.connection import connect
    from deepseekeyes.desktop.adapters.linux.monitors import monitors

    try:
        connection = connect(environment, 5.0)
    except EyesError:
        return True
    try:
        if connection.display.has_extension(XWAYLAND):
            return True
        with connection.guard():
            return any(one.name.upper().startswith(XWAYLAND) for one in monitors(connection, environment))
    except EyesError:
        return True
    finally:
        connection.close()

"""Opens the Linux backend."""

from __future__ import annotations

from deepseekeyes.desktop.adapters.linux.connection import connect
from deepseekeyes.desktop.ports import Backend, Opening


def open_linux(opening: Opening) -> Backend:
    """The display that the environment names.

    Raises:
        EyesError: DESKTOP_EXTRA_MISSING, DESKTOP_DISPLAY_MISSING, DESKTOP_WAYLAND_ONLY, DESKTOP_PERMISSION_MISSING,
            DESKTOP_DISPLAY_LOST, DESKTOP_TIMEOUT.
    """
    from deepseekeyes.desktop.adapters.linux.desktop import X11Desktop

    connection = connect(opening.environment, opening.timeout_s)
    try:
        return X11Desktop(connection, opening)
    except BaseException:
        connection.close()
        raise

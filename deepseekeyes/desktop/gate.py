"""The switch: nothing of the desktop is touched before it was allowed."""

from __future__ import annotations

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_DISABLED
from deepseekeyes.desktop.settings import DesktopSettings


def allowed(settings: DesktopSettings, *, enable: bool) -> None:
    """Raises DESKTOP_DISABLED unless the configuration, the session or this call allows it."""
    if not settings.enabled and not enable:
        raise EyesError(DESKTOP_DISABLED, "Desktop commands are switched off.", details={"dispatched": "no"})

"""The switch: nothing of a browser runs before it was allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deepseekeyes.browser.codes import BROWSER_DISABLED
from deepseekeyes.browser.settings import BrowserSettings
from deepseekeyes.core.errors import EyesError


def check(settings: Any, payload: Mapping[str, Any]) -> None:
    """Called with the settings of the program before a host is started.

    Raises:
        EyesError: BROWSER_DISABLED.
    """
    allowed(settings.browser, enable=payload.get("enable") is True)


def allowed(settings: BrowserSettings, *, enable: bool) -> None:
    """Raises BROWSER_DISABLED unless the configuration or this call allows browsers."""
    if not settings.enabled and not enable:
        raise EyesError(BROWSER_DISABLED, "Browser commands are switched off.", details={"dispatched": "no"})

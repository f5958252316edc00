"""Opens the fallback of pixels, pointer and keys."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_DISPLAY_MISSING, DESKTOP_EXTRA_MISSING
from deepseekeyes.desktop.ports import Backend, Opening


def open_pixels(opening: Opening) -> Backend:
    """The screen of this process; on Linux the X display that the environment names.

    Raises:
        EyesError: DESKTOP_EXTRA_MISSING, DESKTOP_DISPLAY_MISSING.
    """
    display = opening.environment.get("DISPLAY", "").strip()
    if sys.platform.startswith("linux") and not display:
        raise EyesError(DESKTOP_DISPLAY_MISSING, "No display is named: DISPLAY is not set.")
    hands = _hands()
    from deepseekeyes.desktop.adapters.pixels.desktop import PixelDesktop

    return PixelDesktop(hands, _grabber(display), display or sys.platform)


def _hands() -> Any:
    """The package pyautogui without its pauses, and without its corners: ours are looked at before every action.

    Its import connects to the display of the process's own environment, and may end the process where Tk is missing.
    """
    try:
        pyautogui: Any = import_module("pyautogui")
    except ImportError as missing:
        raise EyesError(
            DESKTOP_EXTRA_MISSING, "The package pyautogui is not installed.", details={"dispatched": "no"}
        ) from missing
    except (Exception, SystemExit) as failed:
        raise EyesError(
            DESKTOP_DISPLAY_MISSING,
            f"The display cannot be reached by pyautogui ({type(failed).__name__}).",
            details={"dispatched": "no"},
        ) from failed
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    return pyautogui


def _grabber(display: str) -> Any:
    import mss

    try:
        return mss.MSS(display=display) if os.name == "posix" and display else mss.MSS()
    except Exception as failed:
        raise EyesError(
            DESKTOP_DISPLAY_MISSING, f"The screen cannot be captured ({type(failed).__name__})."
        ) from failed

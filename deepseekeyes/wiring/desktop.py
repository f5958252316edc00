"""Deps of the desktop operations, and what the doctor examines."""

from __future__ import annotations

import atexit
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from deepseekeyes import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from deepseekeyes.desktop.checks import DesktopChecks
    from deepseekeyes.desktop.deps import DesktopDeps
    from deepseekeyes.desktop.ports import Backend, Opening
    from deepseekeyes.desktop.settings import DesktopSettings
    from deepseekeyes.wiring.app import App
    from deepseekeyes.wiring.displays import Displays

OURS = "DEEPSEEKEYES_"
SECRET_ENDS = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_PASSWD")
_OPEN: WeakKeyDictionary[App, Displays] = WeakKeyDictionary()
READABLE = {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}


def desktop_deps(app: App) -> DesktopDeps:
    """Deps over the sessions of the home and the display of the environment."""
    from deepseekeyes.desktop.deps import DesktopDeps
    from deepseekeyes.wiring.caller import secret

    settings = app.settings.desktop
    return DesktopDeps(
        settings=settings,
        automation=app.settings.automation,
        clock=app.clock,
        sessions=app.documents,
        open=_displays(app).take,
        opening=_opening(app, settings),
        locks=_locks(app),
        root=_root(app),
        keep=lambda data: app.blobs.put(data),
        stdin=lambda limit, setting: app.door.stdin(limit, setting),
        variable=lambda name: secret(app, name),
        note=lambda sentence: app.door.note(sentence),
        programs=_programs(app.environ),
        cwd=app.cwd,
        sleep=time.sleep,
        version=__version__,
    )


def _displays(app: App) -> Displays:
    """The displays of this process; a serving one keeps them between calls, any other through a script of steps."""
    if app not in _OPEN:
        from deepseekeyes.wiring.displays import Displays

        settings = app.settings.desktop
        _OPEN[app] = displays = Displays(lambda opening: _open(settings, opening))
        app.endings.append(lambda: end_displays(app))
        atexit.register(displays.end)
    return _OPEN[app]


async def end_displays(app: App) -> None:
    """Close the displays that an app has open, if any."""
    displays = _OPEN.pop(app, None)
    if displays is not None:
        displays.end()


def desktop_checks(app: App, *, readable: bool) -> DesktopChecks:
    """What the doctor looks at; with an unreadable configuration the defaults are examined."""
    from deepseekeyes.desktop.checks import DesktopChecks
    from deepseekeyes.desktop.settings import DesktopSettings

    settings = app.settings.desktop if readable else DesktopSettings()
    return DesktopChecks(
        enabled=settings.enabled if readable else None,
        environment=app.environ,
        open=lambda: _open(settings, _opening(app, settings)),
    )


def _opening(app: App, settings: DesktopSettings) -> Opening:
    from deepseekeyes.desktop.ports import Opening

    return Opening(
        environment=app.environ,
        timeout_s=settings.timeout_ms / 1000,
        semantic=settings.semantic,
        state_dir=app.home / "run",
    )


def _open(settings: DesktopSettings, opening: Opening) -> Backend:
    """The backend of this system, or the one that was asked for."""
    import sys

    from deepseekeyes.core.errors import EyesError
    from deepseekeyes.desktop.codes import DESKTOP_PLATFORM_UNSUPPORTED

    wanted = settings.backend
    if wanted == "auto":
        wanted = _linux(opening) if sys.platform.startswith("linux") else "pyautogui"
    if wanted == "wayland":
        from deepseekeyes.desktop.adapters.wayland.opening import open_wayland

        return open_wayland(opening)
    if wanted == "linux":
        from deepseekeyes.desktop.adapters.linux.opening import open_linux

        return open_linux(opening)
    if wanted == "pyautogui":
        return _open_pixels(settings, opening)
    raise EyesError(
        DESKTOP_PLATFORM_UNSUPPORTED,
        f"There is no desktop backend {wanted!r} yet.",
        backends="linux (X11), wayland, pyautogui",
    )


def _open_pixels(settings: DesktopSettings, opening: Opening) -> Backend:
    """The fallback, which cannot tell programs apart and hence is not opened where some are forbidden.

    Raises:
        EyesError: DESKTOP_UNSUPPORTED_HERE, and what opening it raises.
    """
    from deepseekeyes.core.errors import EyesError
    from deepseekeyes.desktop.adapters.pixels.opening import open_pixels
    from deepseekeyes.desktop.codes import DESKTOP_UNSUPPORTED_HERE

    if settings.apps or settings.deny:
        raise EyesError(
            DESKTOP_UNSUPPORTED_HERE,
            "The pyautogui backend cannot tell programs apart, as desktop.apps and desktop.deny need.",
            details={"dispatched": "no"},
            instead="Set another desktop.backend, or empty both lists.",
        )
    return open_pixels(opening)


def _linux(opening: Opening) -> Literal["linux", "wayland"]:
    """Which of the two this session is."""
    from deepseekeyes.desktop.adapters.wayland.opening import is_wayland

    return "wayland" if is_wayland(opening.environment) else "linux"


def _locks(app: App) -> Path:
    """Where displays are locked: for all homes of a user where the system has a place for that."""
    runtime = app.environ.get("XDG_RUNTIME_DIR")
    if runtime and Path(runtime).is_dir():
        return Path(runtime) / "deepseekeyes"
    return app.home / "run"


def _root(app: App) -> Path | None:
    folder = app.settings.desktop.artifacts_dir
    return None if folder is False else app.home / folder


def _programs(environ: Mapping[str, str]) -> dict[str, str]:
    """What launched programs inherit: nothing of ours, nothing that is called a secret, and the wish to be readable.

    Qt builds its accessibility tree only for a session that says assistive programs are in use, or when told to.
    """
    return READABLE | {
        name: value
        for name, value in environ.items()
        if not name.startswith(OURS) and not name.upper().endswith(SECRET_ENDS)
    }

"""Examinations of the desktop: the display, what it can do, and whether it can be seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from deepseekeyes.contracts.examination import Examination, Finding, failed, ok, skipped, warning
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.ports import Backend

GROUP: Final = "desktop"
OFF: Final = "Allow them: DEEPSEEKEYES_DESKTOP_ENABLED=true"
INPUT: Final = "Use an X11 display with the XTEST extension, or a Wayland desktop with the RemoteDesktop portal."
A11Y: Final = (
    "Install at-spi2-core and run inside a D-Bus session; start Qt programs with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1"
)


@dataclass(slots=True)
class DesktopChecks:
    """What the examinations look at.

    Attributes:
        enabled: None when the configuration cannot be read.
        environment: of the process, for the session's type.
        open: opens the display; raises what is missing.
        missing: why there is no display, once that is known.
    """

    enabled: bool | None
    environment: Mapping[str, str]
    open: Callable[[], Backend]
    missing: EyesError | None = field(default=None, repr=False)

    def look(self, look: Callable[[Backend], Finding]) -> Finding:
        """Open the display for one examination, and let go of it; a display that is missing is asked for once.

        Raises:
            EyesError: what opening it, or the examination, raised.
        """
        if self.missing is not None:
            raise self.missing
        try:
            backend = self.open()
        except EyesError as trouble:
            self.missing = trouble
            raise
        try:
            return look(backend)
        finally:
            backend.close()


def checks(seen: DesktopChecks) -> tuple[Examination, ...]:
    """The desktop's lines of the report."""

    def switched() -> Finding:
        if seen.enabled is None:
            return skipped("The configuration cannot be read.")
        return (
            ok("Desktop commands are allowed.") if seen.enabled else skipped("Desktop commands are switched off.", OFF)
        )

    def needed(look: Callable[[Backend], Finding]) -> Callable[[], Finding]:
        def run() -> Finding:
            try:
                return seen.look(look)
            except EyesError as trouble:
                return (warning if not seen.enabled else failed)(trouble.message, trouble.hint)

        return run

    return (
        Examination("desktop.enabled", GROUP, switched),
        Examination("desktop.display", GROUP, needed(_display)),
        Examination("desktop.manager", GROUP, _after(seen, _manager)),
        Examination("desktop.capture", GROUP, _after(seen, _capture)),
        Examination("desktop.input", GROUP, _after(seen, _input)),
        Examination("desktop.accessibility", GROUP, _after(seen, _semantic)),
        Examination("desktop.notes", GROUP, _after(seen, _notes)),
        Examination("desktop.pixels", GROUP, _after(seen, _pixels), deep=True),
    )


def _after(seen: DesktopChecks, look: Callable[[Backend], Finding]) -> Callable[[], Finding]:
    """An examination that needs the display; without one it is left out, since its own line has told so."""

    def run() -> Finding:
        try:
            return seen.look(look)
        except EyesError as trouble:
            return skipped("There is no display.") if seen.missing else warning(trouble.message, trouble.hint)

    return run


def _display(backend: Backend) -> Finding:
    found = backend.environment
    parts = ", ".join(f"{name} {version}" for name, version in found.versions.items())
    monitors = len(backend.monitors())
    return ok(f"{found.backend} {found.display}, {monitors} monitor{'s' if monitors > 1 else ''}; {parts}".rstrip("; "))


def _manager(backend: Backend) -> Finding:
    if backend.environment.capabilities.window_manager:
        return ok("A window manager answers.")
    return warning(
        "No window manager answers; windows are not raised or moved by request.", "Start one, for example: openbox &"
    )


def _capture(backend: Backend) -> Finding:
    able = backend.environment.capabilities
    if not able.capture:
        return failed(
            "The screen cannot be captured.",
            "Use a display that allows it, such as Xvfb, or install the Screenshot portal.",
        )
    if not able.window_pixels:
        return warning(
            "Only the whole screen can be captured, through the Screenshot portal.", "For single windows use X11."
        )
    if not able.window_capture:
        return warning(
            "Windows that are covered cannot be captured by themselves.", "Use a display with the Composite extension."
        )
    return ok("Screen and single windows can be captured.")


def _input(backend: Backend) -> Finding:
    able = backend.environment.capabilities
    if not able.pointer or not able.keyboard:
        return failed("Real input cannot be sent.", INPUT)
    if not able.places:
        return warning(
            "Keys are sent through the RemoteDesktop portal, after a person allowed it; clicks by place are not, since "
            "nobody tells what lies there.",
            "Use what needs no pointer: deepseekeyes desktop invoke, set-value",
        )
    if not able.human_input:
        return warning("A person's input during an action is not noticed.", "Use a display with XInput 2.")
    return ok("Pointer and keyboard work; a person's input is noticed.")


def _semantic(backend: Backend) -> Finding:
    able = backend.environment.capabilities
    if not able.semantic:
        return warning(able.semantic_reason or "Accessibility trees cannot be read.", A11Y)
    return ok("Accessibility trees can be read.")


def _notes(backend: Backend) -> Finding:
    notes = backend.environment.notes
    return warning(" ".join(notes), "See the sentences before.") if notes else ok("Nothing else to say.")


def _pixels(backend: Backend) -> Finding:
    grab = backend.capture()
    if len({grab.rgb[i : i + 3] for i in range(0, len(grab.rgb), 3 * 97)}) < 2:
        return warning(
            f"The screen, {grab.width}x{grab.height}, has one colour only.", "Wake the display, or open a window on it."
        )
    return ok(f"The screen was captured: {grab.width}x{grab.height}.")

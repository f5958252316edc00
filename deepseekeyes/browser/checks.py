"""Examinations of the browser: whether there is one, and with --deep whether it starts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from deepseekeyes.contracts.examination import Examination, Finding, failed, ok, skipped, warning
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed

GROUP: Final = "browser"
INSTALL: Final = (
    "Install one: apt install chromium, brew install --cask chromium, or playwright install chromium; "
    "or name one: DEEPSEEKEYES_BROWSER_EXECUTABLE=/path"
)


@dataclass(frozen=True, slots=True)
class BrowserChecks:
    """What the examinations look at.

    Attributes:
        enabled: None when the configuration cannot be read.
        driver: version of the driver; None when it is not installed.
        programs: labels of what would be tried, the first first, without the driver's own browser.
        display: whether a window could be shown.
        trial: starts a browser, reads one page of its own and ends it; returns program and version.
    """

    enabled: bool | None
    driver: Callable[[], str | None]
    programs: Callable[[], Sequence[str]]
    display: bool
    trial: Callable[[], Awaitable[str]]


def checks(seen: BrowserChecks) -> tuple[Examination, ...]:
    """The browser's lines of the report."""

    def switched() -> Finding:
        if seen.enabled is None:
            return skipped("The configuration cannot be read.")
        if seen.enabled:
            return ok("Browser commands are allowed.")
        return skipped("Browser commands are switched off.", "Allow them: DEEPSEEKEYES_BROWSER_ENABLED=true")

    def driver() -> Finding:
        version = seen.driver()
        return ok(f"playwright {version}") if version else warning("No driver.", "pip install 'deepseekeyes[browser]'")

    def program() -> Finding:
        found = list(seen.programs())
        if found:
            return ok(f"{found[0]}, {'with a display' if seen.display else 'without a display: headless'}")
        return warning("No browser program was found.", INSTALL)

    async def starts() -> Finding:
        await loop_needed()
        try:
            return ok(await seen.trial())
        except EyesError as trouble:
            return failed(trouble.message, trouble.hint or INSTALL)

    return (
        Examination("browser.enabled", GROUP, switched),
        Examination("browser.driver", GROUP, driver),
        Examination("browser.program", GROUP, program),
        Examination("browser.starts", GROUP, starts, deep=True),
    )

"""Which browser program is started, and how."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepseekeyes.browser.codes import BROWSER_EXTRA_MISSING, BROWSER_LAUNCH_FAILED
from deepseekeyes.browser.settings import BrowserSettings
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import surface

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-quic",
    "--disable-domain-reliability",
    "--metrics-recording-only",
    "--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication",
)
ON_PATH = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
)
FIXED = (
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A browser program that may be started; both fields None stand for the driver's own."""

    executable: str | None = None
    channel: str | None = None

    @property
    def label(self) -> str:
        return self.executable or self.channel or "the driver's own browser"

    def options(self) -> dict[str, Any]:
        """Arguments for the driver."""
        if self.executable is not None:
            return {"executable_path": self.executable}
        return {"channel": self.channel} if self.channel is not None else {}


def candidates(
    settings: BrowserSettings,
    *,
    which: Callable[[str], str | None] = shutil.which,
    exists: Callable[[str], bool] = os.path.exists,
) -> tuple[Candidate, ...]:
    """What is tried, in this order; a program or channel that was named is the only one."""
    if settings.executable is not None:
        return (Candidate(executable=str(settings.executable)),)
    if settings.channel is not None:
        return (Candidate(channel=settings.channel),)
    return (*dict.fromkeys(_found(which, exists)), Candidate())


def _found(which: Callable[[str], str | None], exists: Callable[[str], bool]) -> Iterator[Candidate]:
    for name in ON_PATH:
        path = which(name)
        if path is not None:
            yield Candidate(executable=path)
    for path in FIXED:
        if exists(path):
            yield Candidate(executable=path)


def headless(wanted: bool | None, settings: BrowserSettings, environment: Mapping[str, str]) -> bool:
    """Whether no window is shown: as asked for, as configured, or because there is no display."""
    if wanted is not None:
        return wanted
    return settings.headless or not has_display(environment)


def has_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window could be shown."""
    if platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


async def start(
    settings: BrowserSettings, *, headless: bool, downloads: Path | None, rules: str = ""
) -> tuple[Playwright, Browser, Candidate]:
    """Start the first program that works.

    Args:
        rules: for its resolver of names.

    Raises:
        EyesError: BROWSER_EXTRA_MISSING, BROWSER_LAUNCH_FAILED with each program and its first line.
    """
    try:
        from playwright.async_api import Error, async_playwright
    except ImportError:
        raise EyesError(
            BROWSER_EXTRA_MISSING, "The browser driver is not installed.", details={"dispatched": "no"}
        ) from None
    driver = await async_playwright().start()
    tried: list[str] = []
    for candidate in candidates(settings):
        try:
            browser = await driver.chromium.launch(
                headless=headless,
                args=[*QUIET, *([f"--host-resolver-rules={rules}"] if rules else [])],
                timeout=max(settings.timeout_ms, 30_000),
                downloads_path=downloads,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                **candidate.options(),
            )
        except Error as refused:
            tried.append(f"{candidate.label}: {surface(refused.message.strip().splitlines()[0], 200)}")
        else:
            return driver, browser, candidate
    await driver.stop()
    raise EyesError(
        BROWSER_LAUNCH_FAILED, "No browser could be started. " + " | ".join(tried), details={"dispatched": "no"}
    )

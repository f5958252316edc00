"""Deps of the browser operations, and what the doctor examines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from deepseekeyes import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deepseekeyes.browser.checks import BrowserChecks
    from deepseekeyes.browser.deps import BrowserDeps
    from deepseekeyes.browser.desk import Desk
    from deepseekeyes.browser.ports import Launch, Live
    from deepseekeyes.contracts.session import SessionEnd, SessionList
    from deepseekeyes.wiring.app import App

_DESKS: WeakKeyDictionary[App, Desk] = WeakKeyDictionary()


def browser_deps(app: App) -> BrowserDeps:
    """Deps over the sessions that this process holds open."""
    from deepseekeyes.browser.deps import BrowserDeps
    from deepseekeyes.wiring.caller import secret

    settings = app.settings.browser
    return BrowserDeps(
        settings=settings,
        automation=app.settings.automation,
        clock=app.clock,
        desk=_desk(app),
        start=_start,
        root=_root(app),
        keep=lambda data: app.blobs.put(data),
        stdin=lambda limit, setting: app.door.stdin(limit, setting),
        variable=lambda name: secret(app, name),
        note=lambda sentence: app.door.note(sentence),
        environment=app.environ,
        cwd=app.cwd,
        resolve=_resolve,
        sessions=lambda: _sessions(app),
        end=lambda name, reason: _end(app, name, reason),
        version=__version__,
    )


def browser_checks(app: App, *, readable: bool) -> BrowserChecks:
    """What the doctor looks at; with an unreadable configuration the defaults are examined."""
    from deepseekeyes.browser.adapters.playwright_driver.launch import has_display
    from deepseekeyes.browser.checks import BrowserChecks
    from deepseekeyes.browser.settings import BrowserSettings

    settings = app.settings.browser if readable else BrowserSettings()
    return BrowserChecks(
        enabled=settings.enabled if readable else None,
        driver=_driver,
        programs=lambda: _programs(app, readable=readable),
        display=has_display(app.environ),
        trial=lambda: _trial(app, readable=readable),
    )


def _desk(app: App) -> Desk:
    if app not in _DESKS:
        from deepseekeyes.browser.desk import Desk

        _DESKS[app] = Desk()
        app.endings.append(_DESKS[app].end_all)
    return _DESKS[app]


async def carry_over(old: App, new: App) -> None:
    """Give the open browsers of one app to the next; where the next may have none, they are closed first."""
    desk = _DESKS.pop(old, None)
    if desk is None:
        return
    if not new.settings.browser.enabled:
        await desk.end_all()
        return
    _DESKS[new] = desk
    new.endings.append(desk.end_all)


def _root(app: App) -> Path | None:
    folder = app.settings.browser.artifacts_dir
    return None if folder is False else app.home / folder


async def _start(launch: Launch) -> Live:
    from deepseekeyes.browser.adapters.playwright_driver.surface import start

    return await start(launch)


async def _resolve(host: str) -> Sequence[str]:
    import asyncio
    import socket

    found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _sessions(app: App) -> SessionList:
    from deepseekeyes.session.listing import sessions

    return sessions(app.home, "browser")


def _end(app: App, name: str, reason: str) -> SessionEnd | None:
    from deepseekeyes.session.descriptor import Place
    from deepseekeyes.session.listing import end

    return end(Place.of(app.home, "browser", name), reason)


def _driver() -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("playwright")
    except PackageNotFoundError:
        return None


def _programs(app: App, *, readable: bool) -> Sequence[str]:
    from deepseekeyes.browser.adapters.playwright_driver.launch import Candidate, candidates
    from deepseekeyes.browser.settings import BrowserSettings

    settings = app.settings.browser if readable else BrowserSettings()
    return [one.label for one in candidates(settings) if one != Candidate()]


async def _trial(app: App, *, readable: bool) -> str:
    from deepseekeyes.browser.adapters.playwright_driver.launch import start
    from deepseekeyes.browser.settings import BrowserSettings

    settings = app.settings.browser if readable else BrowserSettings()
    driver, browser, found = await start(settings, headless=True, downloads=None)
    try:
        return f"{found.label}, version {browser.version}"
    finally:
        await browser.close()
        await driver.stop()

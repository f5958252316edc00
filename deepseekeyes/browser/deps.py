"""What the browser operations are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from deepseekeyes.automation.given import Stdin
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.browser.desk import Desk
from deepseekeyes.browser.outgoing import Resolve
from deepseekeyes.browser.ports import Starts
from deepseekeyes.browser.settings import BrowserSettings
from deepseekeyes.contracts.session import SessionEnd, SessionList
from deepseekeyes.core.clock import Clock


@dataclass(frozen=True, slots=True)
class BrowserDeps:
    """Dependencies of the browser operations.

    Attributes:
        start: starts a browser.
        root: folder of runs; None keeps them in memory.
        keep: puts a screenshot where documents can refer to it.
        stdin: the caller's standard input.
        variable: a variable of the caller's environment.
        environment: of this process, for the display.
        cwd: the caller's working folder, for files to upload.
        resolve: a name to its addresses.
        sessions: the sessions that live on this machine.
        end: ends the host of a session that cannot be asked.
        version: of the program, for the log.
    """

    settings: BrowserSettings
    automation: AutomationSettings
    clock: Clock
    desk: Desk
    start: Starts
    root: Path | None
    keep: Callable[[bytes], str]
    stdin: Stdin
    variable: Callable[[str], str | None]
    note: Callable[[str], None]
    environment: Mapping[str, str]
    cwd: Path
    resolve: Resolve
    sessions: Callable[[], SessionList]
    end: Callable[[str, str], SessionEnd | None]
    version: str

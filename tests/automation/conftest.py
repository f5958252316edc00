"""A run and a page on paper."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from paper_surface import Paper

from deepseekeyes.automation.run import Run
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.core.clock import Clock


class Time:
    """A clock that moves when it is asked, by a tenth of a second."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.ids = 0

    def tick(self) -> float:
        self.seconds += 0.1
        return self.seconds

    def new_id(self) -> str:
        self.ids += 1
        return f"{self.ids:032x}"

    def clock(self) -> Clock:
        return Clock(
            now=lambda: datetime(2026, 12, 1, 10, 0, tzinfo=UTC) + timedelta(seconds=self.tick()),
            monotonic=self.tick,
            new_id=self.new_id,
        )


Make = Callable[..., Paper]


@pytest.fixture
def settings() -> AutomationSettings:
    return AutomationSettings()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a page with a text field, a protected field and a button."""

    def made(*, memory: bool = False, **settings: Any) -> Paper:
        run = Run.start(
            "browser",
            "default",
            root=None if memory else tmp_path / "runs",
            settings=AutomationSettings(**settings),
            clock=Time().clock(),
            version="1.2.3",
        )
        paper = Paper(run)
        paper.add("textbox", "Your name", (20, 220, 260, 34))
        paper.add("textbox", "Password", (20, 270, 260, 34), protected=True)
        paper.add("button", "Send", (300, 220, 120, 34))
        return paper

    return made

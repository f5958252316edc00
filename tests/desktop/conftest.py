"""Desktop operations over a desktop on paper, and over a real one, in a home of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from desktop_session import DesktopSession, desktop, whole_desktop
from paper_desktop import PaperDesktop, form

from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.contracts.document import ErrorDocument
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.ports import Backend, Opening
from deepseekeyes.desktop.settings import DesktopSettings
from deepseekeyes.dispatch import _load, request_type, validated
from deepseekeyes.operations import OPERATIONS
from deepseekeyes.store.documents import Documents

__all__ = ["desktop", "whole_desktop"]


class Hands:
    """Runs desktop operations one by one, each as a process of its own would, and gives their documents as values."""

    def __init__(self, place: Path, opens: Callable[[Opening], Backend], environ: dict[str, str], **more: Any) -> None:
        self.place = place
        self.opens = opens
        self.environ = environ
        self.settings: dict[str, Any] = {"enabled": True, "settle_ms": 0, **more}
        self.kept: dict[str, bytes] = {}
        self.stdin = b""
        self.secrets: dict[str, Any] = {}
        self.state: str | None = None

    def deps(self) -> DesktopDeps:
        settings = DesktopSettings.model_validate(self.settings)
        folder = settings.artifacts_dir

        def keep(data: bytes) -> str:
            import hashlib

            self.kept[hashlib.sha256(data).hexdigest()] = data
            return hashlib.sha256(data).hexdigest()

        return DesktopDeps(
            settings=settings,
            automation=AutomationSettings.model_validate({"secrets": self.secrets}),
            clock=Clock(),
            sessions=Documents(self.place),
            open=self.opens,
            opening=Opening(self.environ, timeout_s=10.0, semantic=settings.semantic),
            locks=self.place / "run",
            root=None if folder is False else self.place / folder,
            keep=keep,
            stdin=lambda _, __: self.stdin,
            variable=lambda name: self.environ.get(name),
            note=lambda _: None,
            programs=self.environ,
            cwd=self.place,
            sleep=self._sleep,
            version="1.2.3",
        )

    def _sleep(self, seconds: float) -> None:
        if "DISPLAY" in self.environ:
            import time

            time.sleep(seconds)

    def __call__(self, verb: str, **payload: Any) -> dict[str, Any]:
        function = _load(OPERATIONS[f"desktop.{verb}"].target)
        try:
            request = validated(request_type(function), payload)
            found: dict[str, Any] = run(function(request, self.deps())).to_json()
        except EyesError as failed:
            found = ErrorDocument(error=ErrorBody.of(failed)).to_json()
        self.state = found.get("stateId") or self.state
        return found

    def written(self) -> str:
        """Everything that was stored in the home, as one text."""
        files = [
            path for path in self.place.rglob("*") if path.is_file() and path.suffix in {".json", ".jsonl", ".html"}
        ]
        return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


@pytest.fixture
def paper() -> PaperDesktop:
    """A desktop with one form on it."""
    made = PaperDesktop()
    form(made)
    return made


@pytest.fixture
def hands(paper: PaperDesktop, tmp_path: Path) -> Hands:
    """Operations over the paper desktop."""

    def opens(_: Opening) -> Backend:
        paper.opened += 1
        paper.closed = False
        return paper

    return Hands(tmp_path / "home", opens, {})


class Stage:
    """One form to act on, real or on paper, and what it says afterwards."""

    def __init__(self, hands: Hands, title: str, name: Callable[[], str], greeted: Callable[[], bool]) -> None:
        self.hands = hands
        self.title = title
        self.name = name
        self.greeted = greeted


@pytest.fixture(params=["paper", pytest.param("real", marks=pytest.mark.service)])
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    """The same form twice: on paper, and as a GTK program on Xvfb."""
    if request.param == "paper":
        yield _on_paper(tmp_path)
        return
    session: DesktopSession = request.getfixturevalue("desktop")
    from deepseekeyes.desktop.adapters.linux.opening import open_linux

    program = session.run("gtk3")
    place = tmp_path / "home"
    made = Hands(place, open_linux, session.environ, settle_ms=150)

    def name() -> str:
        return next((one["value"] for one in reversed(program.told()) if one["event"] == "name"), "")

    yield Stage(made, program.title, name, lambda: any(one["event"] == "greet" for one in program.told()))


def _on_paper(tmp_path: Path) -> Stage:
    paper = PaperDesktop()
    pane = form(paper, title="gtk3 form")
    greeted: list[bool] = []
    things = {one.name: one for one in pane.things if one.role != "label"}
    things["Save"].name = "Greet"
    things["Save"].clicked = lambda: greeted.append(True)
    made = Hands(tmp_path / "home", lambda _: paper, {})
    return Stage(made, "gtk3 form", lambda: str(things["Name"].value), lambda: bool(greeted))

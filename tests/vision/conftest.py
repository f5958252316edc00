"""A home with one scripted eye and one scripted reasoning model, asked in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from scripted_model import ScriptedModel, says

from deepseekeyes.core.errors import EyesError
from deepseekeyes.dispatch import dispatch
from deepseekeyes.wiring.app import App

LOOK_MARK = "<deepseekeyes-request>"


def png(colour: str = "white", size: tuple[int, int] = (64, 40)) -> bytes:
    """A plain picture; another colour is another picture."""
    from PIL import Image

    out = BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def base(*lines: str, **more: Any) -> str:
    """What an eye answers about a whole picture: these lines of text, one below the other."""
    step = 0.9 / max(1, len(lines))
    return json.dumps(
        {
            "schemaVersion": "deepseekeyes.evidence.v1",
            "summary": "A form.",
            "ocr": [
                {"text": line, "bbox": [0.1, round(0.05 + at * step, 4), 0.5, round(step / 2, 4)], "confidence": 0.9}
                for at, line in enumerate(lines)
            ],
            "regions": [],
            "objects": [],
            "relations": [],
            "quantitativeFacts": [],
            "uncertainties": [],
            **more,
        }
    )


def target(answer: str) -> str:
    """What an eye answers to one question."""
    return json.dumps(
        {
            "schemaVersion": "deepseekeyes.target.v1",
            "answer": answer,
            "observations": [{"fact": answer, "bbox": [0, 0, 1, 1], "confidence": 0.9}],
            "ocr": [],
            "uncertainties": [],
        }
    )


def wish(sha256: str, question: str = "What is written there?", **more: Any) -> str:
    """What a reasoning model says when it wants another look."""
    return f"{LOOK_MARK}{json.dumps({'imageSha256': sha256, 'question': question, **more})}</deepseekeyes-request>"


@dataclass
class Listener:
    """A door that remembers what it was told."""

    piped: bytes = b""
    wants_text: bool = False
    local: bool = True
    shown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def stdin(self, limit: int) -> bytes:
        return self.piped[:limit]

    def progress(self, done: int, total: int | None, label: str) -> None:
        return

    def item(self, document: Any) -> None:
        return

    def text(self, delta: str) -> None:
        self.shown.append(delta)

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)


@dataclass
class Desk:
    """Where questions are asked.

    `eye` and `thinker` are scripted endpoints; `settings` are flags by dotted key; `routes` lay fields over the entries
    `eye` and `thinker`, or add further ones.
    """

    home: Path
    folder: Path
    eye: ScriptedModel
    thinker: ScriptedModel
    door: Listener = field(default_factory=Listener)
    settings: dict[str, Any] = field(default_factory=dict)
    routes: dict[str, dict[str, Any]] = field(default_factory=dict)

    def picture(self, name: str = "a.png", colour: str = "white") -> str:
        """A picture file; returns its name."""
        path = self.folder / name
        path.write_bytes(png(colour))
        return str(path)

    def write_config(self) -> None:
        """The configuration in the home."""
        entries = {
            "eye": self.eye.fields(capabilities=["image_to_evidence"], coordinates="normalized"),
            "thinker": self.thinker.fields(capabilities=["text_to_text"], inputs=["text"]),
            "local": {"enabled": False},
        }
        for name, fields in self.routes.items():
            entries[name] = {**entries.get(name, {}), **fields}
        self.home.mkdir(parents=True, exist_ok=True)
        self.home.chmod(0o700)
        lines = [f"{name} = {json.dumps(value)}" for name, value in self._flags().items()]
        lines += [
            f"routes.{json.dumps(name)}.{key} = {_toml(value)}"
            for name, fields in entries.items()
            for key, value in fields.items()
        ]
        (self.home / "config.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _flags(self) -> dict[str, Any]:
        return {"vision.active_probe": False, **self.settings}

    def app(self) -> App:
        self.write_config()
        return App(door=self.door, home=self.home, cwd=self.folder, environ={}, flags={})

    def run(self, operation: str, **request: Any) -> Any:
        """One operation in an app of its own."""
        app = self.app()
        try:
            return asyncio.run(dispatch(operation, request, app))
        finally:
            app.close()

    def ask(self, *images: str, question: str = "What is the total?", **more: Any) -> Any:
        return self.run("vision.ask", images=list(images) or [self.picture()], question=question, **more)

    def failure(self, *images: str, **more: Any) -> EyesError:
        """The failure that a question must end in."""
        with pytest.raises(EyesError) as caught:
            self.ask(*images, **more)
        return caught.value

    def reads(self, *lines: str, **more: Any) -> None:
        """The eye's next answer about a whole picture."""
        self.eye.script(says(base(*lines, **more)))

    def told(self, call: int = -1) -> str:
        """Everything the reasoning model was told in one call."""
        messages = self.thinker.calls[call].body["messages"]
        return "\n".join(f"{message['role']}: {message['content']}" for message in messages)

    def usage(self) -> list[tuple[str, str]]:
        """Purpose and outcome of what was booked, oldest first."""
        app = self.app()
        try:
            rows = app.books.ledger.rows("usage", 100, oldest_first=True)
            return [(row.body["purpose"], row.body["outcome"]) for row in rows]
        finally:
            app.close()


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)


@pytest.fixture
def desk(home: Path, tmp_path: Path) -> Iterator[Desk]:
    with ScriptedModel() as eye, ScriptedModel() as thinker:
        yield Desk(home, tmp_path, eye, thinker)


@pytest.fixture
def asking() -> Any:
    """The words that eyes and reasoning models say: `base`, `target`, `wish`, `png`."""
    return type(
        "Words",
        (),
        {
            "base": staticmethod(base),
            "target": staticmethod(target),
            "wish": staticmethod(wish),
            "png": staticmethod(png),
        },
    )

"""A serving process inside the test: a home with one scripted eye, and the SDK's own client in front of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from scripted_model import ScriptedModel, says

from deepseekeyes.serve.served_door import ServedDoor
from deepseekeyes.serve.serving import Serving
from deepseekeyes.wiring.app import App

HOSTILE = Path(__file__).parents[1] / "hostile" / "mcp"


def png(colour: str = "white", size: tuple[int, int] = (64, 40)) -> bytes:
    from PIL import Image

    out = BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def evidence(*lines: str) -> str:
    """What an eye answers about a picture with these lines of text."""
    return json.dumps(
        {
            "schemaVersion": "deepseekeyes.evidence.v1",
            "summary": "A form.",
            "ocr": [
                {"text": line, "bbox": [0.1, round(0.1 * at, 4), 0.5, 0.05], "confidence": 0.9}
                for at, line in enumerate(lines)
            ],
            "regions": [],
            "objects": [],
            "relations": [],
            "quantitativeFacts": [],
            "uncertainties": ["the stamp"],
        }
    )


@dataclass
class Desk:
    """Where a server is set up.

    Attributes:
        settings: flags by dotted key, written to the home's configuration.
        servers: `[mcp.servers.ID]` sections.
    """

    home: Path
    folder: Path
    eye: ScriptedModel
    settings: dict[str, Any] = field(default_factory=dict)
    servers: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    local: bool = True
    environ: dict[str, str] = field(default_factory=dict)

    def picture(self, name: str = "a.png", colour: str = "white") -> str:
        path = self.folder / name
        path.write_bytes(png(colour))
        return str(path)

    def reads(self, *lines: str, **more: Any) -> None:
        """The eye's next answer."""
        self.eye.script(says(evidence(*lines), **more))

    def hostile(self, name: str, *words: str, **fields: Any) -> None:
        """A managed server from the pack of hostile ones."""
        import sys

        self.servers[name] = {
            "transport": "stdio", "command": sys.executable, "args": [str(HOSTILE / f"{name}.py"), *words],
            "allowed_tools": ["*"], **fields,
        }  # fmt: skip

    def write_config(self) -> Path:
        self.home.mkdir(parents=True, exist_ok=True)
        self.home.chmod(0o700)
        entry = self.eye.fields(capabilities=["image_to_evidence"], coordinates="normalized")
        values = {
            "vision.active_probe": False,
            **({"mcp.enabled": True} if self.servers else {}),
            **self.settings,
            **{f"routes.eye.{key}": value for key, value in entry.items()},
            "routes.local.enabled": False,
        }
        lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
        for name, fields in self.servers.items():
            lines += [f"\n[mcp.servers.{name}]", *(f"{key} = {_toml(value)}" for key, value in fields.items())]
        path = self.home / "config.toml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    def app(self) -> App:
        return App(
            door=ServedDoor(local=self.local),
            home=self.home,
            cwd=self.folder,
            environ=self.environ,
            flags={},
            serving=True,
        )

    @asynccontextmanager
    async def serving(self, *groups: str, upstream: bool = False) -> AsyncIterator[Serving]:
        """What stands behind every transport."""
        self.write_config()
        made = Serving(self.app, groups or None, with_upstream=upstream)
        await made.start()
        try:
            yield made
        finally:
            await made.close()

    @asynccontextmanager
    async def client(self, *groups: str, mode: str = "auto", upstream: bool = False, **more: Any) -> AsyncIterator[Any]:
        """The SDK's client, talking to the server in this process."""
        from mcp import Client

        from deepseekeyes.serve.mcp_server import Protocol

        async with (
            self.serving(*groups, upstream=upstream) as serving,
            Client(Protocol(serving).server, mode=mode, **more) as client,
        ):
            yield client


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)

"""What a page shows as pixels, read and asked about through a pipe in a shell."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_model import ScriptedModel, says
from site_under_test import Site, site

pytestmark = [pytest.mark.service, pytest.mark.timeout(400)]

EYES = f"{sys.executable} -m deepseekeyes"
READS = json.dumps(
    {
        "schemaVersion": "deepseekeyes.evidence.v1",
        "summary": "A page with three buttons.",
        "ocr": [{"text": "Delete", "bbox": [0.0, 0.05, 0.05, 0.08], "confidence": 0.9}],
        "regions": [],
        "objects": [],
        "relations": [],
        "quantitativeFacts": [],
        "uncertainties": [],
    }
)


def shell(line: str) -> Any:
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stderr.decode().count("Traceback")) == (0, 0), done.stderr.decode()
    return json.loads(done.stdout)


@pytest.fixture
def eye() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def thinker() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def page() -> Iterator[Site]:
    with site() as running:
        yield running


@pytest.fixture
def opened(home: Path, eye: ScriptedModel, thinker: ScriptedModel, page: Site) -> Iterator[None]:
    home.mkdir(mode=0o700, parents=True)
    fields = eye.fields(capabilities=["image_to_evidence"], coordinates="normalized")
    thinks = {"base_url": thinker.url, "model": "m", "engine": "openai_chat", "inputs": ["text"]}
    rows = [("eye", fields), ("thinker", {**thinks, "capabilities": ["text_to_text"]})]
    (home / "config.toml").write_text(
        "vision.active_probe = false\nroutes.local.enabled = false\nbrowser.enabled = true\nbrowser.headless = true\n"
        + "".join(f"routes.{name}.{key} = {json.dumps(value)}\n" for name, row in rows for key, value in row.items()),
        encoding="utf-8",
    )
    shell(f"{EYES} browser open {page.url}/dialogs.html --json")
    yield
    shell(f"{EYES} browser close --json")


def test_a_look_is_read_through_a_pipe(opened: None, eye: ScriptedModel) -> None:
    eye.script(says(READS))
    seen = shell(f"{EYES} browser observe --json")
    record = shell(f"{EYES} browser observe --json | {EYES} vision read - --json")
    assert (record["schema"], record["evidence"]["summary"]) == (
        "deepseekeyes.evidence-record.v1",
        "A page with three buttons.",
    )
    assert record["source"]["sha256"] == seen["screenshot"]["sha256"]
    assert (record["source"]["width"], record["source"]["height"]) == (1440, 900)


def test_a_look_is_asked_about_through_a_pipe(opened: None, eye: ScriptedModel, thinker: ScriptedModel) -> None:
    eye.script(says(READS))
    thinker.script(says("Three."))
    line = f'{EYES} browser observe --json | {EYES} vision ask - "How many buttons are there?" --json'
    answer = shell(line)
    assert (answer["schema"], answer["mode"], answer["answer"]) == ("deepseekeyes.answer.v1", "reasoning", "Three.")
    assert "Delete" in json.dumps(thinker.calls[0].body)

"""Questions from the shell: real processes, scripted and real endpoints, a real terminal."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llama_server import LlamaServer, packaged_model
from scripted_model import ScriptedModel, says

ROOT = Path(__file__).resolve().parents[2]
EYES = [sys.executable, "-m", "deepseekeyes"]
READS = json.dumps(
    {
        "schemaVersion": "deepseekeyes.evidence.v1",
        "summary": "An invoice.",
        "ocr": [{"text": "Total 42 EUR", "bbox": [0.1, 0.1, 0.5, 0.2], "confidence": 0.9}],
        "regions": [],
        "objects": [],
        "relations": [],
        "quantitativeFacts": [],
        "uncertainties": [],
    }
)
SEES = json.dumps(
    {"schemaVersion": "deepseekeyes.target.v1", "answer": "EUR", "observations": [], "ocr": [], "uncertainties": []}
)


@pytest.fixture
def eye() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def thinker() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    from PIL import Image

    path = tmp_path / "invoice.png"
    Image.new("RGB", (64, 40), "white").save(path)
    return path


def configure(home: Path, eye: ScriptedModel, **thinker: Any) -> None:
    """A home with a scripted eye and, where fields are given, a reasoning route."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    lines = ["vision.active_probe = false", "routes.local.enabled = false"]
    entries = {"eye": eye.fields(capabilities=["image_to_evidence"], coordinates="normalized")}
    if thinker:
        entries["thinker"] = {"engine": "openai_chat", "capabilities": ["text_to_text"], "inputs": ["text"], **thinker}
    lines += [
        f"routes.{name}.{key} = {_toml(value)}" for name, fields in entries.items() for key, value in fields.items()
    ]
    (home / "config.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)


def eyes(*words: str, stdin: bytes | None = None) -> tuple[int, Any]:
    done = subprocess.run([*EYES, *words, "--json"], input=stdin, capture_output=True, check=False, timeout=300)
    assert b"Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


def on_a_terminal(*words: str) -> tuple[int, str]:
    """Run a command whose standard output is a terminal; what it printed, with plain line ends."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen([*EYES, *words], stdout=theirs, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    os.close(theirs)
    printed = bytearray()
    while select.select([ours], [], [], 300)[0]:
        try:
            piece = os.read(ours, 65_536)
        except OSError:
            break
        if not piece:
            break
        printed += piece
    os.close(ours)
    return child.wait(timeout=300), printed.decode().replace("\r\n", "\n")


def wish(picture: Path) -> str:
    body = {"imageSha256": hashlib.sha256(picture.read_bytes()).hexdigest(), "question": "Which currency?"}
    return f"<deepseekeyes-request>{json.dumps(body)}</deepseekeyes-request>"


def test_a_question_is_answered_after_one_look(
    home: Path, eye: ScriptedModel, thinker: ScriptedModel, picture: Path
) -> None:
    configure(home, eye, base_url=thinker.url, model="m")
    eye.script(says(READS), says(SEES))
    thinker.script(says(wish(picture)), says("42 EUR"))
    status, answer = eyes("vision", "ask", str(picture), "What is the total?")
    assert (status, answer["schema"], answer["mode"], answer["answer"]) == (
        0,
        "deepseekeyes.answer.v1",
        "reasoning",
        "42 EUR",
    )
    assert [look["record"]["evidence"]["answer"] for look in answer["looks"]] == ["EUR"]
    listed = eyes("vision", "attempts")[1]["items"]
    assert [row["operation"] for row in listed if row["phase"] == "operation"] == [
        "answer",
        "clarification",
        "answer",
        "base",
    ]
    purposes = eyes("usage", "show", "--by", "purpose")[1]
    assert {group["name"]: group["figures"]["calls"] for group in purposes["groups"]} == {
        "base": 1,
        "target": 1,
        "clarification": 1,
        "final": 1,
    }


def test_a_pipeline_and_a_command_come_to_the_same_records(
    home: Path, eye: ScriptedModel, thinker: ScriptedModel, picture: Path
) -> None:
    configure(home, eye, base_url=thinker.url, model="m")
    eye.script(says(READS))
    thinker.script(says("42"), says("42"))
    _, record = eyes("vision", "read", str(picture))
    _, piped = eyes("vision", "ask", "-", "What is the total?", stdin=json.dumps(record).encode())
    _, named = eyes("vision", "ask", str(picture), "What is the total?")
    assert piped["evidence"][0]["recordSha256"] == named["evidence"][0]["recordSha256"] == record["recordSha256"]
    assert len(eye.calls) == 1


def test_the_words_appear_once_on_a_terminal_and_no_tag_is_seen(
    home: Path, eye: ScriptedModel, thinker: ScriptedModel, picture: Path
) -> None:
    configure(home, eye, base_url=thinker.url, model="m")
    eye.script(says(READS), says(SEES))
    thinker.script(says(wish(picture), pieces=20), says("<think>hm</think>The total is 42 EUR.", pieces=10))
    status, printed = on_a_terminal("vision", "ask", str(picture), "What is the total?")
    assert (status, printed.count("The total is 42 EUR."), "deepseekeyes-request" in printed) == (0, 1, False)
    assert "answered by" in printed
    assert "hm" not in printed.split("answered by")[0]


def test_without_a_reasoning_route_the_evidence_is_quoted(home: Path, eye: ScriptedModel, picture: Path) -> None:
    configure(home, eye)
    eye.script(says(READS))
    status, answer = eyes("vision", "ask", str(picture), "What is the total?")
    assert (status, answer["mode"], answer["answer"]) == (0, "extract", None)
    assert [one["text"] for one in answer["extracts"]] == ["Total 42 EUR"]
    printed = on_a_terminal("vision", "ask", str(picture), "What is the total?")[1]
    assert ("extract" in printed, "Total 42 EUR" in printed, "routes.reasoner" in printed) == (True, True, True)


def test_the_line_that_the_hint_gives_is_a_configuration(
    home: Path, eye: ScriptedModel, thinker: ScriptedModel, picture: Path
) -> None:
    configure(home, eye)
    eye.script(says(READS))
    hint = eyes("vision", "ask", str(picture), "What is the total?")[1]["hint"]
    line = hint[hint.index("routes.reasoner") :].replace("http://127.0.0.1:8080/v1", thinker.url).replace("NAME", "m")
    config = home / "config.toml"
    config.write_text(f"{line}\n{config.read_text(encoding='utf-8')}", encoding="utf-8")
    thinker.script(says("42"))
    assert eyes("vision", "ask", str(picture), "What is the total?")[1]["answer"] == "42"


def test_two_pictures_without_a_question_are_a_usage_error(picture: Path) -> None:
    status, error = eyes("vision", "ask", str(picture), str(picture))
    assert (status, error["error"]["code"]) == (2, "QUESTION_IS_FILE")


def test_orders_in_a_picture_reach_the_model_as_quoted_data(
    home: Path, eye: ScriptedModel, thinker: ScriptedModel
) -> None:
    """The real local eye reads a card that tries to give orders."""
    configure(home, eye, base_url=thinker.url, model="m")
    config = home / "config.toml"
    config.write_text(
        config.read_text(encoding="utf-8").replace("local.enabled = false", "local.enabled = true"), "utf-8"
    )
    thinker.script(says("It is a card that tries to give orders."))
    card = ROOT / "examples" / "images" / "injection-card.png"
    status, answer = eyes("vision", "ask", str(card), "What is this?", "--route", "local")
    assert (status, answer["answer"]) == (0, "It is a card that tries to give orders.")
    rules, told = (message["content"] for message in thinker.calls[0].body["messages"])
    assert "never an instruction" in rules
    body = told.split("<deepseekeyes-evidence>\n")[1].split("\n</deepseekeyes-evidence>")[0]
    assert json.loads(body)["evidence"]["ocr"][0]["text"] == answer["evidence"][0]["evidence"]["ocr"][0]["text"]
    assert told.count("</deepseekeyes-evidence>") == 1


@pytest.mark.service
@pytest.mark.timeout(900)
def test_a_real_server_answers_streams_and_counts(
    home: Path, eye: ScriptedModel, picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protocol, streaming and usage; what so small a model says is not judged."""
    quiet = {"temperature": 0, "seed": 1}
    with LlamaServer(tmp_path, vision=False, model=packaged_model(), context=4096) as server:
        configure(home, eye, base_url=server.url, model="smollm2", extra_body=quiet, limits={"context_tokens": 4096})
        eye.script(says(READS))
        question = ("vision", "ask", str(picture), "What is the total?")
        monkeypatch.setenv("DEEPSEEKEYES_VISION_MAX_CLARIFICATIONS", "0")
        status, answer = eyes(*question)
        assert (status, answer["mode"], answer["route"]["id"]) == (0, "reasoning", "thinker")
        assert answer["answer"].strip() == answer["answer"] != ""
        final = answer["usage"]["final"]
        assert (final["inputTokens"] or 0) + (final["cacheReadTokens"] or 0) > 100
        assert final["outputTokens"] > 0
        shown, printed = on_a_terminal(*question)
        assert (shown, "answered by" in printed) == (0, True)
        assert printed.split("answered by")[0].strip()

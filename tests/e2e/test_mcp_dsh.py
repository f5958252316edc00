"""DeepSeek Harness itself, headless, calling the tools of `mcp serve`; its model is a script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from model_protocols import Answer, Request, event
from node_programs import INSTALL_S, over_http
from scripted_model import ScriptedModel

ROOT = Path(__file__).resolve().parents[2]
PICTURE = str(ROOT / "examples/images/error-dialog.png")
PATIENCE_S = 110

SETTINGS = """
llm-pi-ai:
  providers:
    eyes:
      displayName: script
      api: openai-completions
      baseURL: {url}
      apiKeyEnv: SCRIPT_KEY
      compat: {{supportsDeveloperRole: false, maxTokensField: max_tokens}}
      models:
        - {{id: m, name: m, input: [text, image], contextWindow: 65536, maxTokens: 4096}}
agent-default-model: {{provider: eyes, model: m}}
"""


def patch(transport: dict[str, Any]) -> str:
    """The harness's configuration of one MCP server; JSON is YAML."""
    config = {"serverName": "eyes", "failOnStartupError": True, **transport}
    plugin = {"id": "mcp-eyes", "name": "@deepseek-ai/dsh-mcp-client", "config": config}
    return json.dumps([{"insert": [plugin]}])


def turn(tool: str, arguments: dict[str, Any]) -> Any:
    """A model that calls one tool when it is offered and then says what came back."""

    def answer(request: Request) -> Answer:
        offered = {each["function"]["name"] for each in request.body.get("tools", ())}
        results = [each for each in request.body["messages"] if each["role"] == "tool"]
        if tool in offered and not results:
            call = {"name": tool, "arguments": json.dumps(arguments)}
            delta: dict[str, Any] = {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": call}]}
            reason = "tool_calls"
        else:
            delta, reason = {"content": f"done: {json.dumps(results)}"}, "stop"
        pieces = [
            {"choices": [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
            {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}},
        ]
        sent = [event({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", **p}) for p in pieces]
        return Answer(chunks=(*sent, b"data: [DONE]\n\n"), content_type="text/event-stream")

    return answer


def asked(harness: list[str], place: Path, model: ScriptedModel, transport: dict[str, Any]) -> str:
    """One headless run; what the harness prints is the model's last answer."""
    home, workspace = place / "harness", place / "workspace"
    home.mkdir()
    workspace.mkdir()
    (home / "settings.yaml").write_text(SETTINGS.format(url=model.url), encoding="utf-8")
    (place / "mcp.yml").write_text(patch(transport), encoding="utf-8")
    done = subprocess.run(
        [*harness, "--profile", "headless", "--patch", str(place / "mcp.yml"), "look at the picture"],
        cwd=workspace, env={**os.environ, "DSH_HOME": str(home), "SCRIPT_KEY": "sk-local"},
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.service
@pytest.mark.xdist_group("mcp-hosts")
@pytest.mark.timeout(INSTALL_S + PATIENCE_S * 2)
def test_the_harness_reads_a_picture_and_its_model_gets_text_and_pixels(harness: list[str], tmp_path: Path) -> None:
    serve = {
        "transport": "stdio",
        "command": sys.executable,
        "args": ["-m", "deepseekeyes", "mcp", "serve"],
        "env": {"DEEPSEEKEYES_HOME": os.environ["DEEPSEEKEYES_HOME"]},
    }
    with ScriptedModel() as model:
        model.script(*[turn("mcp__eyes__vision_read", {"image": PICTURE, "withImages": True})] * 8)
        told = asked(harness, tmp_path, model, serve)
        turns = [request.body for request in model.requests if request.body.get("tools")]
    assert "BK-4107" in told
    offered = {each["function"]["name"] for each in turns[0]["tools"]}
    assert {"mcp__eyes__vision_read", "mcp__eyes__vision_look", "mcp__eyes__doctor_run"} <= offered
    assert max(map(len, offered)) <= 64
    parts = [part for each in turns[-1]["messages"] if isinstance(each["content"], list) for part in each["content"]]
    assert any(part.get("image_url", {}).get("url", "").startswith("data:image/") for part in parts)


@pytest.mark.service
@pytest.mark.xdist_group("mcp-hosts")
@pytest.mark.timeout(INSTALL_S + PATIENCE_S * 2)
def test_the_harness_speaks_over_http_and_hears_a_failure_as_one(harness: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "deepseekeyes", "mcp", "serve", "--transport", "http", "--port", "0"]
    with ScriptedModel() as model, over_http(command) as url:
        model.script(*[turn("mcp__eyes__vision_read", {"image": str(tmp_path / "absent.png")})] * 8)
        told = asked(harness, tmp_path, model, {"transport": "streamable-http", "url": url})
    assert "PATH_REFUSED" in told

"""A session host with a handful of operations of its own, for tests of what lies around them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.operations import OPERATIONS, Operation
from deepseekeyes.serve.host import main as host_main

TRIAL_REFUSED = Code("TRIAL_REFUSED", "policy", "Ask for less.")
ENTRY = "trial_host:main"


class Ask(Contract):
    session: str = "default"
    refuse: bool = False
    hold_s: float = 0.0
    stdin: bool = False
    variable: str | None = None
    size: int = 0
    verdict: bool = False
    bug: bool = False


class Told(Document):
    schema_: Literal["deepseekeyes.trial.v1"] = Field(default="deepseekeyes.trial.v1", alias="schema")
    calls: int
    pid: int
    cwd: str
    text: str = ""
    child: int | None = None
    verdict: bool = False

    def outcome(self) -> Outcome | None:
        return "verdict" if self.verdict else None


@dataclass(frozen=True, slots=True)
class Deps:
    app: Any


COUNT = [0]


def deps(app: Any) -> Deps:
    return Deps(app)


async def run(request: Ask, deps: Deps) -> Told:
    if request.bug:
        raise RuntimeError("a bug")
    if request.refuse:
        raise EyesError(TRIAL_REFUSED, "Refused.")
    app = deps.app
    text = "x" * request.size
    if request.stdin:
        text = app.door.stdin(1000).decode()
    if request.variable:
        text = str(app.door.environment(request.variable))
    app.door.note("working") if request.hold_s else None
    await asyncio.sleep(request.hold_s)
    COUNT[0] += 1
    return Told(calls=COUNT[0], pid=os.getpid(), cwd=str(app.cwd), text=text, verdict=request.verdict)


async def child(request: Ask, deps: Deps) -> Told:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

    async def end() -> None:
        process.kill()
        process.wait()

    deps.app.endings.append(end)
    return Told(calls=0, pid=os.getpid(), cwd="", child=process.pid)


def register() -> None:
    for name, effect, life, verb in (
        ("open", "acts", "starts", "run"),
        ("add", "acts", "lives", "run"),
        ("read", "reads", "lives", "run"),
        ("child", "acts", "lives", "child"),
        ("close", "acts", "ends", "run"),
    ):
        OPERATIONS[f"trial.{name}"] = Operation(
            f"trial_host:{verb}",
            "trial_host:deps",
            "session",
            effect,
            life,  # type: ignore[arg-type]
        )


def main() -> int:
    register()
    return host_main()

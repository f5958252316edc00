"""Eyes made by hand, and everything a probe needs, in memory or in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.clock import Clock
from deepseekeyes.probe import ladder
from deepseekeyes.probe.deps import ProbeDeps
from deepseekeyes.probe.settings import ProbeSettings
from deepseekeyes.probe.verdicts import Verdicts
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import EngineReply, EngineRequest
from deepseekeyes.store.documents import Documents

SEED = 7
ASKING = TokenUsage(input_tokens=200, output_tokens=20)
BLIND = TokenUsage(input_tokens=100, output_tokens=20)

Answers = Callable[[str, dict[str, Any]], str | dict[str, Any]]


def rungs_by_picture(seed: int = SEED, max_side: int | None = None) -> dict[str, str]:
    """Which rung a picture belongs to, so that only an eye that gets the picture can answer."""
    return {sha256(ladder.challenge(name, seed, max_side=max_side).png).hexdigest(): name for name in ladder.RUNGS}


@dataclass
class Eye:
    """An engine: `answers` gets the rung and its right answer; what it returns is a text, or an evidence document."""

    answers: Answers
    usage: TokenUsage = ASKING
    blind_usage: TokenUsage = BLIND
    drops_pictures: bool = False
    asked: list[EngineRequest] = field(default_factory=list)

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        self.asked.append(request)
        pictures = [] if self.drops_pictures else [p for message in request.messages for p in message.pictures]
        if not pictures:
            return EngineReply("I see no picture.", usage=self.usage if self.drops_pictures else self.blind_usage)
        rung = rungs_by_picture()[pictures[0].sha256]
        said = self.answers(rung, ladder.right_answer(rung, SEED))
        if isinstance(said, dict):
            return EngineReply(document=said, usage=TokenUsage())
        return EngineReply(said, usage=self.usage)


def perfect(rung: str, right: dict[str, Any]) -> str:
    return json.dumps(right)


def evidence(**parts: Any) -> dict[str, Any]:
    lists = {name: [] for name in ("ocr", "regions", "objects", "relations", "quantitativeFacts", "uncertainties")}
    return {"schemaVersion": "deepseekeyes.evidence.v1", "summary": "a picture", **lists, **parts}


def as_text(box: list[float], text: str) -> dict[str, Any]:
    return {"text": text, "bbox": box, "confidence": 0.9}


def as_object(box: list[float], name: str, *attributes: str) -> dict[str, Any]:
    return {"name": name, "bbox": box, "attributes": list(attributes)}


def evidence_of(rung: str, right: dict[str, Any]) -> dict[str, Any]:
    """What a faithful eye without a prompt reports about a challenge."""
    if rung == "grid":
        cells = [
            as_object([column / 3, row / 3, 1 / 3, 1 / 3], "square", right["cells"][3 * row + column])
            for row in range(3)
            for column in range(3)
        ]
        return evidence(objects=cells)
    if rung == "place":
        return evidence(
            ocr=[
                as_text([x + width / 2 - 0.02, y + height / 2 - 0.02, 0.04, 0.04], mark["label"])
                for mark in right["marks"]
                for x, y, width, height in (mark["bbox"],)
            ]
        )
    lines = right.get("lines") or right.get("text") or []
    return evidence(ocr=[as_text([0.1, 0.1 + 0.2 * row, 0.5, 0.1], line) for row, line in enumerate(lines)])


@dataclass
class Time:
    """A clock that stands still until it is moved, and rolls the same seed."""

    at: datetime = datetime(2026, 12, 1, tzinfo=UTC)

    def clock(self) -> Clock:
        return Clock(now=lambda: self.at, randbelow=lambda _: SEED)

    def pass_by(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def route(name: str = "qwen", **more: Any) -> Route:
    fields = {"engine": "openai_chat", "model": "vl", "capabilities": ["image_to_evidence"], **more}
    return Route.model_validate({"id": name, **fields})


def deps_for(
    eye: Any, time: Time | None = None, *, home: Path | None = None, eyes: tuple[Route, ...] = (), **more: Any
) -> ProbeDeps:
    clock = (time or Time()).clock()
    settings = more.pop("settings", ProbeSettings())
    verdicts = Verdicts(Documents(home), settings, clock)
    lock_dir = home / "run" if home is not None else None
    return ProbeDeps(eyes or (route(),), lambda _: eye, verdicts, lock_dir, settings, clock, **more)


@pytest.fixture
def time() -> Time:
    return Time()

"""Recorded exchanges: answers without a network, the same every time."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.atomic import read_file
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import redact, surface
from deepseekeyes.core.secrets import known_values
from deepseekeyes.routing import codes
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import Engine, EngineReply, EngineRequest

SCHEMA: Final = "deepseekeyes.recording.v1"
MAX_RECORDING_BYTES: Final = 67_108_864
KINDS: Final = ("input", "auth", "unavailable", "contract", "policy")


def exchange_key(request: EngineRequest) -> str:
    """What identifies a request: its work, its words and its pictures, not its route or budget."""
    from hashlib import sha256

    messages = [
        {
            "role": message.role,
            "text": sha256(message.text.encode("utf-8", "surrogatepass")).hexdigest(),
            "pictures": [picture.sha256 for picture in message.pictures],
        }
        for message in request.messages
    ]
    region = None if request.region is None else request.region.model_dump(mode="json")
    return digest(
        {
            "capability": request.capability,
            "messages": messages,
            "variant": request.variant,
            "question": request.question,
            "region": region,
        }
    )


@dataclass(slots=True)
class Replay:
    """`Engine` that answers from the file `options.recording` of its route (JSON lines).

    Equal requests get their recorded answers in order; the last one stays.
    """

    _books: dict[str, dict[str, list[dict[str, Any]]]] = field(default_factory=dict)
    _turns: dict[tuple[str, str], int] = field(default_factory=dict)

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        """The recorded answer.

        Raises:
            EyesError: `RECORDING_MISSING`, `RECORDING_INVALID`, or the recorded failure.
        """
        name = route.options.get("recording")
        if not isinstance(name, str) or not name:
            raise EyesError(codes.RECORDING_MISSING, f"Route {route.id} names no recording in options.recording.")
        if name not in self._books:
            self._books[name] = _book(Path(name))
        key = exchange_key(request)
        answers = self._books[name].get(key)
        if not answers:
            raise EyesError(
                codes.RECORDING_MISSING, f"{Path(name).name} holds no answer for this request ({key[:12]})."
            )
        turn = self._turns.get((name, key), 0)
        self._turns[(name, key)] = turn + 1
        return _played(answers[min(turn, len(answers) - 1)], request, Path(name).name)


@dataclass(frozen=True, slots=True)
class Recorded:
    """`Engine` around an engine that writes each exchange down, redacted. Request words are kept as hashes only."""

    engine: Engine
    write: Callable[[str], None]

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        try:
            reply = await self.engine.run(route, request)
        except EyesError as error:
            failure = {"code": error.code.name, "kind": error.kind, "message": surface(error.message)}
            self._line(route, request, {"error": failure})
            raise
        self._line(
            route,
            request,
            {
                "reply": {
                    "text": redact(reply.text, known_values()),
                    "reasoning": redact(reply.reasoning, known_values()),
                    "finish": reply.finish,
                    "usage": reply.usage.model_dump(mode="json", by_alias=True),
                    "servedModel": reply.served_model,
                    "document": reply.document,
                }
            },
        )
        return reply

    def _line(self, route: Route, request: EngineRequest, outcome: dict[str, Any]) -> None:
        document = {
            "schema": SCHEMA,
            "key": exchange_key(request),
            "route": route.id,
            "model": route.model,
            "capability": request.capability,
            "pictures": [picture.sha256 for message in request.messages for picture in message.pictures],
            **outcome,
        }
        self.write(json.dumps(document, ensure_ascii=False))


def _book(path: Path) -> dict[str, list[dict[str, Any]]]:
    data = read_file(path)
    if data is None:
        raise EyesError(codes.RECORDING_MISSING, f"There is no recording {path.name}.")
    if len(data) > MAX_RECORDING_BYTES:
        raise EyesError(codes.RECORDING_INVALID, f"{path.name} is larger than {MAX_RECORDING_BYTES:,} bytes.")
    book: dict[str, list[dict[str, Any]]] = {}
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA or not isinstance(found.get("key"), str):
            raise EyesError(codes.RECORDING_INVALID, f"Line {number} of {path.name} is not an exchange of {SCHEMA}.")
        book.setdefault(found["key"], []).append(found)
    return book


def _played(found: dict[str, Any], request: EngineRequest, name: str) -> EngineReply:
    from pydantic import ValidationError

    failure = found.get("error")
    if isinstance(failure, dict):
        raise _failure(failure)
    said = found.get("reply")
    try:
        if not isinstance(said, dict):
            raise TypeError("no reply")
        reply = EngineReply(
            text=str(said.get("text", "")),
            reasoning=str(said.get("reasoning", "")),
            finish=said.get("finish", "stop"),
            usage=TokenUsage.model_validate(said.get("usage") or {}),
            served_model=said.get("servedModel"),
            document=said.get("document"),
        )
    except (TypeError, ValidationError) as error:
        raise EyesError(codes.RECORDING_INVALID, f"{name} holds an exchange without a usable reply.") from error
    if request.on_text is not None and reply.text:
        request.on_text(reply.text)
    return reply


def _failure(found: dict[str, Any]) -> EyesError:
    kind = found.get("kind")
    return ErrorBody(
        code=str(found.get("code"))[:128],
        kind=kind if kind in KINDS else "unavailable",
        message=str(found.get("message", "The recorded call failed."))[:500],
        hint="This failure was recorded; use a live route to try again.",
        details={"dispatched": "yes"},
    ).raised()

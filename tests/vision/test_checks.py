"""The eyes as the doctor sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.contracts.examination import Finding
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.codes import ENGINE_FAILED
from deepseekeyes.routing.merge import build_catalog
from deepseekeyes.routing.plan import Asked, Preferences, plan
from deepseekeyes.routing.ports import EngineReply, EngineRequest
from deepseekeyes.vision.checks import SCHEMA_DIGEST, WORDS, VisionChecks, checks, eyes, reads, schema

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "visual-evidence.schema.json"


class FakeEye:
    """Answers with given lines and keeps what it was asked."""

    def __init__(self, *lines: str) -> None:
        self._lines = lines
        self.asked: list[EngineRequest] = []

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        self.asked.append(request)
        return EngineReply(document={"ocr": [{"text": line} for line in self._lines]})


def local() -> Route:
    route = build_catalog().get("local")
    assert route is not None
    return route


def test_the_digest_in_the_code_is_the_published_contracts() -> None:
    assert digest(json.loads(SCHEMA.read_bytes())) == SCHEMA_DIGEST, "the contract changed: is that on purpose?"
    assert schema(SCHEMA.read_bytes()).status == "ok"


def test_a_reformatted_contract_is_the_same_contract() -> None:
    assert schema(json.dumps(json.loads(SCHEMA.read_bytes()), indent=1).encode()).status == "ok"


def loosened(path: str) -> bytes:
    document = json.loads(SCHEMA.read_bytes())
    document["definitions"][path].pop("additionalProperties")
    return json.dumps(document).encode()


def renamed() -> bytes:
    return SCHEMA.read_bytes().replace(b'"maxItems": ', b'"maxItems": 1', 1)


@pytest.mark.parametrize(
    "data", [b"", b"[1", b"\xff", b"{}", loosened("baseEvidence"), loosened("targetEvidence"), renamed()]
)
def test_a_changed_contract_fails(data: bytes) -> None:
    assert schema(data).status == "failed"


@pytest.mark.parametrize(
    ("lines", "status"),
    [((WORDS,), "ok"), (("EYES", "4827"), "ok"), (("eyes 4827.",), "ok"), (("EYES 4821",), "warning"), ((), "warning")],
)
def test_a_reading_is_compared_with_what_was_drawn(lines: tuple[str, ...], status: str) -> None:
    eye = FakeEye(*lines)
    assert run(reads(local(), eye)).status == status
    (picture,) = eye.asked[0].messages[0].pictures
    assert (picture.media_type, picture.data[:4]) == ("image/png", b"\x89PNG")


def test_the_real_local_eye_reads_it() -> None:
    from deepseekeyes.routing.adapters.local.engine import LocalEye

    found = run(reads(local(), LocalEye()))
    assert (found.status, found.fix) == ("ok", None)


def test_an_eye_that_cannot_load_raises_its_own_code() -> None:
    def missing() -> Any:
        raise EyesError(ENGINE_FAILED, "Not installed.")

    by_id = {item.id: item for item in checks(VisionChecks(missing, SCHEMA.read_bytes, None))}
    with pytest.raises(EyesError):
        run(by_id["vision.local"].run())  # type: ignore[arg-type]
    answer = by_id["vision.eyes"].run()
    assert isinstance(answer, Finding)
    assert answer.status == "skipped"


def test_eyes_are_told_in_their_order() -> None:
    assert eyes(plan(build_catalog().routes, Asked(EYE))) == Finding("ok", "Eyes in order: local.")


def test_no_possible_eye_fails_with_the_reasons() -> None:
    catalog = build_catalog({"local": {"enabled": False}})
    found = eyes(plan(catalog.routes, Asked(EYE)))
    assert found.status == "failed"
    assert "local" in found.seen


def test_a_configured_eye_that_does_not_exist_is_a_warning() -> None:
    found = eyes(plan(build_catalog().routes, Asked(EYE), Preferences(configured="gone", priority=("lost/x",))))
    assert found.status == "warning"
    assert "gone" in found.seen
    assert "lost/x" in found.seen

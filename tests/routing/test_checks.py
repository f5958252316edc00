"""Routes as the doctor sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from deepseekeyes.contracts.examination import Finding
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.routing import codes
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.checks import RoutingChecks, checks
from deepseekeyes.routing.merge import build_catalog
from deepseekeyes.routing.ports import Readied

ENTRY = {
    "engine": "openai_chat",
    "model": "m",
    "base_url": "https://example.invalid/v1",
    "key": {"env": "QK"},
    "capabilities": ["image_to_evidence"],
}


def findings(
    routes: Mapping[str, Any], *, missing: Mapping[str, str] | None = None, ready: Any = None
) -> dict[str, Finding]:
    async def up(route: Route) -> Readied:
        return Readied("fresh", f"{route.id} lists m")

    deps = RoutingChecks(lambda: build_catalog(routes), lambda: missing or {}, ready or up)
    found: dict[str, Finding] = {}
    for item in checks(deps):
        answer = item.run()
        found[item.id.removeprefix("routing.")] = answer if isinstance(answer, Finding) else run(answer)
    return found


def test_a_route_is_told_as_declared_and_its_endpoint_answers() -> None:
    found = findings({"q": ENTRY}, missing={"deepseek-official": "DEEPSEEK_API_KEY"})
    assert {name: finding.status for name, finding in found.items()} == {
        "catalog": "ok",
        "deepseek-official": "skipped",
        "deepseek-official.up": "skipped",
        "q": "ok",
        "q.up": "ok",
    }
    assert found["q"].seen == "q/m over openai_chat at https://example.invalid/v1."
    assert found["q.up"].seen == "https://example.invalid/v1 answered: q lists m"


def test_a_missing_key_is_a_warning_with_the_line_that_sets_it() -> None:
    found = findings({"q": ENTRY}, missing={"q": "QK"})
    assert (found["q"].status, found["q"].fix) == ("warning", "export QK=...")
    assert found["q.up"].status == "skipped"


def test_a_disabled_route_is_not_asked() -> None:
    found = findings({"q": {**ENTRY, "enabled": False}})
    assert found["q"].status == "skipped"
    assert "q.up" not in found


def test_an_endpoint_that_is_down_raises_its_own_code() -> None:
    async def down(route: Route) -> Readied:
        raise EyesError(codes.ENGINE_UNREACHABLE, f"{route.id} refused.")

    with pytest.raises(EyesError) as caught:
        findings({"q": ENTRY}, ready=down)
    assert caught.value.code is codes.ENGINE_UNREACHABLE


def test_endpoints_are_asked_under_deep_only() -> None:
    deps = RoutingChecks(lambda: build_catalog({"q": ENTRY}), dict, lambda route: None)  # type: ignore[arg-type,return-value]
    assert {item.id for item in checks(deps) if item.deep} == {"routing.q.up", "routing.deepseek-official.up"}


def test_a_broken_catalog_is_one_line_that_raises_and_a_broken_configuration_one_that_is_skipped() -> None:
    broken = RoutingChecks(lambda: build_catalog({"q": {"engine": "?"}}), dict, lambda route: None)  # type: ignore[arg-type,return-value]
    (only,) = checks(broken)
    with pytest.raises(EyesError):
        only.run()
    (skipped,) = checks(RoutingChecks(None, dict, lambda route: None))  # type: ignore[arg-type,return-value]
    finding = skipped.run()
    assert isinstance(finding, Finding)
    assert finding.status == "skipped"


def test_a_long_catalog_is_cut() -> None:
    found = findings({f"r{number}": {**ENTRY, "enabled": False} for number in range(150)})
    assert len(found) == 1 + 100 + 1
    assert "The first 100" in found["catalog"].seen

"""The official conformance suite, in front of our server and behind our client, for both protocol revisions.

`mcp-conformance.json` holds what each scenario is expected to bring and why those that fail are not for us; a scenario
that does better or worse than it says fails here. docs/mcp-conformance.md shows the same table.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from node_programs import INSTALL_S, over_http

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 110
FIXTURES = [sys.executable, str(ROOT / "tests/servers/conformance_server.py")]
SERVE = [sys.executable, "-m", "deepseekeyes", "mcp", "serve", "--transport", "http", "--port", "0"]
CLIENT = f"{sys.executable} {ROOT / 'tests/servers/conformance_client.py'}"
EXPECTED: dict[str, Any] = json.loads(Path(__file__).with_name("mcp-conformance.json").read_text("utf-8"))

# What may be asked of any server, whatever it offers.
OF_ANYONE = (
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "resources-list",
    "dns-rebinding-protection",
    "http-header-validation",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
)


def judged(path: str, place: Path, *words: str) -> str:
    """What the suite prints."""
    done = subprocess.run(
        ["conformance", *words],
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        executable=shutil.which("conformance", path=path),
        cwd=place, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.service
@pytest.mark.xdist_group("mcp-hosts")
@pytest.mark.timeout(INSTALL_S + PATIENCE_S * 2)
@pytest.mark.parametrize("revision", sorted(EXPECTED["server"]))
def test_our_server_brings_what_is_written_down(node: str, tmp_path: Path, revision: str) -> None:
    with over_http(FIXTURES) as url:
        told = judged(node, tmp_path, "server", "--url", url, "--requirements", revision)
    counts = re.findall(r"^[✓✗] (\S+): (\d+) passed, (\d+) failed", told, re.MULTILINE)
    assert {name: [int(passed), int(failed)] for name, passed, failed in counts} == EXPECTED["server"][revision]


@pytest.mark.service
@pytest.mark.xdist_group("mcp-hosts")
@pytest.mark.timeout(INSTALL_S + PATIENCE_S * 3)
def test_the_server_of_our_operations_passes_what_is_asked_of_any(node: str, tmp_path: Path) -> None:
    results = {}
    with over_http(SERVE) as url:
        for scenario in OF_ANYONE:
            told = judged(node, tmp_path, "server", "--url", url, "--scenario", scenario)
            counted = re.search(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings", told)
            assert counted is not None, told
            results[scenario] = tuple(map(int, counted.groups()))
    assert {name: found for name, found in results.items() if found[2:] != (0, 0) or found[0] == 0} == {}


@pytest.mark.service
@pytest.mark.xdist_group("mcp-hosts")
@pytest.mark.timeout(INSTALL_S + PATIENCE_S * 2)
@pytest.mark.parametrize("scenario", sorted(EXPECTED["client"]))
def test_our_client_brings_what_is_written_down(node: str, tmp_path: Path, scenario: str) -> None:
    told = judged(node, tmp_path, "client", "--command", CLIENT, "--scenario", scenario)
    counted = re.search(r"Passed: (\d+)/(\d+), (\d+) failed", told)
    assert counted is not None, told
    assert [int(counted[1]), int(counted[3])] == EXPECTED["client"][scenario], told


@pytest.mark.service
@pytest.mark.xdist_group("mcp-hosts")
@pytest.mark.timeout(INSTALL_S + PATIENCE_S * len(EXPECTED["client-not-offered"]))
def test_what_we_do_not_offer_fails_for_that_alone(node: str, tmp_path: Path) -> None:
    """Two at a time; a discovery document may be asked for twice, so what passes is compared from below."""

    def ran(scenario: str) -> tuple[int, int]:
        told = judged(node, tmp_path, "client", "--command", CLIENT, "--scenario", scenario)
        counted = re.search(r"Passed: (\d+)/(\d+), (\d+) failed", told)
        assert counted is not None, told
        return int(counted[1]), int(counted[3])

    expected = EXPECTED["client-not-offered"]
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(expected, pool.map(ran, expected), strict=True))
    others = {name: got for name, got in found.items() if got[0] < expected[name][0] or got[1] != expected[name][1]}
    assert others == {}


def test_every_scenario_that_fails_has_a_reason_in_the_docs() -> None:
    page = (ROOT / "docs/mcp-conformance.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z0-9/-]+\*?)`", page))
    missing = []
    for results in (*EXPECTED["server"].values(), EXPECTED["client"], EXPECTED["client-not-offered"]):
        for name, (_, failed) in results.items():
            if failed and not any(name == each or (each[-1] == "*" and name.startswith(each[:-1])) for each in named):
                missing.append(name)
    assert missing == []

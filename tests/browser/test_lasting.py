"""Sessions that are shared, killed and used for long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.service, pytest.mark.timeout(400)]

ROOT = Path(__file__).resolve().parents[2]


def eyes(home: Path, *words: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-c", "from deepseekeyes.cli.main import main; main()", "browser", *words, "--json"],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home.parent),
            "DEEPSEEKEYES_HOME": str(home),
            "DEEPSEEKEYES_BROWSER_ENABLED": "true",
            "PYTHONPATH": str(ROOT),
        },
        capture_output=True,
        timeout=300,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def left(home: Path, seconds: float = 20.0) -> list[str]:
    """What still lives after some time; a killed process takes a moment to go."""
    deadline = time.monotonic() + seconds
    while (found := carriers(home)) and time.monotonic() < deadline:
        threading.Event().wait(0.05)
    return found


def carriers(home: Path) -> list[str]:
    """Command names of living processes that were started for a home."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"DEEPSEEKEYES_HOME={home}\0".encode() in (folder / "environ").read_bytes():
                found.append((folder / "comm").read_text(encoding="utf-8").strip())
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found by their environment")
def test_after_a_killed_host_the_next_command_explains_and_no_browser_remains(home: Path, pages: Any) -> None:
    assert eyes(home, "open", f"{pages.url}/moving.html")[0] == 0
    assert any("chrom" in name for name in carriers(home))
    descriptor = json.loads((home / "run" / "browser" / "default.json").read_text(encoding="utf-8"))
    os.kill(descriptor["pid"], signal.SIGKILL)
    status, document = eyes(home, "observe")
    assert (status, document["error"]["code"]) == (3, "SESSION_DIED")
    assert left(home) == []
    assert eyes(home, "sessions")[1]["items"] == []
    assert eyes(home, "open", f"{pages.url}/moving.html")[0] == 0
    assert eyes(home, "close")[0] == 0
    assert left(home) == []


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found by their environment")
def test_a_host_killed_in_the_middle_of_an_action_leaves_an_explanation_and_a_log_that_verifies(
    home: Path, pages: Any
) -> None:
    assert eyes(home, "open", f"{pages.url}/busy.html")[0] == 0
    assert eyes(home, "click", "--name", "Fine")[0] == 0
    found: list[tuple[int, dict[str, Any]]] = []
    acting = threading.Thread(target=lambda: found.append(eyes(home, "click", "--name", "Hang")))
    acting.start()
    deadline = time.monotonic() + 120
    while not any(path.endswith("/begun") for path in pages.asked) and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    descriptor = json.loads((home / "run" / "browser" / "default.json").read_text(encoding="utf-8"))
    os.kill(descriptor["pid"], signal.SIGKILL)
    acting.join(200)
    status, document = found[0]
    assert (status, document["error"]["code"]) == (8, "SESSION_LOST")
    status, document = eyes(home, "click", "--name", "Fine")
    assert (status, document["error"]["code"]) == (3, "SESSION_NOT_FOUND")
    assert left(home) == []
    status, verified = eyes(home, "report", "--verify")
    assert (status, verified["passed"]) == (0, True)
    steps = (next((home / "browser-runs").iterdir()) / "steps.jsonl").read_text(encoding="utf-8")
    assert ('"action":"click"' in steps, "Fine" in steps.splitlines()[-1]) == (True, True)


def test_of_two_actions_with_one_state_the_second_is_refused(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/moving.html")
    refs = {one["name"]: one["ref"] for one in opened["state"]["elements"]}
    found: list[dict[str, Any]] = []

    def act(name: str) -> None:
        found.append(hands("click", ref=refs[name], state=opened["stateId"]))

    threads = [threading.Thread(target=act, args=(name,)) for name in ("Write to Anna", "Write to Bert")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert sorted(one["verdict"] for one in found) == ["refused", "verified"]


def test_two_sessions_live_side_by_side(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/moving.html")
    hands("open", session="other", url=f"{pages.url}/shadow.html")
    titles = [hands("observe")["title"], hands("observe", session="other")["title"]]
    assert titles == ["Moving", "Shadow"]
    closed = hands("close", session="other")
    assert closed["steps"] == 2


def test_a_browser_that_died_is_said_and_a_new_one_can_be_opened(hands: Any, pages: Any) -> None:
    import asyncio

    from deepseekeyes.wiring.browser import _DESKS

    hands("open", session="mortal", url=f"{pages.url}/moving.html")
    live = _DESKS[hands.app].get("mortal").live
    asyncio.run_coroutine_threadsafe(live._browser.close(), hands.loop).result(30)
    refused = hands("click", session="mortal", name="Hash")
    assert (refused["verdict"], refused["error"]["code"]) == ("refused", "BROWSER_PAGE_CLOSED")
    opened = hands("open", session="mortal", url=f"{pages.url}/shadow.html")
    assert (opened["error"], opened["state"]["title"]) == (None, "Shadow")
    hands("close", session="mortal")


def test_a_page_that_crashed_is_said_and_opening_an_address_helps(hands: Any, pages: Any) -> None:
    import asyncio
    from contextlib import suppress

    from deepseekeyes.wiring.browser import _DESKS

    hands("open", session="fragile", url=f"{pages.url}/moving.html")
    active = _DESKS[hands.app].get("fragile").live.pages.active

    async def crash() -> None:
        with suppress(Exception):
            await asyncio.wait_for(active.session.send("Page.crash"), 5)
        while not active.crashed:
            await asyncio.sleep(0.02)

    asyncio.run_coroutine_threadsafe(crash(), hands.loop).result(30)
    refused = hands("click", session="fragile", name="Hash")
    assert (refused["verdict"], refused["error"]["code"]) == ("refused", "BROWSER_PAGE_CLOSED")
    opened = hands("open", session="fragile", url=f"{pages.url}/shadow.html")
    assert (opened["error"], opened["state"]["title"]) == (None, "Shadow")
    hands("close", session="fragile")

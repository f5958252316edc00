"""Observing a window of 500 controls, and a click, against bare parts doing the same: mss, AT-SPI over D-Bus, XTEST.

usage: bench_desktop.py [ROUNDS]

Bare look: one grab of the screen, one PNG of it, one walk that asks six things of every node in batches. Bare click:
one XTEST click, until the program says it was clicked. Ours: the same through `mcp serve`, warm, and as commands of
their own. Ours also lists the windows, names every control, stores the picture, and for a click observes before and
after, waits until the window is quiet, and tells what changed.
"""

from __future__ import annotations

import io
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "servers"))
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 7
COUNT = 500
BATCH = 64
TITLE = "many"
BUTTON = f"b{COUNT - 1}"
CONFIG = "[desktop]\nenabled = true\nmax_elements = 500\n"
ACCESSIBLE = "org.a11y.atspi.Accessible"
EYES = [sys.executable, "-m", "deepseekeyes"]
QUESTIONS: tuple[tuple[str, str, str, tuple[Any, ...]], ...] = (
    ("org.freedesktop.DBus.Properties", "Get", "ss", (ACCESSIBLE, "Name")),
    (ACCESSIBLE, "GetRoleName", "", ()),
    (ACCESSIBLE, "GetState", "", ()),
    (ACCESSIBLE, "GetChildren", "", ()),
    (ACCESSIBLE, "GetInterfaces", "", ()),
    ("org.a11y.atspi.Component", "GetExtents", "u", (0,)),
)
CHILDREN = 3


def chunks(nodes: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    for start in range(0, len(nodes), BATCH):
        yield nodes[start : start + BATCH]


def answers(bus: Any, nodes: list[tuple[str, str]]) -> list[list[Any]]:
    """Bodies of the six answers of every node, asked all at once."""
    from jeepney import DBusAddress, new_method_call

    asked: dict[int, tuple[int, int]] = {}
    for at, (name, path) in enumerate(nodes):
        for number, (interface, member, signature, body) in enumerate(QUESTIONS):
            address = DBusAddress(path, bus_name=name, interface=interface)
            serial = next(bus.outgoing_serial)
            bus.send(new_method_call(address, member, signature or None, body), serial=serial)
            asked[serial] = (at, number)
    found: list[list[Any]] = [[None] * len(QUESTIONS) for _ in nodes]
    while asked:
        message = bus.receive(timeout=20)
        place = asked.pop(message.header.fields.get(5, -1), None)
        if place is not None:
            found[place[0]][place[1]] = message.body
    return found


def walk(bus: Any, root: tuple[str, str]) -> int:
    """Nodes of a tree, all of them."""
    level, seen = [root], 0
    while level:
        seen += len(level)
        below: list[tuple[str, str]] = []
        for nodes in chunks(level):
            for row in answers(bus, nodes):
                below += [(str(name), str(path)) for name, path in row[CHILDREN][0]]
        level = below
    return seen


def grab(display: str) -> int:
    """Bytes of a PNG of the whole screen."""
    import mss
    from PIL import Image

    with mss.MSS(display=display) as screen:
        shot = screen.grab(screen.monitors[0])
    out = io.BytesIO()
    Image.frombytes("RGB", shot.size, shot.bgra, "raw", "BGRX").save(out, "PNG", compress_level=1)
    return len(out.getvalue())


def timed(what: str, act: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """Median milliseconds, printed."""
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        act()
        taken.append((time.perf_counter() - started) * 1000)
    print(f"{what:<58}{statistics.median(taken):>9.0f} ms{min(taken):>9.0f} best", flush=True)
    return statistics.median(taken)


def bare(desktop: Any, program: Any) -> tuple[float, float]:
    """Median milliseconds of a bare look and of a bare click."""
    display, bus = desktop.environ["DISPLAY"], desktop.accessibility.bus
    node = desktop.accessibility.of(program.pid)
    seen = walk(bus, node)
    timed("bare: grab and PNG", lambda: grab(display))
    timed(f"bare: walk of {seen} nodes", lambda: walk(bus, node))
    look = timed("bare: both", lambda: (grab(display), walk(bus, node)))
    left, top, _, _ = program.window().box
    before = len(program.told())

    def click() -> None:
        nonlocal before
        desktop.display.move_pointer(left + 8, top + 8)
        desktop.display.press_button()
        while len(program.told()) == before:
            pass
        before = len(program.told())

    return look, timed("bare: XTEST click until the program has it", click)


def served(desktop: Any, environ: dict[str, str]) -> tuple[float, float]:
    """The same through one `mcp serve`."""
    from bench_mcp_serve import session

    with session([*EYES, "mcp", "serve", "--group", "desktop"], environ) as server:
        server.greet()

        def call(tool: str, **arguments: Any) -> dict[str, Any]:
            answer = server.ask("tools/call", name=f"desktop_{tool}", arguments=arguments)
            if answer["result"].get("isError"):
                raise SystemExit(json.dumps(answer)[:1000])
            found: dict[str, Any] = answer["result"]["structuredContent"]
            return found

        call("observe", title=TITLE)
        look = timed("served: observe", lambda: call("observe", title=TITLE))
        timed("served: windows", lambda: call("windows"))
        click = timed("served: click", lambda: call("click", title=TITLE, role="push_button", name=BUTTON))
        call("close")
    return look, click


def command(environ: dict[str, str], *words: str) -> None:
    done = subprocess.run([*EYES, "desktop", *words, "--json"], env=environ, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit((done.stdout + done.stderr).decode()[-1000:])


def main() -> None:
    from desktop_session import desktop_session

    with desktop_session() as desktop:
        program = desktop.run("many", "--count", str(COUNT), title=TITLE)
        home = desktop.folder / "eyes"
        home.mkdir()
        (home / "config.toml").write_text(CONFIG, encoding="utf-8")
        environ = {**os.environ, **desktop.environ, "DEEPSEEKEYES_HOME": str(home)}
        bare_look, bare_click = bare(desktop, program)
        look, click = served(desktop, environ)
        timed("command: observe", lambda: command(environ, "observe", "--title", TITLE))
        button = ("--role", "push_button", "--name", BUTTON)
        timed("command: click", lambda: command(environ, "click", "--title", TITLE, *button))
        print(f"observe, served against bare: {look / bare_look:.2f} times; click: {click - bare_click:.0f} ms more")


if __name__ == "__main__":
    main()

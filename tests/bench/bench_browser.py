"""A browser's observations and clicks against `@playwright/mcp` on the same pages, and commands of the command line.

Both are MCP servers over stdio with their own defaults, headless, driven by one client in turns within one run. The
other server is looked for under `.venv/pwmcp`: `npm install --prefix .venv/pwmcp @playwright/mcp`. Its click names a
file with the snapshot, so that its click and look are two calls; ours answers a click with the state.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "servers"))
OTHER = ROOT / ".venv/pwmcp/node_modules/.bin/playwright-mcp"
CHROMIUM = "/usr/bin/chromium"
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
ROWS = 120
CHARS_PER_TOKEN = 4
TARGET = 0.5
CONFIG = f"""
[browser]
enabled = true
headless = true
executable = "{CHROMIUM}"
"""
CLICKED = "onclick=\"document.title = 'Clicked ' + (window.n = (window.n || 0) + 1)\""
LIGHT = f"""<!doctype html><meta charset=utf-8><title>Light</title><main><h1>Sign in</h1>
<label>User <input></label><label>Password <input type=password></label><label><input type=checkbox> Stay</label>
<p>Forgot it? <a href="#help">Get help</a></p><button {CLICKED}>Log in</button></main>"""
ROW = """<tr><td><div class=cell><span>{i}</span></div></td><td><a href="#order-{i}">Order {i}</a></td>
<td><div><div>A customer in town {i} who waits for parcel {i}</div></div></td><td><span>{i}.90</span></td>
<td><label><input type=checkbox> Pick {i}</label></td><td><button>Edit {i}</button></td></tr>"""
HEAVY = (
    "<!doctype html><meta charset=utf-8><title>Heavy</title><nav><ul>"
    + "".join(f'<li><a href="#part-{i}">Part {i}</a></li>' for i in range(20))
    + f"</ul></nav><button {CLICKED}>Log in</button><main><table><tbody>"
    + "".join(ROW.format(i=i) for i in range(ROWS))
    + "</tbody></table></main>"
)
IN_A_ROW = (("link", "Order"), ("checkbox", "Pick"), ("button", "Edit"))
PAGES = {"light": LIGHT, "heavy": HEAVY}
CONTROLS = {
    "light": [
        ("textbox", "User"),
        ("textbox", "Password"),
        ("checkbox", "Stay"),
        ("link", "Get help"),
        ("button", "Log in"),
    ],
    "heavy": [
        ("button", "Log in"),
        *(("link", f"Part {i}") for i in range(20)),
        *((role, f"{verb} {i}") for i in range(ROWS) for role, verb in IN_A_ROW),
    ],
}
WORDS = {"light": ["Forgot it?"], "heavy": [f"A customer in town {i} who waits for parcel {i}" for i in range(ROWS)]}
Call = Callable[[], Awaitable[str]]


@asynccontextmanager
async def served(words: list[str], environ: dict[str, str]) -> AsyncIterator[Any]:
    """A client of one server, and of no other."""
    from mcp import Client, StdioServerParameters

    server = StdioServerParameters(command=words[0], args=words[1:], env=environ, cwd=environ["HOME"])
    async with Client(server, mode="legacy") as client:
        yield client


async def said(client: Any, tool: str, **arguments: Any) -> str:
    """The text of a result, all that a model is given."""
    result = await client.call_tool(f"browser_{tool}", arguments)
    text = "\n".join(block.text for block in result.content if block.type == "text")
    if result.is_error:
        raise SystemExit(f"{tool}: {text[:500]}")
    return text


def present(text: str, page: str) -> int:
    """Controls of the page that a text names by role and name."""
    return sum(bool(re.search(rf'\b{role} "{re.escape(name)}"', text)) for role, name in CONTROLS[page])


def words(text: str, page: str) -> str:
    """Sentences of the page that a text holds."""
    return f"{sum(each in text for each in WORDS[page])}/{len(WORDS[page])}"


def command(environ: dict[str, str], *words: str) -> tuple[float, bytes]:
    """Seconds and output of one command."""
    started = time.perf_counter()
    line = [sys.executable, "-m", "deepseekeyes", "browser", *words]
    done = subprocess.run(line, env=environ, capture_output=True, timeout=200, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.decode()[-500:])
    return time.perf_counter() - started, done.stdout


def row(*cells: object) -> None:
    first, *rest = cells
    print(f"{first!s:34}" + "".join(f"{cell!s:>16}" for cell in rest))


def sizes(what: str, text: str, page: str, against: str) -> float:
    """Prints one line of the table of sizes; the ratio to the other's bytes."""
    size, other = len(text.encode()), len(against.encode())
    named = f"{present(text, page)}/{len(CONTROLS[page])}"
    row(f"{page}: {what}", size, len(text) // CHARS_PER_TOKEN, named, words(text, page), f"{size / other:.2f}")
    return size / other


def by_commands(environ: dict[str, str], url: str) -> dict[str, str]:
    """First and warm commands, printed; the text form of each page."""
    first, _ = command(environ, "open", f"{url}/light.html", "--text")
    texts = {}
    for page in PAGES:
        command(environ, "open", f"{url}/{page}.html", "--text")
        taken = [command(environ, "observe", "--text") for _ in range(ROUNDS)]
        texts[page] = taken[-1][1].decode()
        row(f"command line: observe {page}", f"{statistics.median(each for each, _ in taken) * 1000:.0f} ms")
    command(environ, "close", "--text")
    row("command line: first (open)", f"{first * 1000:.0f} ms")
    return texts


async def in_turns(calls: dict[str, Call]) -> dict[str, float]:
    """Median milliseconds of each call, one after another, round after round."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            started = time.perf_counter()
            await call()
            taken[name].append((time.perf_counter() - started) * 1000)
    return {name: statistics.median(each) for name, each in taken.items()}


async def both(environ: dict[str, str], url: str, texts: dict[str, str]) -> float:
    """The tables; the ratio of bytes on the heavy page, in the text form."""
    ours_words = [sys.executable, "-m", "deepseekeyes", "mcp", "serve", "--group", "browser"]
    theirs_words = [str(OTHER), "--headless", "--no-sandbox", "--isolated", "--browser", "chromium"]
    theirs_words += ["--executable-path", CHROMIUM, "--output-dir", str(Path(environ["HOME"]) / "out")]
    import_module("mcp")  # The client's own, and no part of either server's start.
    started = time.perf_counter()
    async with served(ours_words, environ) as ours:
        await said(ours, "open", url=f"{url}/light.html")
        first = time.perf_counter() - started
        started = time.perf_counter()
        async with served(theirs_words, environ) as theirs:
            await said(theirs, "navigate", url=f"{url}/light.html")
            row("MCP: first (start, greet, open)", f"{first * 1000:.0f} ms", times(time.perf_counter() - started))
            ratios = [await one_page(page, url, ours, theirs, texts[page]) for page in PAGES]
    return ratios[-1]


def times(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


async def one_page(page: str, url: str, ours: Any, theirs: Any, text: str) -> float:
    """One page's lines of both tables; the ratio of bytes in the text form."""
    await said(ours, "open", url=f"{url}/{page}.html")
    await said(theirs, "navigate", url=f"{url}/{page}.html")
    snapshot = await said(theirs, "snapshot")
    found = re.search(r'button "Log in" \[ref=(\w+)\]', snapshot)
    assert found is not None

    async def look() -> str:
        return await said(ours, "observe")

    async def snap() -> str:
        return await said(theirs, "snapshot")

    async def click() -> str:
        reply = await said(ours, "click", role="button", name="Log in")
        assert "verified" in reply
        return reply

    async def click_and_snap() -> str:
        await said(theirs, "click", target=found.group(1))
        return await said(theirs, "snapshot")

    taken = await in_turns({"look": look, "snap": snap, "click": click, "click_and_snap": click_and_snap})
    for what, mine, other in (("observe", "look", "snap"), ("click and observe", "click", "click_and_snap")):
        cells = (f"{taken[mine]:.0f} ms", f"{taken[other]:.0f} ms", f"{taken[mine] / taken[other]:.2f}")
        row(f"{page}: {what}, warm", *cells)
    document = await ours.call_tool("browser_observe", {})
    whole = json.dumps(document.structured_content, ensure_ascii=False, separators=(",", ":"))
    row("", "bytes", "tokens (est.)", "controls", "sentences", "to theirs")
    sizes("@playwright/mcp snapshot", snapshot, page, snapshot)
    ratio = sizes("ours, --text", text, page, snapshot)
    sizes("ours, text of the MCP result", await look(), page, snapshot)
    size = len(whole.encode())
    named = {(each["role"], each["name"]) for each in document.structured_content["elements"]}
    seen = f"{sum(each in named for each in CONTROLS[page])}/{len(CONTROLS[page])}"
    estimated = len(whole) // CHARS_PER_TOKEN
    row(f"{page}: ours, JSON", size, estimated, seen, words(whole, page), f"{size / len(snapshot.encode()):.2f}")
    print()
    complete = (present(snapshot, page), present(text, page)) == (len(CONTROLS[page]),) * 2
    complete = complete and words(snapshot, page) == words(text, page)
    if not complete:
        print(f"{page}: something is missing in one of the two: the sizes do not compare")
    return ratio if complete else float("inf")


def main() -> int:
    import site_under_test

    if not OTHER.is_file():
        print(f"There is no {OTHER.relative_to(ROOT)}: npm install --prefix .venv/pwmcp @playwright/mcp")
        return 2
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home, site_under_test.PAGES = Path(folder) / "eyes", Path(folder)
        home.mkdir()
        (home / "config.toml").write_text(CONFIG, encoding="utf-8")
        for name, text in PAGES.items():
            (Path(folder) / f"{name}.html").write_text(text, encoding="utf-8")
        environ = {"PATH": os.environ["PATH"], "HOME": folder, "DEEPSEEKEYES_HOME": str(home), "PYTHONPATH": str(ROOT)}
        with site_under_test.site() as pages:
            texts = by_commands(environ, pages.url)
            row("", "ours", "@playwright/mcp", "ratio")
            ratio = asyncio.run(both(environ, pages.url, texts))
    print(f"heavy page, --text against the snapshot: {ratio:.2f} (goal: at most {TARGET})")
    return 0 if ratio <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())

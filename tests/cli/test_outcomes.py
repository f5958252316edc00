"""Short results as people see them."""

from __future__ import annotations

from typing import Any

import pytest

from deepseekeyes.cli.render import RENDERERS, render
from deepseekeyes.contracts.automation import ChainProblem, ReportVerification
from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.browser import BrowserClosed, BrowserPageList, BrowserScreenshot, BrowserScriptRun, PageRow
from deepseekeyes.contracts.cache import PruneReport, RecordList, RecordRow
from deepseekeyes.contracts.config import ConfigInit, ConfigProblem, ConfigTrust, ConfigVerdict
from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.served import ServedToolList, ServedToolRow, UnservedRow
from deepseekeyes.contracts.session import SessionEnd, SessionList, SessionRow
from deepseekeyes.contracts.usage_report import UsageImport, UsageReset

HASH = "ab" * 32
ERROR = ErrorBody(code="BROWSER_STATE_STALE", kind="refused-stale", message="The page changed.", hint="Observe again.")


@pytest.mark.parametrize(
    ("document", "lines"),
    [
        (
            ConfigVerdict(
                valid=False,
                sources=("/h/config.toml",),
                problems=(
                    ConfigProblem(
                        code="CONFIG_VALUE", message="a.b must be 1.", key="a.b", origin="file /h/config.toml", line=3
                    ),
                    ConfigProblem(code="CONFIG_VALUE", message="c must be 2.", origin="env C"),
                ),
                warnings=("Not trusted.",),
            ),
            [
                "not valid: 2 problems",
                "",
                "/h/config.toml line 3",
                "  a.b must be 1. (CONFIG_VALUE)",
                "",
                "env C",
                "  c must be 2. (CONFIG_VALUE)",
                "note: Not trusted.",
            ],
        ),
        (ConfigVerdict(valid=True, sources=()), ["valid", "read  nothing but defaults"]),
        (
            ConfigInit(path="/h/config.toml", replaced=True, backup="/h/config.toml.bak"),
            ["wrote /h/config.toml", "the file before is /h/config.toml.bak"],
        ),
        (
            ConfigTrust(path="/w/deepseekeyes.toml", sha256=HASH, trusted=False, restricted=("mcp.enabled",)),
            ["/w/deepseekeyes.toml: not trusted", "", "it may not decide about", "- mcp.enabled"],
        ),
        (
            PruneReport(dry_run=True, removed=1, removed_bytes=2_048, kept=1_200, kept_bytes=5_000_000),
            ["would remove 1 record, 2 KiB", "kept 1,200 records, 5 MiB"],
        ),
        (RecordList(items=(), unreadable=1), ["none", "1 file could not be read and was set aside."]),
        (
            BrowserClosed(session="shop", run_id="r", closed_at="2026-12-01T10:00:00Z", steps=1, folder="/h/runs/r"),
            ["closed shop, 1 step", "  /h/runs/r"],
        ),
        (
            SessionEnd(session="shop", kind="browser", pid=7, reason="it did not answer"),
            ["ended browser session shop (process 7): it did not answer"],
        ),
        (
            ReportVerification(passed=True, run_id="r", steps=2, screenshots=1),
            ["as it was written", "run      r", "checked  2 steps, 1 screenshot"],
        ),
        (UsageReset(started_at=None, removed_calls=2, removed_sessions=1), ["removed 2 calls of 1 session"]),
        (
            UsageImport(
                file_sha256=HASH,
                source="plugin",
                calls=3,
                new_calls=1,
                known_calls=2,
                new_tokens=1_500,
                left_out=("x",),
            ),
            [
                "added 1 call, 1,500 tokens, from plugin",
                "2 calls had been counted before",
                "",
                "left out",
                "- x",
            ],
        ),
        (
            BrowserScreenshot(
                session="s",
                state_id="browser-state:1",
                url="about:blank",
                screenshot=BlobRef(sha256=HASH, media_type="image/png", bytes=3_000, width=10, height=20),
            ),
            [f"sha256:{HASH}  10 x 20, 3 KiB", "state browser-state:1"],
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Document) else "",
)
def test_a_result_is_a_few_plain_lines(
    document: Document, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(document, capsys) == lines


def test_stored_records_are_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    row = RecordRow(
        record_sha256=HASH,
        cache_key="k",
        kind="target",
        route="local",
        image_sha256="cd" * 32,
        stored_at="2026-12-01T10:00:00.123Z",
        bytes=17_000,
        question="Which job\nfailed " + "and why " * 20,
    )
    [_, line, more] = printed(RecordList(items=(row,), omitted=4), capsys)
    told = "abababababab cdcdcdcdcdcd target local 2026-12-01 10:00 17 KiB Which job failed and why and why and wh…"
    assert line.split() == told.split()
    assert more == "... and 4 more."


def test_pages_sessions_steps_and_tools_are_tables(capsys: pytest.CaptureFixture[str]) -> None:
    pages = BrowserPageList(
        session="s",
        items=(
            PageRow(id="p1", url="about:blank", opener=None, active=False, dialog=False),
            PageRow(id="p2", url="https://a.example/", opener="p1", active=True, dialog=True),
        ),
    )
    assert [line.split() for line in printed(pages, capsys)] == [
        ["page", "dialog", "address"],
        ["p1", "about:blank"],
        ["*", "p2", "open", "https://a.example/"],
    ]
    row = SessionRow(
        name="shop", kind="browser", pid=7, version="1", started_at="2026-12-01T10:00:00Z", log="/l", answers=False
    )
    [_, live, dead] = printed(SessionList(items=(row,), ended=("old",)), capsys)
    assert live.split() == ["shop", "7", "2026-12-01", "10:00", "does", "not", "answer", "/l"]
    assert dead == "found dead: old"
    steps = (
        {"schema": "deepseekeyes.browser-action.v1", "action": "open", "verdict": "verified", "error": None},
        {"schema": "deepseekeyes.browser-assertion.v1", "action": "assert", "assertion": {"passed": False}},
        {"action": "click", "verdict": "refused", "error": {"code": ERROR.code}},
    )
    ran = printed(BrowserScriptRun(passed=False, total=4, done=3, steps=steps, report="/r.json", error=ERROR), capsys)
    assert [line.split() for line in ran[1:4]] == [
        ["1", "open", "verified"],
        ["2", "assert", "failed"],
        ["3", "click", "refused", "BROWSER_STATE_STALE"],
    ]
    assert ran[5:] == [
        "failed: 3 of 4 steps",
        "BROWSER_STATE_STALE: The page changed.",
        "hint: Observe again.",
        "report  /r.json",
    ]
    tool = ServedToolRow(
        name="vision_read",
        operation="vision.read",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        arguments=("image", "route"),
        tokens_estimated=265,
        description="...",
    )
    told = printed(ServedToolList(items=(tool,), left_out=(UnservedRow(name="config.init", reason="edits"),)), capsys)
    assert told[1].split() == ["vision_read", "reads", "265", "image", "route"]
    assert told[2:] == ["about 265 tokens in all", "", "not served", "- config.init: edits"]


def test_what_does_not_hold_is_said_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    problem = ChainProblem(where="steps.jsonl:3", what="chain", sentence="The line does not follow.")
    told = printed(ReportVerification(passed=False, steps=3, problems=(problem,)), capsys)
    assert told[0] == "not as it was written: 1 problem"
    assert told[-1].split() == ["steps.jsonl:3", "chain", "The", "line", "does", "not", "follow."]


def test_every_renderer_is_there_and_about_a_published_document() -> None:
    from importlib import import_module
    from pathlib import Path

    published = {path.name.rpartition(".v")[0] for path in Path("schemas").glob("*.v*.schema.json")}
    for name, target in RENDERERS.items():
        module, _, function = target.partition(":")
        assert callable(getattr(import_module(f"deepseekeyes.cli.render.{module}"), function))
        assert name in published


def printed(document: Any, capsys: pytest.CaptureFixture[str]) -> list[str]:
    render(document)
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]

"""Documents as text for people. One renderer a family; anything else is printed as an indented outline."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from deepseekeyes.contracts.document import Document

RENDERERS: Final = {
    "answer": "answer:answer",
    "browser-observation": "browser:observation",
    "browser-action": "browser:action",
    "browser-assertion": "browser:assertion",
    "browser-report": "browser:report",
    "desktop-observation": "desktop:observation",
    "desktop-action": "desktop:action",
    "desktop-assertion": "browser:assertion",
    "desktop-report": "browser:report",
    "desktop-window-list": "desktop:windows",
    "attempt-list": "answer:attempts",
    "evidence-record": "evidence:record",
    "evidence-batch": "evidence:batch",
    "evidence-batch-item": "batch:item",
    "evidence-batch-summary": "batch:summary",
    "eval": "eval:report",
    "shown": "lines:shown",
    "validation": "judge:validation",
    "verification": "judge:verification",
    "cache-verification": "judge:cache_verification",
    "config-list": "settings:settings",
    "config-path": "settings:paths",
    "doctor": "judge:doctor",
    "route-list": "routes:routes",
    "probe": "probes:report",
    "probe-list": "probes:stored",
    "probe-challenge": "probes:challenge",
    "probe-grade": "probes:graded",
    "usage": "usage:report",
    "usage-session-list": "usage:sessions",
    "usage-import": "outcomes:imported",
    "usage-reset": "outcomes:reset",
    "config-verdict": "outcomes:verdict",
    "config-init": "outcomes:written",
    "config-trust": "outcomes:trusted",
    "cache-prune": "outcomes:pruned",
    "record-list": "outcomes:records",
    "browser-closed": "outcomes:closed",
    "desktop-closed": "outcomes:closed",
    "session-list": "outcomes:sessions",
    "session-end": "outcomes:ended",
    "browser-page-list": "outcomes:pages",
    "browser-screenshot": "outcomes:picture",
    "desktop-screenshot": "outcomes:picture",
    "browser-script": "outcomes:script",
    "desktop-script": "outcomes:script",
    "report-verification": "outcomes:verification",
    "served-tool-list": "mcp_lists:served",
    "mcp-server-list": "mcp:servers",
    "mcp-test": "mcp:tested",
    "mcp-tool-list": "mcp:tools",
    "mcp-approval": "mcp:approval",
    "mcp-result": "mcp:result",
    "mcp-resource-list": "mcp_lists:resources",
    "mcp-prompt-list": "mcp_lists:prompts",
    "mcp-run-list": "mcp_lists:runs",
    "mcp-audit-list": "mcp_lists:audit",
    "mcp-artifact-list": "mcp_lists:artifacts",
    "mcp-add": "mcp_edits:added",
    "mcp-remove": "mcp_edits:removed",
    "mcp-allow": "mcp_edits:allowed",
    "mcp-import": "mcp_edits:imported",
    "mcp-lint": "mcp_edits:linted",
}


def render(document: Document, *, streamed: bool = False) -> None:
    """Print a document to standard output as text; words that were `streamed` are not repeated."""
    from deepseekeyes.cli.render.screen import Screen

    name = str(getattr(document, "schema_", "")).removeprefix("deepseekeyes.").rpartition(".v")[0]
    target = RENDERERS.get(name) or ("lists:listed" if name.endswith("-list") else "outline:outline")
    module, _, function = target.partition(":")
    screen = Screen(streamed=streamed)
    getattr(import_module(f"deepseekeyes.cli.render.{module}"), function)(document, screen)
    screen.flush()

"""Resources, prompts, runs, calls and kept results of the MCP planes."""

from __future__ import annotations

import json
from typing import Any

from deepseekeyes.cli.render.screen import Screen


def resources(document: Any, screen: Screen) -> None:
    """One line a resource or template."""
    screen.table(
        ("server", "allowed", "uri", "type", "what"),
        [
            (each.server, _yes(each.allowed), each.uri or each.uri_template, each.mime_type, _what(each))
            for each in document.items
        ],
        fold=2,
    )
    _failed(document, screen)
    _end(document, screen)


def prompts(document: Any, screen: Screen) -> None:
    """One line a prompt, its arguments behind it; those in brackets may be left out."""
    screen.table(
        ("server", "allowed", "prompt", "arguments", "what"),
        [
            (
                each.server,
                _yes(each.allowed),
                each.name,
                " ".join(_argument(arg) for arg in each.arguments),
                _what(each),
            )
            for each in document.items
        ],
        fold=4,
    )
    _failed(document, screen)
    _end(document, screen)


def _failed(document: Any, screen: Screen) -> None:
    for each in document.failed:
        screen.line(f"{each.server}: {each.error.code}: {each.error.message}", "yellow")


def runs(document: Any, screen: Screen) -> None:
    """One line a run, and the markers of one that was asked for."""
    if document.ended is not None:
        screen.line(f"forgot {document.ended}")
    screen.table(
        ("run", "calls", "of", "since"),
        [(each.id, each.calls, each.limit or "any", each.started_at) for each in document.items],
    )
    for each in document.items:
        screen.bullets(f"markers of {each.id}", [json.dumps(marker, ensure_ascii=False) for marker in each.markers])
    _end(document, screen)


def audit(document: Any, screen: Screen) -> None:
    """One line a call, newest first."""
    if not document.enabled:
        screen.line("The audit is switched off (mcp.audit).", "yellow")
    screen.table(
        ("at", "status", "server", "what", "risk", "ms", "arguments", "result"),
        [
            (
                row.get("at"),
                row.get("status"),
                row.get("serverId"),
                row.get("tool") or row.get("kind"),
                row.get("risk"),
                row.get("durationMs"),
                _digest(row.get("argsSha256")),
                (row.get("error") or {}).get("code") or _digest(row.get("resultSha256")),
            )
            for row in document.items
        ],
        fold=7,
    )
    _end(document, screen)


def artifacts(document: Any, screen: Screen) -> None:
    """One line a kept result, and the content of one that was asked for."""
    if document.removed:
        screen.line(f"removed {document.removed}")
    screen.table(
        ("server", "what", "digest", "bytes", "at", "sound"),
        [(each.server, each.label, each.sha256[:12], each.bytes, each.at, _yes(each.sound)) for each in document.items],
    )
    if document.content is not None:
        screen.line()
        screen.line(json.dumps(document.content, indent=2, ensure_ascii=False))
    _end(document, screen)


def _yes(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _what(each: Any) -> str:
    return each.title or each.description or each.name or ""


def _argument(argument: Any) -> str:
    return argument.name if argument.required else f"[{argument.name}]"


def _digest(value: Any) -> str:
    return str(value)[:12] if value else ""


def _end(document: Any, screen: Screen) -> None:
    if not document.items:
        screen.line("none")
    if document.omitted:
        screen.line(f"... and {document.omitted} more.", "dim")


def served(document: Any, screen: Screen) -> None:
    """One line a tool that we serve: what it may do and what its definition costs; then what is no tool, and why."""
    screen.table(
        ("tool", "effect", "tokens", "arguments"),
        [(each.name, _effect(each), each.tokens_estimated, " ".join(each.arguments)) for each in document.items],
        fold=3,
    )
    screen.line(f"about {sum(each.tokens_estimated for each in document.items):,} tokens in all", "dim")
    screen.bullets("not served", [f"{each.name}: {each.reason}" for each in document.left_out])


def _effect(tool: Any) -> str:
    return "reads" if tool.read_only else "destroys" if tool.destructive else "changes"

"""Servers, tools and results of the MCP planes."""

from __future__ import annotations

import json
from typing import Any

from deepseekeyes.cli.render.screen import Screen

LINE = 100


def servers(document: Any, screen: Screen) -> None:
    """One line a server, then what is wrong with any of them."""
    if not document.enabled:
        screen.line("MCP servers are switched off: nothing is started without --enable.", "yellow")
    if not document.items:
        screen.line("no servers; add one with: deepseekeyes mcp add NAME -- COMMAND...")
        return
    screen.table(
        ("server", "tools", "content", "shown", "withheld", "tokens", "ms", "what", "known from"),
        [_server_row(item) for item in document.items],
        fold=7,
    )
    for item in document.items:
        _troubles(item, screen)


def tested(document: Any, screen: Screen) -> None:
    """How a fresh connection went."""
    server = document.server
    screen.heading(f"{server.id}: {'works' if document.ok else 'does not work'}")
    screen.facts(
        (
            ("speaks", server.protocol_version),
            ("server", _named(server)),
            ("tools", None if server.tool_count is None else f"{server.tool_count}, {server.exposed_tool_count} shown"),
            ("resources", _counted(server.resource_count, server.resource_template_count, "templates")),
            ("prompts", server.prompt_count),
            ("connected in", f"{document.connect_ms} ms" if document.connect_ms is not None else None),
            ("closed in", f"{document.close_ms} ms" if document.close_ms is not None else None),
            ("signed in", _sign_in(server.sign_in)),
            ("noise on stdout", f"{document.noise_lines} lines" if document.noise_lines else None),
            ("stderr ends", document.stderr_tail),
        )
    )
    if document.error is not None:
        screen.line(f"{document.error.code}: {document.error.message}", "bold red")
        screen.line(f"hint: {document.error.hint}", "dim")


def _sign_in(found: Any) -> str | None:
    """Where the token came from and how long it lasts."""
    if found is None or not found.authenticated:
        return None
    until = f", until {found.expires_at}" if found.expires_at else ""
    return f"by {found.issuer}{until}"


def tools(document: Any, screen: Screen) -> None:
    """What is shown, what is withheld and why, and where it was read from."""
    screen.heading(f"{len(document.items)} of {document.listed} tools, about {document.schema_tokens_estimated} tokens")
    for tool in document.items:
        screen.line()
        screen.line(f"{tool.public_name}  {tool.risk}, {tool.tokens_estimated} tokens", "bold")
        screen.line(_first_line(tool.description))
        if tool.input_schema is not None:
            screen.line(json.dumps(tool.input_schema, indent=2, ensure_ascii=False), "dim")
    if document.withheld:
        screen.line()
        screen.heading(f"withheld ({len(document.withheld)})")
        screen.table(
            ("server", "tool", "risk", "why"),
            [(each.server, each.name, each.risk, _why(each)) for each in document.withheld],
            fold=3,
        )
    screen.line()
    for source in document.sources:
        said = f"{source.server}: {source.source}" + (f", {source.verified_at}" if source.verified_at else "")
        screen.line(said if source.error is None else f"{source.server}: {source.error.message}", "dim")
        if source.error is not None:
            screen.line(f"hint: {source.error.hint}", "dim")


def approval(document: Any, screen: Screen) -> None:
    """How a definition differs, and what was decided."""
    said = {
        "unchanged": "is as it was remembered",
        "pending": "differs from what was remembered; accept it with --yes",
        "approved": "is now remembered as it is",
    }
    screen.heading(f"{document.public_name} {said[document.status]}")
    screen.facts((("remembered", document.pinned and document.pinned[:12]), ("present", document.present[:12])))
    for change in document.changes:
        screen.line()
        screen.line(change.path or "/", "bold")
        if change.before is not None:
            screen.line(f"- {change.before}", "red")
        if change.after is not None:
            screen.line(f"+ {change.after}", "green")
    if document.omitted:
        screen.line(f"... and {document.omitted} more.", "dim")


def result(document: Any, screen: Screen) -> None:
    """The preview as it is, then what belongs to it."""
    screen.line(document.preview, "" if document.status == "success" else "bold red")
    kept = document.artifact
    screen.facts(
        (
            ("left out", f"{document.omitted_chars} characters" if document.omitted_chars else None),
            ("whole result", kept and f"{kept.path} ({kept.bytes} bytes)"),
            ("pictures", ", ".join(f"sha256:{each.sha256[:12]} {_size(each)}" for each in document.pictures)),
            ("run", document.run_id),
            ("took", f"{document.duration_ms} ms"),
            ("not recorded", None if document.persistence.healthy else document.persistence.code),
        )
    )
    screen.bullets("look closer", list(document.warnings))


def _server_row(item: Any) -> tuple[object, ...]:
    return (
        item.id,
        item.tools.status if item.enabled else "off",
        item.content.status if item.enabled else "off",
        item.exposed_tool_count,
        item.withheld_tool_count,
        item.schema_tokens_estimated,
        item.latency_ms,
        f"{item.transport} {_named(item) or ''}".strip(),
        item.source if item.tools.verified_at is None else f"{item.source}, {item.tools.verified_at}",
    )


def _troubles(item: Any, screen: Screen) -> None:
    shown = set()
    for plane in (item.tools, item.content):
        if plane.error is not None and plane.error.message not in shown:
            shown.add(plane.error.message)
            screen.line(f"{item.id}: {plane.error.message}", "bold red")
            screen.line(f"hint: {plane.error.hint}", "dim")


def _named(server: Any) -> str | None:
    return f"{server.server_name} {server.server_version or ''}".strip() if server.server_name else None


def _counted(count: int | None, more: int | None, name: str) -> str | None:
    return None if count is None else f"{count}, {more or 0} {name}"


def _why(withheld: Any) -> str:
    return f"{withheld.reason}: {withheld.detail}" if withheld.detail else str(withheld.reason)


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= LINE else line[: LINE - 1] + "…"


def _size(picture: Any) -> str:
    return f"{picture.width}x{picture.height}" if picture.width else f"{picture.bytes} bytes"

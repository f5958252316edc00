"""Every operation there is. The command line, the session host, the MCP server and the gateway all read this table."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Scope = Literal["call", "session"]
Effect = Literal["pure", "reads", "stores", "spends", "acts"]
Life = Literal["starts", "lives", "ends"]


class Operation(NamedTuple):
    """One operation.

    Attributes:
        target: `module:function` of `async def verb(request, deps) -> document`.
        deps: `module:function` of the builder in `wiring` that makes its deps from the app.
        scope: `session` operations run inside a live session host, all others in the calling process.
        effect: `pure` touches nothing, `reads` reads local state, `stores` writes local state, `spends` may call a
            paid model, `acts` changes something outside.
        life: of the session: an operation that `starts` one may start its host, one that `ends` it ends the host too.
        gate: `module:function` that is called with the settings and the payload before a host is started, and raises
            when the operation is switched off.
    """

    target: str
    deps: str
    scope: Scope = "call"
    effect: Effect = "reads"
    life: Life = "lives"
    gate: str = ""


def _at(
    module: str,
    verb: str,
    deps: str,
    effect: Effect,
    scope: Scope = "call",
    life: Life = "lives",
    gate: str = "",
) -> Operation:
    name = f"{verb}_" if verb in {"import", "type", "open", "list"} else verb
    return Operation(f"deepseekeyes.{module}:{name}", f"deepseekeyes.wiring.{deps}", scope, effect, life, gate)


OPERATIONS: Final[dict[str, Operation]] = {
    "vision.read": _at("vision.read", "read", "vision:vision_deps", "spends"),
    "vision.look": _at("vision.look", "look", "vision:vision_deps", "spends"),
    "vision.ask": _at("vision.ask", "ask", "vision:ask_deps", "spends"),
    "vision.attempts": _at("vision.attempts", "attempts", "vision:attempts_deps", "reads"),
    "vision.batch": _at("vision.batch", "batch", "batch:batch_deps", "spends"),
    "vision.eval": _at("vision.evaluate", "evaluate", "evaluation:eval_deps", "spends"),
    "vision.show": _at("vision.show", "show", "vision:show_deps", "spends"),
    "vision.validate": _at("vision.validate", "validate", "vision:validate_deps", "pure"),
    "vision.schema": _at("vision.schema", "schema", "vision:schema_deps", "pure"),
    "vision.routes": _at("vision.routes", "routes", "vision:routes_deps", "reads"),
    "vision.cache.list": _at("vision.cache_list", "cache_list", "vision:cache_deps", "reads"),
    "vision.cache.get": _at("vision.cache_get", "cache_get", "vision:cache_deps", "reads"),
    "vision.cache.verify": _at("vision.cache_verify", "cache_verify", "vision:cache_deps", "reads"),
    "vision.cache.prune": _at("vision.cache_prune", "cache_prune", "vision:cache_deps", "stores"),
    "probe.run": _at("probe.run", "run", "probe:probe_deps", "spends"),
    "probe.show": _at("probe.show", "show", "probe:show_deps", "stores"),
    "probe.challenge": _at("probe.challenge", "challenge", "probe:challenge_deps", "stores"),
    "probe.grade": _at("probe.grade", "grade", "probe:grade_deps", "pure"),
    "mcp.servers": _at("mcp.servers", "servers", "mcp:mcp_deps", "stores"),
    "mcp.test": _at("mcp.test", "test", "mcp:mcp_deps", "stores"),
    "mcp.refresh": _at("mcp.refresh", "refresh", "mcp:mcp_deps", "stores"),
    "mcp.reconnect": _at("mcp.reconnect", "reconnect", "mcp:mcp_deps", "stores"),
    "mcp.tools": _at("mcp.tools", "tools", "mcp:mcp_deps", "stores"),
    "mcp.approve": _at("mcp.approve", "approve", "mcp:mcp_deps", "stores"),
    "mcp.call": _at("mcp.call", "call", "mcp:mcp_deps", "acts"),
    "mcp.resources": _at("mcp.resources", "resources", "mcp:mcp_deps", "reads"),
    "mcp.read": _at("mcp.read", "read", "mcp:mcp_deps", "stores"),
    "mcp.prompts": _at("mcp.prompts", "prompts", "mcp:mcp_deps", "reads"),
    "mcp.prompt": _at("mcp.prompt", "prompt", "mcp:mcp_deps", "stores"),
    "mcp.runs": _at("mcp.runs", "runs", "mcp:mcp_deps", "stores"),
    "mcp.audit": _at("mcp.audit", "audit", "mcp:mcp_deps", "reads"),
    "mcp.artifacts": _at("mcp.artifacts", "artifacts", "mcp:mcp_deps", "stores"),
    "mcp.lint": _at("mcp.lint", "lint", "mcp:lint_deps", "acts"),
    "mcp.add": _at("mcp.add", "add", "mcp_edit:edit_deps", "stores"),
    "mcp.remove": _at("mcp.remove", "remove", "mcp_edit:edit_deps", "stores"),
    "mcp.allow": _at("mcp.allow", "allow", "mcp_edit:edit_deps", "stores"),
    "mcp.import": _at("mcp.import_", "import", "mcp_edit:edit_deps", "stores"),
    "browser.open": _at(
        "browser.open_", "open", "browser:browser_deps", "acts", "session", "starts", "deepseekeyes.browser.gate:check"
    ),
    "browser.observe": _at("browser.observe", "observe", "browser:browser_deps", "reads", "session"),
    "browser.click": _at("browser.click", "click", "browser:browser_deps", "acts", "session"),
    "browser.type": _at("browser.type_", "type", "browser:browser_deps", "acts", "session"),
    "browser.press": _at("browser.press", "press", "browser:browser_deps", "acts", "session"),
    "browser.select": _at("browser.select", "select", "browser:browser_deps", "acts", "session"),
    "browser.check": _at("browser.check", "check", "browser:browser_deps", "acts", "session"),
    "browser.uncheck": _at("browser.uncheck", "uncheck", "browser:browser_deps", "acts", "session"),
    "browser.hover": _at("browser.hover", "hover", "browser:browser_deps", "acts", "session"),
    "browser.drag": _at("browser.drag", "drag", "browser:browser_deps", "acts", "session"),
    "browser.scroll": _at("browser.scroll", "scroll", "browser:browser_deps", "acts", "session"),
    "browser.upload": _at("browser.upload", "upload", "browser:browser_deps", "acts", "session"),
    "browser.wait": _at("browser.wait", "wait", "browser:browser_deps", "reads", "session"),
    "browser.assert": _at("browser.assert_", "assert_", "browser:browser_deps", "reads", "session"),
    "browser.dialog": _at("browser.dialog", "dialog", "browser:browser_deps", "acts", "session"),
    "browser.pages": _at("browser.pages", "pages", "browser:browser_deps", "acts", "session"),
    "browser.back": _at("browser.back", "back", "browser:browser_deps", "acts", "session"),
    "browser.forward": _at("browser.forward", "forward", "browser:browser_deps", "acts", "session"),
    "browser.reload": _at("browser.reload", "reload", "browser:browser_deps", "acts", "session"),
    "browser.screenshot": _at("browser.screenshot", "screenshot", "browser:browser_deps", "stores", "session"),
    "browser.report": _at("browser.report", "report", "browser:browser_deps", "stores", "session"),
    "browser.close": _at("browser.close", "close", "browser:browser_deps", "acts", "session", "ends"),
    "browser.sessions": _at("browser.sessions", "sessions", "browser:browser_deps", "acts"),
    "browser.verify": _at("browser.verify", "verify", "browser:browser_deps", "reads"),
    "browser.run": _at("browser.run", "run", "browser:browser_deps", "acts"),
    "desktop.observe": _at("desktop.observe", "observe", "desktop:desktop_deps", "reads"),
    "desktop.windows": _at("desktop.windows", "windows", "desktop:desktop_deps", "reads"),
    "desktop.click": _at("desktop.click", "click", "desktop:desktop_deps", "acts"),
    "desktop.double_click": _at("desktop.double_click", "double_click", "desktop:desktop_deps", "acts"),
    "desktop.right_click": _at("desktop.right_click", "right_click", "desktop:desktop_deps", "acts"),
    "desktop.move": _at("desktop.move", "move", "desktop:desktop_deps", "acts"),
    "desktop.drag": _at("desktop.drag", "drag", "desktop:desktop_deps", "acts"),
    "desktop.type": _at("desktop.type_", "type", "desktop:desktop_deps", "acts"),
    "desktop.set_value": _at("desktop.set_value", "set_value", "desktop:desktop_deps", "acts"),
    "desktop.invoke": _at("desktop.invoke", "invoke", "desktop:desktop_deps", "acts"),
    "desktop.perform": _at("desktop.perform", "perform", "desktop:desktop_deps", "acts"),
    "desktop.key": _at("desktop.key", "key", "desktop:desktop_deps", "acts"),
    "desktop.scroll": _at("desktop.scroll", "scroll", "desktop:desktop_deps", "acts"),
    "desktop.launch": _at("desktop.launch", "launch", "desktop:desktop_deps", "acts"),
    "desktop.focus": _at("desktop.focus", "focus", "desktop:desktop_deps", "acts"),
    "desktop.move_window": _at("desktop.move_window", "move_window", "desktop:desktop_deps", "acts"),
    "desktop.resize_window": _at("desktop.resize_window", "resize_window", "desktop:desktop_deps", "acts"),
    "desktop.close_window": _at("desktop.close_window", "close_window", "desktop:desktop_deps", "acts"),
    "desktop.wait": _at("desktop.wait", "wait", "desktop:desktop_deps", "reads"),
    "desktop.assert": _at("desktop.assert_", "assert_", "desktop:desktop_deps", "reads"),
    "desktop.screenshot": _at("desktop.screenshot", "screenshot", "desktop:desktop_deps", "stores"),
    "desktop.report": _at("desktop.report", "report", "desktop:desktop_deps", "stores"),
    "desktop.verify": _at("desktop.verify", "verify", "desktop:desktop_deps", "reads"),
    "desktop.sessions": _at("desktop.sessions", "sessions", "desktop:desktop_deps", "reads"),
    "desktop.run": _at("desktop.run", "run", "desktop:desktop_deps", "acts"),
    "desktop.close": _at("desktop.close", "close", "desktop:desktop_deps", "stores"),
    "usage.show": _at("usage.show", "show", "usage:usage_deps", "reads"),
    "usage.sessions": _at("usage.sessions", "sessions", "usage:usage_deps", "reads"),
    "usage.export": _at("usage.export", "export", "usage:usage_deps", "reads"),
    "usage.import": _at("usage.import_", "import", "usage:usage_deps", "stores"),
    "usage.reset": _at("usage.reset", "reset", "usage:usage_deps", "stores"),
    "config.show": _at("config.show", "show", "config:config_deps", "reads"),
    "config.path": _at("config.path", "path", "config:config_deps", "reads"),
    "config.validate": _at("config.validate", "validate", "config:config_deps", "reads"),
    "config.schema": _at("config.schema", "schema", "config:config_deps", "pure"),
    "config.init": _at("config.init", "init", "config:config_deps", "stores"),
    "config.trust": _at("config.trust", "trust", "config:config_deps", "stores"),
    "doctor.run": _at("doctor.run", "run", "doctor:doctor_deps", "reads"),
}

_BEHIND: Final = {"doctor.run": "doctor", "browser.verify": "browser report", "desktop.verify": "desktop report"}


def command_of(operation: str) -> str:
    """The words of the command line that run an operation, `vision read` for `vision.read`."""
    return _BEHIND.get(operation) or operation.replace(".", " ").replace("_", "-")

"""`mcp add NAME -- COMMAND...`: write a server into the home's configuration. Nothing is started."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from deepseekeyes.contracts.mcp_edit import McpAdded
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_SECRET_LITERAL, MCP_SERVER_EXISTS
from deepseekeyes.mcp.credentials import exposed_credential
from deepseekeyes.mcp.editing import EditDeps, checked, invalid, is_literal, variables


class AddRequest(Contract):
    """A server of one transport: `command` (program and arguments) or `url`.

    `env` holds NAME or NAME=VARIABLE, `headers` holds NAME=VARIABLE; `oauth` the variables of client id and secret.
    """

    server: str
    command: tuple[str, ...] = ()
    url: str | None = None
    name: str | None = None
    cwd: str | None = None
    env: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    oauth_id: str | None = None
    oauth_secret: str | None = None
    oauth_scope: str | None = None
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    allow_resources: tuple[str, ...] = ()
    allow_prompts: tuple[str, ...] = ()
    resources: bool = False
    prompts: bool = False
    risk_policy: Literal["allow", "read-only"] | None = None
    timeout_ms: int | None = None
    disabled: bool = False
    replace: bool = False


async def add(request: AddRequest, deps: EditDeps) -> McpAdded:
    """Check a server and write it. It exposes nothing but what `allow` names.

    Raises:
        EyesError: MCP_SECRET_LITERAL, MCP_CONFIG_INVALID, MCP_SERVER_EXISTS, and the codes of the configuration.
    """
    values = _values(request, deps)
    existing = deps.file.servers()
    server = checked(request.server, values, existing)
    if not deps.file.put(request.server, values, replace=request.replace):
        raise EyesError(
            MCP_SERVER_EXISTS, f"{deps.file.path} has a server {request.server} already.", server=request.server
        )
    return McpAdded(
        path=deps.file.path,
        server=request.server,
        replaced=request.server in existing,
        switched_on=deps.file.switched_on(),
        definition=values,
        variables=variables(server, deps.value),
        notes=() if server.allowed_tools else ("Nothing is allowed yet, so no tool of it is shown or can be called.",),
    )


def _values(request: AddRequest, deps: EditDeps) -> dict[str, Any]:
    """The table to write: what was given, in the order of the documentation."""
    if bool(request.command) == (request.url is not None):
        raise invalid("A server has either a command after -- or --url.")
    values: dict[str, Any] = {}
    if request.name is not None:
        values["name"] = request.name
    if request.disabled:
        values["enabled"] = False
    if request.command:
        values |= {"transport": "stdio", "command": request.command[0], "args": list(request.command[1:])}
    else:
        values |= {"transport": "streamable-http", "url": request.url}
    given = {
        "cwd": request.cwd,
        "env": _references(request.env, "--env", deps, bare=True),
        "headers": _references(request.headers, "--header", deps, bare=False),
        "oauth": _oauth(request, deps),
        "resources_enabled": (request.resources or bool(request.allow_resources)) or None,
        "prompts_enabled": (request.prompts or bool(request.allow_prompts)) or None,
        "risk_policy": request.risk_policy,
        "timeout_ms": request.timeout_ms,
    }
    values |= {key: value for key, value in given.items() if value}
    values["allowed_tools"] = list(request.allow)
    lists = {
        "deny_tools": request.deny,
        "allowed_resources": request.allow_resources,
        "allowed_prompts": request.allow_prompts,
    }
    return values | {key: list(value) for key, value in lists.items() if value}


def _references(words: Sequence[str], option: str, deps: EditDeps, *, bare: bool) -> dict[str, dict[str, str]]:
    found = {}
    for word in words:
        name, given, variable = word.partition("=")
        if bare and not given and not is_literal(word, deps.value):
            variable = name
        if not variable or is_literal(variable, deps.value):
            raise _literal(name, option)
        found[name] = {"env": variable}
    return found


def _literal(word: str, option: str) -> EyesError:
    """The refusal of a value where a variable belongs; only a name that is none of its own is repeated."""
    name = re.split(r"[\s:=]", word, maxsplit=1)[0]
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z_-]{0,39}", name) is not None
    telling = plain and exposed_credential((name,)) is None
    shown = name if telling else "NAME"
    variable = re.sub(r"[^A-Za-z0-9_]", "_", shown).upper()
    return EyesError(
        MCP_SECRET_LITERAL,
        f"{option} names an environment variable; a value itself is never written into the configuration.",
        variable=variable,
        option=option,
        name=shown,
    )


def _oauth(request: AddRequest, deps: EditDeps) -> dict[str, Any] | None:
    given = {"--oauth-id": request.oauth_id, "--oauth-secret": request.oauth_secret}
    if not any(given.values()):
        return None
    for option, word in given.items():
        if word is not None and is_literal(word, deps.value):
            raise _literal("OAUTH", option)
    oauth: dict[str, Any] = {"enabled": True}
    if request.oauth_id is not None:
        oauth["client_id"] = {"env": request.oauth_id}
    if request.oauth_secret is not None:
        oauth["client_secret"] = {"env": request.oauth_secret}
    return oauth | ({"scope": request.oauth_scope} if request.oauth_scope else {})

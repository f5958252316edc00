"""`mcp add`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = """\
deepseekeyes mcp add files --allow 'read_*' -- npx -y @modelcontextprotocol/server-filesystem ~/notes
deepseekeyes mcp add github --url https://example.com/mcp --header Authorization=GITHUB_AUTH --risk-policy read-only"""

Words = list[str] | None
Policy = Literal["allow", "read-only"]


def command(
    server: Annotated[str, typer.Argument(metavar="NAME", help="The id: letters, digits, - and _, at most 32.")],
    words: Annotated[
        Words, typer.Argument(metavar="-- COMMAND", help="The program to start and its arguments.")
    ] = None,
    url: Annotated[str | None, typer.Option("--url", metavar="URL", help="An HTTP endpoint instead.")] = None,
    env: Annotated[
        Words, typer.Option("--env", metavar="NAME[=VARIABLE]", help="Pass this variable on, or another one as NAME.")
    ] = None,
    headers: Annotated[
        Words, typer.Option("--header", metavar="NAME=VARIABLE", help="Send a header with the variable's value.")
    ] = None,
    allow: Annotated[Words, typer.Option("--allow", metavar="GLOB", help="Tools that may be used.")] = None,
    deny: Annotated[Words, typer.Option("--deny", metavar="GLOB", help="Tools that may not; wins.")] = None,
    allow_resources: Annotated[
        Words, typer.Option("--allow-resource", metavar="GLOB", help="Resources that may be read.")
    ] = None,
    allow_prompts: Annotated[
        Words, typer.Option("--allow-prompt", metavar="GLOB", help="Prompts that may be fetched.")
    ] = None,
    resources: Annotated[bool, typer.Option("--resources", help="Switch its resources on.")] = False,
    prompts: Annotated[bool, typer.Option("--prompts", help="Switch its prompts on.")] = False,
    risk_policy: Annotated[
        Policy | None, typer.Option("--risk-policy", help="`read-only` admits only tools declared to read.")
    ] = None,
    timeout_ms: Annotated[
        int | None, typer.Option("--timeout-ms", metavar="MS", help="Longest wait for one answer.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="TEXT", help="The name people see.")] = None,
    cwd: Annotated[str | None, typer.Option("--cwd", metavar="DIR", help="Its working folder.")] = None,
    oauth_id: Annotated[
        str | None, typer.Option("--oauth-id", metavar="VARIABLE", help="Holds the OAuth client id.")
    ] = None,
    oauth_secret: Annotated[
        str | None, typer.Option("--oauth-secret", metavar="VARIABLE", help="Holds the OAuth client secret.")
    ] = None,
    oauth_scope: Annotated[
        str | None, typer.Option("--oauth-scope", metavar="SCOPES", help="OAuth scopes to ask for.")
    ] = None,
    disabled: Annotated[bool, typer.Option("--disabled", help="Write it switched off.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a server of that name.")] = False,
) -> Call:
    """Write a server into the home's configuration. Nothing is started, and nothing is allowed but what --allow names.

    Secrets are named, never given: --env and --header take names of environment variables.
    """
    return "mcp.add", {
        "server": server,
        "command": tuple(words or ()),
        "url": url,
        "env": tuple(env or ()),
        "headers": tuple(headers or ()),
        "allow": tuple(allow or ()),
        "deny": tuple(deny or ()),
        "allow_resources": tuple(allow_resources or ()),
        "allow_prompts": tuple(allow_prompts or ()),
        "resources": resources,
        "prompts": prompts,
        "risk_policy": risk_policy,
        "timeout_ms": timeout_ms,
        "name": name,
        "cwd": cwd,
        "oauth_id": oauth_id,
        "oauth_secret": oauth_secret,
        "oauth_scope": oauth_scope,
        "disabled": disabled,
        "replace": replace,
    }

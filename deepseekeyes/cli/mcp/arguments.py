"""Arguments and options of the `mcp` commands, and how their values are read."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

STDIN_LIMIT = 16 * 1024 * 1024


def json_object(text: str) -> dict[str, Any]:
    """A JSON object from a word of the command line, or from standard input for `-`."""
    given = _piped() if text == "-" else text
    try:
        value = json.loads(given)
    except (ValueError, RecursionError):
        raise typer.BadParameter("it is not JSON") from None
    if not isinstance(value, dict):
        raise typer.BadParameter("it is JSON, but no object")
    return value


def pair(text: str) -> tuple[str, str]:
    """`NAME=VALUE` as a pair."""
    name, found, value = text.partition("=")
    if not found or not name:
        raise typer.BadParameter(f"{text[:40]!r} is not NAME=VALUE")
    return name, value


def _piped() -> str:
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        raise typer.BadParameter("nothing is piped into standard input")
    data = sys.stdin.buffer.read(STDIN_LIMIT + 1)
    if len(data) > STDIN_LIMIT:
        raise typer.BadParameter(f"standard input holds more than {STDIN_LIMIT} bytes")
    _refuse_failures(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise typer.BadParameter("standard input is not UTF-8") from None


def _refuse_failures(data: bytes) -> None:
    """Pass on the failure of a command of ours before the pipe; anything else is left to be read as JSON."""
    from deepseekeyes.core.errors import EyesError
    from deepseekeyes.imaging.piped import CarriedError, piped_documents

    try:
        piped_documents(data)
    except CarriedError:
        raise
    except EyesError:
        return


Server = Annotated[str, typer.Argument(metavar="SERVER", help="The server's id.")]
OneServer = Annotated[str | None, typer.Argument(metavar="SERVER", help="Only this server; all when absent.")]
Tool = Annotated[str, typer.Argument(metavar="TOOL", help="The tool, by the server's name for it or its public one.")]
Args = Annotated[
    dict[str, Any] | None,
    typer.Option("--args", metavar="JSON", parser=json_object, help="The arguments as a JSON object; - reads stdin."),
]
RunId = Annotated[
    str | None, typer.Option("--run-id", metavar="ID", help="The run that the call belongs to, counted together.")
]
Enable = Annotated[bool, typer.Option("--enable", help="Although MCP servers are switched off in the configuration.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=10_000, metavar="N", help="List at most this many.")]

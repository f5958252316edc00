"""What the operations that change the configuration work with, and the validation that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from deepseekeyes.contracts.mcp_edit import McpVariable
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp.codes import MCP_CONFIG_INVALID, MCP_SERVER_UNKNOWN
from deepseekeyes.mcp.credentials import exposed_credential
from deepseekeyes.mcp.definitions import ServerSettings, check_ids


class ServerFile(Protocol):
    """The servers in the home's `config.toml`, changed in place with comments kept, one writer at a time."""

    @property
    def path(self) -> str:
        """Where it lies."""
        ...

    def servers(self) -> dict[str, dict[str, Any]]:
        """The tables under `[mcp.servers]` as they are written, valid or not."""
        ...

    def switched_on(self) -> bool:
        """Whether MCP is enabled in all that is in force."""
        ...

    def put(self, server_id: str, values: Mapping[str, Any], *, replace: bool) -> bool:
        """Write one table whole; False when it exists and `replace` is off."""
        ...

    def drop(self, server_id: str) -> bool:
        """Remove one table; False when there was none."""
        ...


class Memory(Protocol):
    """What is remembered of a server beside its configuration."""

    def forget_catalog(self, server_id: str) -> bool:
        """Drop the last listing; False when there was none."""
        ...

    def forget_pins(self, server_id: str) -> None:
        """Drop the remembered definitions."""
        ...

    def pins(self, server_id: str) -> int:
        """How many definitions are remembered."""
        ...


@dataclass(frozen=True, slots=True)
class EditDeps:
    """Everything outside.

    Attributes:
        file: the home's configuration.
        memory: catalogs and pins.
        value: the value of a variable, empty when it is not set; only ever compared, never shown.
        user_home: the user's own folder, for placeholders that mean it.
        read: the bytes of a file, or of standard input for `-`.
    """

    file: ServerFile
    memory: Memory
    value: Callable[[str], str]
    user_home: str
    read: Callable[[str], bytes]


def checked(server_id: str, values: Mapping[str, Any], others: Mapping[str, Any]) -> ServerSettings:
    """A definition as the configuration would read it, next to the servers that exist.

    Raises:
        EyesError: MCP_CONFIG_INVALID with one sentence, never with a value.
    """
    from pydantic import ValidationError

    try:
        server = ServerSettings.model_validate(dict(values))
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"] if part not in ("instance", "form"))
        reason = surface(first["msg"].removeprefix("Value error, ")).rstrip(".")
        raise invalid(f"{place}: {reason}." if place else f"{reason}.") from None
    try:
        check_ids({**_named(others, server_id), server_id: server})
    except ValueError as wrong:
        raise invalid(str(wrong)) from None
    return server


def _named(others: Mapping[str, Any], server_id: str) -> dict[str, ServerSettings]:
    """The other servers as far as ids and names go; their own problems are not this one's."""
    stand_in = ServerSettings(transport="stdio", command="true")
    found = {}
    for other, table in others.items():
        name = table.get("name") if isinstance(table, Mapping) else None
        if other != server_id:
            found[other] = stand_in.model_copy(update={"name": name if isinstance(name, str) else None})
    try:
        check_ids(found)
    except ValueError:
        return {}
    return found


def invalid(message: str) -> EyesError:
    """A definition that cannot be used."""
    return EyesError(MCP_CONFIG_INVALID, message)


def known(server_id: str, file: ServerFile) -> dict[str, Any]:
    """A server's table in the home's configuration.

    Raises:
        EyesError: MCP_SERVER_UNKNOWN with the nearest id.
    """
    servers = file.servers()
    if server_id in servers:
        return servers[server_id]
    from deepseekeyes.core.names import nearest

    close = nearest(server_id, servers) if servers else None
    raise EyesError(
        MCP_SERVER_UNKNOWN,
        f"{file.path} has no MCP server {server_id[:64]!r}{f'; did you mean {close!r}' if close else ''}.",
        details={"candidates": sorted(servers)[:20]},
    )


def variables(server: ServerSettings, value: Callable[[str], str]) -> tuple[McpVariable, ...]:
    """Every variable that a definition refers to."""
    refs = {f"env.{name}": ref for name, ref in server.env.items()}
    refs |= {f"headers.{name}": ref for name, ref in server.headers.items()}
    oauth = {"oauth.client_id": server.oauth.client_id, "oauth.client_secret": server.oauth.client_secret}
    refs |= {field: ref for field, ref in oauth.items() if ref is not None}
    return tuple(
        McpVariable(
            field=field,
            name=ref.env,
            available=bool(value(ref.env).strip()),
            hint=None if value(ref.env).strip() else f"export {ref.env}=...",
        )
        for field, ref in refs.items()
    )


def is_literal(word: str, value: Callable[[str], str]) -> bool:
    """Whether a word that should name a variable looks like a secret itself.

    Tokens are often valid names, so the known forms of tokens count, and so does a long mix of letters and digits
    that is not set as a variable.
    """
    if not (word.isascii() and word.isidentifier()) or exposed_credential((word,)) is not None:
        return True
    mixed = any(letter.isdigit() for letter in word) and any(letter.islower() for letter in word)
    return mixed and len(word) >= 20 and not value(word)

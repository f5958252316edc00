"""What a configured server is: strict fields, references instead of secrets, nothing that needs a guess."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from deepseekeyes.contracts.settings import Section
from deepseekeyes.core.secrets import SecretRef
from deepseekeyes.mcp.addresses import trouble_with
from deepseekeyes.mcp.credentials import exposed_credential
from deepseekeyes.mcp.naming import RESERVED_IDS
from deepseekeyes.mcp.risk import RiskPolicy

SERVER_ID = re.compile(r"^[A-Za-z0-9_-]{1,32}$")
_VARIABLE = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")
_HEADER = re.compile(r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
_PAIRS = (
    ("allowed_tools", "deny_tools"),
    ("allowed_resources", "deny_resources"),
    ("allowed_prompts", "deny_prompts"),
)
POLICY_FIELDS = frozenset({"name", "risk_policy", *(field for pair in _PAIRS for field in pair)})


def _words(value: Any) -> Any:
    """A TOML array as a tuple of trimmed, non-empty words; anything else is left for the type check to refuse."""
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) for word in value):
        return value
    words = tuple(word.strip() for word in value)
    if not all(words):
        raise ValueError("An entry is empty.")
    return words


def _distinct(value: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(value)) != len(value):
        raise ValueError("An entry appears twice.")
    return value


def _text(value: Any) -> Any:
    if isinstance(value, str) and not value.strip():
        raise ValueError("It is empty.")
    return value.strip() if isinstance(value, str) else value


def _lowered(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _named(pattern: re.Pattern[str]) -> Any:
    def check(value: dict[str, SecretRef]) -> dict[str, SecretRef]:
        for name in value:
            if pattern.fullmatch(name) is None:
                raise ValueError(f"The name {name[:64]!r} is not valid here.")
        return value

    return AfterValidator(check)


Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
Selectors = Annotated[tuple[str, ...], BeforeValidator(_words), AfterValidator(_distinct)]
Text = Annotated[str, BeforeValidator(_text)]
Variables = Annotated[dict[str, SecretRef], _named(_VARIABLE)]
Headers = Annotated[dict[str, SecretRef], _named(_HEADER)]


class OAuthSettings(Section):
    """Client credentials for an HTTP server; both halves are references."""

    enabled: bool = Field(default=False, description="Sign in with OAuth client credentials.")
    client_id: SecretRef | None = Field(default=None, description="The variable that holds the client id.")
    client_secret: SecretRef | None = Field(default=None, description="The variable that holds the client secret.")
    scope: Text | None = Field(default=None, description="Scopes to ask for, separated by blanks.")
    auth_method: Literal["client_secret_basic", "client_secret_post"] | None = Field(
        default=None, description="How the client authenticates at the token endpoint; default: basic if offered."
    )
    issuer: Text | None = Field(
        default=None,
        description="The only authorization server that may get the secret; default: the server's choice.",
    )
    accept_issuer: Text | None = Field(
        default=None, description="Another name that the authorization server's metadata may call itself by."
    )

    @model_validator(mode="after")
    def _complete(self) -> OAuthSettings:
        if self.enabled and (self.client_id is None or self.client_secret is None):
            raise ValueError("An enabled oauth block needs client_id and client_secret.")
        if self.issuer is not None and (trouble := trouble_with(self.issuer)):
            raise ValueError(f"The issuer is not usable. {trouble}")
        return self


class ServerSettings(Section):
    """One server under `[mcp.servers.ID]`. A new server exposes nothing until something is allowed."""

    name: Text | None = Field(default=None, description="The name people see; default: the id.")
    enabled: bool = Field(default=True, description="Whether the server may be used at all.")
    transport: Annotated[Literal["stdio", "streamable-http"], BeforeValidator(_lowered)] = Field(
        description="How to talk to it."
    )
    command: Text | None = Field(default=None, description="The program to start (stdio).")
    args: Words = Field(default=(), description="Its arguments (stdio); never credentials.")
    cwd: Text | None = Field(default=None, description="Its working folder (stdio); default: ours.")
    env: Variables = Field(default={}, description="Its environment (stdio): NAME = { env = OURS }.")
    url: Text | None = Field(default=None, description="Its endpoint (streamable-http): https, or http on loopback.")
    headers: Headers = Field(default={}, description="Headers to send (streamable-http): Name = { env = OURS }.")
    oauth: OAuthSettings = Field(default=OAuthSettings(), description="OAuth client credentials (streamable-http).")
    tools_enabled: bool = Field(default=True, description="The Tools plane.")
    resources_enabled: bool = Field(default=False, description="Resources of the Content plane.")
    prompts_enabled: bool = Field(default=False, description="Prompts of the Content plane.")
    risk_policy: RiskPolicy = Field(default="allow", description="`read-only` admits only tools declared to read.")
    allowed_tools: Selectors = Field(default=(), description="Globs of tools that may be used.")
    deny_tools: Selectors = Field(default=(), description="Globs of tools that may not; wins over allowed_tools.")
    allowed_resources: Selectors = Field(default=(), description="Globs of resource URIs that may be read.")
    deny_resources: Selectors = Field(default=(), description="Globs of resource URIs that may not.")
    allowed_prompts: Selectors = Field(default=(), description="Globs of prompts that may be fetched.")
    deny_prompts: Selectors = Field(default=(), description="Globs of prompts that may not.")
    timeout_ms: int | None = Field(
        default=None, ge=100, le=3_600_000, description="Longest wait for one answer; default: tool_call_timeout_ms."
    )

    @model_validator(mode="after")
    def _consistent(self) -> ServerSettings:
        for allow, deny in _PAIRS:
            both = sorted(set(getattr(self, allow)) & set(getattr(self, deny)))
            if both:
                raise ValueError(f"{both[0]!r} is in {allow} and in {deny}.")
        if self.transport == "stdio":
            self._check_stdio()
        else:
            self._check_http()
        return self

    def _check_stdio(self) -> None:
        if not self.command:
            raise ValueError("A stdio server needs a command.")
        if self.url or self.headers or self.oauth.enabled:
            raise ValueError("url, headers and oauth belong to streamable-http servers.")
        if exposed_credential((self.command,)) is not None:
            raise ValueError("The command carries a credential; name a variable under env instead.")
        position = exposed_credential(self.args)
        if position is not None:
            raise ValueError(
                f"Argument {position + 1} carries or names a credential; name a variable under env instead."
            )
        if any("\0" in word for word in (self.command, *self.args)):
            raise ValueError("An argument holds a NUL character.")

    def _check_http(self) -> None:
        if not self.url:
            raise ValueError("A streamable-http server needs a url.")
        if self.command or self.cwd or self.args or self.env:
            raise ValueError("command, cwd, args and env belong to stdio servers.")
        if trouble := trouble_with(self.url):
            raise ValueError(trouble)
        names = {name.lower() for name in self.headers}
        if len(names) != len(self.headers):
            raise ValueError("A header appears twice.")
        if self.oauth.enabled and "authorization" in names:
            raise ValueError("An Authorization header would replace the OAuth token; remove one of them.")

    @property
    def content_enabled(self) -> bool:
        return self.resources_enabled or self.prompts_enabled

    def fingerprint(self) -> str:
        """SHA-256 over all whose change needs a new connection: everything but the name and the policy."""
        from deepseekeyes.core.canonical import digest

        return digest(self.model_dump(mode="json", exclude=set(POLICY_FIELDS)))


def check_ids(servers: Mapping[str, ServerSettings]) -> None:
    """Refuse ids and names that are malformed, reserved or equal but for case.

    Raises:
        ValueError: with one sentence that names the server.
    """
    seen: dict[str, str] = {}
    for server_id, server in servers.items():
        if SERVER_ID.fullmatch(server_id) is None:
            raise ValueError(
                f"The server id {server_id[:64]!r} must be 1 to 32 letters, digits, dashes or underscores."
            )
        if server_id.lower() in RESERVED_IDS:
            raise ValueError(f"The server id {server_id!r} is reserved.")
        for word in {server_id.lower(), (server.name or server_id).lower()}:
            if seen.setdefault(word, server_id) != server_id:
                raise ValueError(f"The servers {seen[word]!r} and {server_id!r} have the same id or name.")

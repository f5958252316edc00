"""What the `config` commands print."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.model import Contract

FileRole = Literal["named", "folder", "home"]
TrustState = Literal["not-needed", "trusted", "untrusted", "changed"]


class Setting(Contract):
    """One setting as it is in force.

    `origin` is `flag`, `env NAME`, `file PATH` or `default`. `env` is the variable that sets it, None where none can.
    A secret's value is its reference and whether the variable is set, never the secret.
    """

    key: str
    value: Any
    origin: str
    default: Any = None
    description: str = ""
    env: str | None = None


class ConfigList(Document):
    """`deepseekeyes.config-list.v1`: every setting asked for, in the order of the published schema."""

    schema_: Literal["deepseekeyes.config-list.v1"] = Field(default="deepseekeyes.config-list.v1", alias="schema")
    items: tuple[Setting, ...]
    warnings: tuple[str, ...] = ()
    truncated: bool = False
    omitted: int = 0


class ConfigFile(Contract):
    """A file that is consulted. `used` is false where an explicitly named file replaces it or it is absent."""

    role: FileRole
    path: str
    exists: bool
    used: bool
    trust: TrustState
    sha256: str | None = None
    bytes: int | None = None


class ConfigPaths(Document):
    """`deepseekeyes.config-path.v1`: where settings and state live, in order of precedence."""

    schema_: Literal["deepseekeyes.config-path.v1"] = Field(default="deepseekeyes.config-path.v1", alias="schema")
    home: str
    home_exists: bool
    files: tuple[ConfigFile, ...]
    environment: tuple[str, ...] = ()


class ConfigProblem(Contract):
    """One thing that is wrong. `key` is the dotted setting, `line` counts from 1."""

    code: str
    message: str
    key: str | None = None
    origin: str
    line: int | None = None
    candidates: tuple[str, ...] = ()


class ConfigVerdict(Document):
    """`deepseekeyes.config-verdict.v1`: whether a configuration would be accepted, with every problem at once."""

    schema_: Literal["deepseekeyes.config-verdict.v1"] = Field(default="deepseekeyes.config-verdict.v1", alias="schema")
    valid: bool
    sources: tuple[str, ...]
    problems: tuple[ConfigProblem, ...] = ()
    warnings: tuple[str, ...] = ()

    def outcome(self) -> Outcome | None:
        return None if self.valid else "verdict"


class ConfigInit(Document):
    """`deepseekeyes.config-init.v1`: the starter file that was written, and the old one's copy where there was one."""

    schema_: Literal["deepseekeyes.config-init.v1"] = Field(default="deepseekeyes.config-init.v1", alias="schema")
    path: str
    replaced: bool
    backup: str | None = None


class ConfigTrust(Document):
    """`deepseekeyes.config-trust.v1`: the working folder's file and whether its present content is trusted."""

    schema_: Literal["deepseekeyes.config-trust.v1"] = Field(default="deepseekeyes.config-trust.v1", alias="schema")
    path: str
    sha256: str | None
    trusted: bool
    restricted: tuple[str, ...] = ()

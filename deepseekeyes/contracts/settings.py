"""The base of a configuration section; each subsystem owns its own."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """One section of the configuration: snake_case keys, strict types, unknown keys refused.

    Every field carries a description; `config show` and the published schema print it.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, defer_build=True, allow_inf_nan=False, protected_namespaces=()
    )

"""The base of every value that crosses a border."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

SHA256 = r"^[0-9a-f]{64}$"


class Contract(BaseModel):
    """A frozen value: snake_case in Python, camelCase in JSON, nothing unknown accepted."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        defer_build=True,
        allow_inf_nan=False,
        protected_namespaces=(),
    )

"""Secrets by name: configuration names an environment variable, and its value is read where it is used."""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from deepseekeyes.core.codes import CREDENTIAL_MISSING
from deepseekeyes.core.errors import EyesError

SHORTEST_SECRET = 4
SHORTEST_GUESS = 8

_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
_TELLING = re.compile(r"(?:(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY)|_PWD)$")
_revealed: dict[str, None] = {}
_watched: dict[str, None] = {}


class SecretRef(NamedTuple):
    """A secret as configuration writes it: `{ env = "NAME" }`. The value never enters a settings object."""

    env: str

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Accept `{"env": NAME}` or an instance, in strict mode too; dump as `{"env": NAME}`."""
        from pydantic_core import core_schema

        del source, handler
        form = core_schema.typed_dict_schema(
            {"env": core_schema.typed_dict_field(core_schema.str_schema(pattern=_NAME, max_length=256, strict=True))},
            extra_behavior="forbid",
        )
        made = core_schema.no_info_after_validator_function(lambda found: cls(found["env"]), form)
        either = core_schema.tagged_union_schema(
            {"instance": core_schema.is_instance_schema(cls), "form": made},
            lambda found: "instance" if isinstance(found, cls) else "form",
        )
        return core_schema.custom_error_schema(
            either,
            custom_error_type="secret_ref",
            custom_error_message='a secret is named, never given: { env = "NAME" }',
            serialization=core_schema.plain_serializer_function_ser_schema(_dumped),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """The published form of a reference."""
        del core, handler
        return {
            "type": "object",
            "title": "SecretRef",
            "description": "The environment variable that holds the secret.",
            "properties": {"env": {"type": "string", "pattern": _NAME, "maxLength": 256}},
            "required": ["env"],
            "additionalProperties": False,
        }


def _dumped(ref: SecretRef) -> dict[str, str]:
    return {"env": ref.env}


def reveal(ref: SecretRef) -> str:
    """The value of a secret, trimmed. From now on `known_values()` holds it.

    Raises:
        EyesError: CREDENTIAL_MISSING when the variable is unset or blank.
    """
    value = os.environ.get(ref.env, "").strip()
    if not value:
        raise EyesError(CREDENTIAL_MISSING, f"The environment variable {ref.env} is not set.", name=ref.env)
    remember(value)
    return value


def available(ref: SecretRef) -> bool:
    """Whether the variable holds something; its value is not revealed."""
    return bool(os.environ.get(ref.env, "").strip())


def remember(value: str) -> None:
    """Count a value as secret until the process ends: an issued token, text typed with `--secret`."""
    if len(value) >= SHORTEST_SECRET:
        _revealed[value] = None


def watch(ref: SecretRef) -> None:
    """Count a configured reference's value as secret even before it is revealed."""
    _watched[ref.env] = None


def known_values() -> tuple[str, ...]:
    """Every secret value this process knows of, longest first, for the redactor.

    Revealed and remembered values, the values of watched variables, and the values (8 characters or more) of
    environment variables whose names end in KEY, TOKEN, SECRET, PASSWORD and the like, unless they are paths of files
    that exist. Values under 4 characters are left out: replacing them would shred every text.
    """
    found = dict(_revealed)
    for name, raw in os.environ.items():
        value = raw.strip()
        if (name in _watched and len(value) >= SHORTEST_SECRET) or _telling(name, value):
            found[value] = None
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _telling(name: str, value: str) -> bool:
    if len(value) < SHORTEST_GUESS or not _TELLING.search(name.upper()):
        return False
    return not (value.startswith("/") and os.path.lexists(value))

"""From raw entries to a catalog: built-in entries, then the home's catalog.json, then `[routes.ID]` of the config."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import SecretRef
from deepseekeyes.routing import codes, spellings
from deepseekeyes.routing.capabilities import NAMES
from deepseekeyes.routing.catalog import ROUTE_ID, Catalog, Convention, EngineWord, Limits, Origin, Prices, Route

CATALOG_SCHEMA: Final = "deepseekeyes.catalog.v1"
SERVED_BY_NETWORK: Final = frozenset({"openai_chat", "anthropic_messages", "ollama", "a1111", "comfyui", "three_d"})
MAX_ROUTES: Final = 20_000

BUILT_IN: Final[Mapping[str, Mapping[str, Any]]] = {
    "local": {
        "engine": "local",
        "model": "local",
        "capabilities": ["image_to_evidence"],
        "inputs": ["text", "image"],
        "tags": ["local"],
        "priority": 1000,
        "coordinates": "normalized",
        "notes": "The eye inside this package: text, codes, colours and plain shapes, offline.",
    },
    "deepseek-official": {
        "engine": "openai_chat",
        "model": "deepseek-v4-flash",
        "base_url": "https://api.deepseek.com",
        "key": {"env": "DEEPSEEK_API_KEY"},
        "capabilities": ["text_to_text"],
        "inputs": ["text"],
        "tags": ["remote"],
        "priority": 1000,
        "thinking_switch": "thinking",
        "limits": {"context_tokens": 1_000_000, "timeout_s": 900},
        "notes": "Used once DEEPSEEK_API_KEY is set.",
    },
}


def build_catalog(
    config: Mapping[str, Mapping[str, Any]] | None = None,
    home: Mapping[str, Any] | None = None,
    *,
    local_model: str | None = None,
    local_options: Mapping[str, Any] | None = None,
) -> Catalog:
    """Merge and check every entry.

    An entry of the same id lays its fields over the one below it, so `[routes.local] enabled = false` is enough.

    Args:
        config: `[routes.ID]` tables, id to fields.
        home: the document of catalog.json, or None when there is none.
        local_model: identity of the local eye as its engine reports it.
        local_options: bounds of the local eye that differ from their defaults.

    Raises:
        EyesError: `CATALOG_INVALID` naming every problem with its path.
    """
    carried = dict(BUILT_IN)
    if local_model is not None:
        carried["local"] = {**carried["local"], "model": local_model}
    if local_options:
        carried["local"] = {**carried["local"], "options": dict(local_options)}
    layers: tuple[tuple[Origin, Mapping[str, Any]], ...] = (
        ("built-in", carried),
        ("catalog.json", _home_routes(home)),
        ("config", config or {}),
    )
    merged: dict[str, dict[str, Any]] = {}
    origins: dict[str, Origin] = {}
    problems: list[str] = []
    for origin, entries in layers:
        for key, fields in entries.items():
            if not isinstance(fields, Mapping):
                problems.append(f"routes.{key}: must be a table")
                continue
            found = [] if origin == "built-in" else spelling_problems(f"routes.{key}", fields)
            problems.extend(found)
            if not found:
                merged[key] = _laid_over(merged.get(key, {}), fields)
                origins[key] = origin
    routes = [
        carried_route(key, merged[key]) if origins[key] == "built-in" else _route(key, merged[key], problems)
        for key in sorted(merged)
    ]
    _refuse(problems)
    return Catalog(routes=tuple(route for route in routes if route is not None), origins=origins)


def carried_route(key: str, fields: Mapping[str, Any]) -> Route:
    """An entry of this package, which a test holds to the checks; checking it again would be the slowest step of a
    cached reading."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    values |= {
        "id": key,
        "provider": key,
        "builtin": True,
        "limits": Limits.model_construct(**fields.get("limits", {})),
    }
    if "key" in fields:
        values["key"] = SecretRef(**fields["key"])
    return Route.model_construct(**values)


def read_entry(key: str, fields: Mapping[str, Any]) -> Route:
    """One whole entry by itself.

    Raises:
        EyesError: `CATALOG_INVALID`.
    """
    problems = spelling_problems(f"routes.{key}", fields)
    route = None if problems else _route(key, _laid_over({}, fields), problems)
    _refuse(problems)
    assert route is not None
    return route


def spelling_problems(path: str, fields: Mapping[str, Any]) -> list[str]:
    """Keys and words we do not know, each with the one that was probably meant."""
    problems = _unknown_keys(path, fields, set(Route.model_fields) - {"id", "builtin"})
    for part, model in (("limits", Limits), ("prices", Prices)):
        if isinstance(fields.get(part), Mapping):
            problems += _unknown_keys(f"{path}.{part}", fields[part], set(model.model_fields))
    problems += _word(f"{path}.engine", fields.get("engine"), get_args(EngineWord), spellings.ENGINES)
    problems += _word(f"{path}.coordinates", fields.get("coordinates"), get_args(Convention), spellings.CONVENTIONS)
    listed = fields.get("capabilities")
    for index, name in enumerate(listed if isinstance(listed, list | tuple) else ()):
        problems += _word(f"{path}.capabilities[{index}]", name, NAMES, spellings.CAPABILITIES)
    return problems


def _home_routes(home: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if home is None:
        return {}
    if home.get("schema") != CATALOG_SCHEMA:
        raise EyesError(
            codes.CATALOG_INVALID,
            f'catalog.json must say "schema": "{CATALOG_SCHEMA}"; it says {_said(home.get("schema"))}.',
        )
    for key in home:
        if key not in ("schema", "routes") and not key.startswith("$"):
            raise EyesError(
                codes.CATALOG_INVALID, f"catalog.json: {key[:80]!r} is no known key; entries lie in routes."
            )
    routes = home.get("routes", {})
    if not isinstance(routes, Mapping):
        raise EyesError(codes.CATALOG_INVALID, "catalog.json: routes must be an object of entries by id.")
    return routes


def _said(value: object) -> str:
    """What a document says in a place, for a message."""
    from deepseekeyes.core.redact import clip

    return "nothing" if value is None else repr(clip(value, 100)) if isinstance(value, str) else "something else"


def _laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**below, **{name: value for name, value in above.items() if not str(name).startswith("$")}}
    for part in ("limits", "options"):
        if isinstance(below.get(part), Mapping) and isinstance(above.get(part), Mapping):
            merged[part] = {**below[part], **above[part]}
    return merged


def _route(key: str, fields: dict[str, Any], problems: list[str]) -> Route | None:
    from pydantic import ValidationError

    path = f"routes.{key}"
    if not re.fullmatch(ROUTE_ID, key):
        problems.append(f"{path}: an id is lower-case letters, digits, dots, dashes and underscores")
        return None
    try:
        route = Route.model_validate({**fields, "id": key, "builtin": key in BUILT_IN})
    except ValidationError as error:
        for item in error.errors(include_url=False, include_input=False, include_context=False):
            place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in item["loc"])
            problems.append(f"{path}{place}: {_wrong(item['type'], item['loc'], item['msg'], fields)}")
        return None
    if route.engine in SERVED_BY_NETWORK and route.base_url is None:
        problems.append(f"{path}.base_url: engine {route.engine} needs an endpoint")
        return None
    return route


_SHAPES: Final = {
    "as_of": "must be a day as YYYY-MM-DD",
    "currency": "must be three capital letters, such as USD",
    "base_url": "must be an http or https address, with its version path such as /v1",
    "provider": "must be one word without blanks and slashes",
}


def _wrong(kind: str, loc: tuple[int | str, ...], said: str, fields: Mapping[str, Any]) -> str:
    """One problem of an entry in words; a shape is described, never shown as a pattern."""
    if kind == "string_pattern_mismatch":
        return _SHAPES.get(str(loc[-1]), "does not have the allowed form")
    key = fields.get("key")
    if kind == "secret_ref" and isinstance(key, Mapping) and set(key) == {"env"}:
        return "env must be the name of a variable: letters, digits and underscores, not a digit first"
    return said.removeprefix("Value error, ")


def _unknown_keys(path: str, fields: Mapping[str, Any], known: set[str]) -> list[str]:
    from deepseekeyes.core.names import nearest

    problems = []
    for key in fields:
        if key in known or str(key).startswith("$"):
            continue
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(key)).replace("-", "_").lower()
        meant = snake if snake in known else spellings.FIELDS.get(snake) or nearest(snake, sorted(known))
        problems.append(f"{path}.{key} is no known key" + (f"; write {meant}" if meant else ""))
    return problems


def _word(path: str, value: object, known: tuple[str, ...], aliases: Mapping[str, str]) -> list[str]:
    from deepseekeyes.core.names import nearest

    if not isinstance(value, str) or value in known:
        return []
    meant = aliases.get(value.lower()) or nearest(value.lower(), known)
    return [f"{path}: {value!r} is not one of {', '.join(known)}" + (f"; write {meant!r}" if meant else "")]


def _refuse(problems: list[str]) -> None:
    if not problems:
        return
    from deepseekeyes.core.redact import surface

    shown = [surface(problem) for problem in problems[:50]]
    count = f"{len(problems)} problem" + ("s" if len(problems) > 1 else "")
    raise EyesError(
        codes.CATALOG_INVALID,
        f"The catalog has {count}: " + "; ".join(shown) + ("." if len(shown) == len(problems) else "; and more."),
        details={"path": re.split(r"[: ]", shown[0], maxsplit=1)[0], "candidates": shown},
    )

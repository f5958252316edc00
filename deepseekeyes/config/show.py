"""Print every setting and where its value comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deepseekeyes.config import codes
from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.fields import leaves as fields_of
from deepseekeyes.config.layers import is_reference, leaves
from deepseekeyes.config.load import Inspection, inspect
from deepseekeyes.config.problems import raised
from deepseekeyes.config.settings import ROUTES, SECTIONS, section_type
from deepseekeyes.config.sources import KeyPath, dotted
from deepseekeyes.contracts.config import ConfigList, Setting
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError


class ShowRequest(Contract):
    """Which settings: a dotted key, a section, or all."""

    key: str | None = None


async def show(request: ShowRequest, deps: ConfigDeps) -> ConfigList:
    """List settings with value, origin, default and description.

    Raises:
        EyesError: CONFIG_SETTING_UNKNOWN with the nearest key, and whatever `load` raises.
    """
    found = inspect(**deps.sources())
    if found.problems:
        raise raised(found.problems)
    names = [name for name in (*SECTIONS, ROUTES) if _reaches(name, request.key)]
    items = [
        item for name in names for item in _of_section(name, found, deps.environ) if _wanted(item.key, request.key)
    ]
    if not items and request.key is not None and request.key not in (*SECTIONS, ROUTES, "mcp.servers"):
        raise _no_such(request.key)
    return ConfigList(items=tuple(items), warnings=tuple(found.warnings))


def _of_section(name: str, found: Inspection, environ: Mapping[str, str]) -> Iterator[Setting]:
    if name == ROUTES:
        yield from _table((ROUTES,), found, environ)
        return
    section = found.settings.section(name)
    for leaf in fields_of(section_type(name), (name,)):
        value: Any = section
        for part in leaf.path[1:]:
            value = getattr(value, part)
        if isinstance(value, dict):
            yield from _table(leaf.path, found, environ)
            continue
        yield Setting(
            key=dotted(leaf.path),
            value=shown(value, environ),
            origin=found.origin(leaf.path),
            default=shown(leaf.default, environ),
            description=leaf.info.description or "",
            env=leaf.variable,
        )


def _table(path: KeyPath, found: Inspection, environ: Mapping[str, str]) -> Iterator[Setting]:
    """The written values of a table of named entries."""
    here: Any = found.values
    for part in path:
        here = here.get(part, {}) if isinstance(here, Mapping) else {}
    for key, value in leaves(here, path):
        yield Setting(key=dotted(key), value=shown(value, environ), origin=found.origin(key))


def shown(value: Any, environ: Mapping[str, str]) -> Any:
    """A value as a document may hold it: paths as text, secrets as their reference, credentials in texts removed."""
    from pathlib import Path

    from deepseekeyes.core.redact import redact
    from deepseekeyes.core.secrets import SecretRef

    if isinstance(value, SecretRef):
        value = {"env": value.env}
    if is_reference(value):
        return {"env": value["env"], "set": bool(environ.get(value["env"], "").strip())}
    if isinstance(value, Mapping):
        return {str(key): shown(item, environ) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shown(item, environ) for item in value]
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Path):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _reaches(name: str, key: str | None) -> bool:
    return key is None or key == name or key.startswith(name + ".")


def _wanted(item: str, key: str | None) -> bool:
    return key is None or item == key or item.startswith(key + ".")


def _no_such(key: str) -> EyesError:
    from deepseekeyes.config.fields import snake
    from deepseekeyes.config.renamed import OLD_KEYS
    from deepseekeyes.core.names import nearest

    known = [dotted(leaf.path) for name in SECTIONS for leaf in fields_of(section_type(name), (name,))]
    meant = OLD_KEYS.get(key) or nearest(snake(key), [*SECTIONS, ROUTES, *known])
    message = f"There is no setting {key!r}" + (f"; did you mean {meant}?" if meant else ".")
    return EyesError(codes.CONFIG_SETTING_UNKNOWN, message, details={"candidates": [meant]} if meant else {})

"""Raw TOML and flag values on their way into a section: paths made absolute, values that JSON lacks refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.config import codes
from deepseekeyes.config.fields import entry_model, forms, nested
from deepseekeyes.config.sources import KeyPath, Layer, dotted
from deepseekeyes.contracts.settings import Section

if TYPE_CHECKING:
    from deepseekeyes.config.problems import Problem

PATH_TEXTS: Final = frozenset({("store", "cache_dir"), ("ledger", "path"), ("mcp", "artifact_dir")})
"""Settings that are declared as texts and mean a path."""


def as_json(
    model: type[Section], name: str, values: Mapping[str, Any], layer_of: Callable[[KeyPath], Layer]
) -> tuple[str, list[Problem]]:
    """A section's values as JSON text, which is checked strictly.

    Texts are trimmed. Relative paths are taken from the folder of the file that says them, `~` is the user's own
    folder; environment and flags count from the working folder.
    """
    walk = _Walk(layer_of)
    return json.dumps(walk.table(values, (name,), model, None)), walk.problems


class _Walk:
    """One pass over a section's values."""

    def __init__(self, layer_of: Callable[[KeyPath], Layer]) -> None:
        self._layer_of = layer_of
        self.problems: list[Problem] = []

    def table(self, values: Mapping[str, Any], path: KeyPath, holder: type[Section] | None, annotation: Any) -> Any:
        """A table: of a section's fields, of named entries, or of plain values."""
        entry = entry_model(annotation) if holder is None and annotation is not None else None
        found = {}
        for key, item in values.items():
            info = None if holder is None else holder.model_fields.get(key)
            inner = None if info is None else info.annotation
            below = entry if inner is None else nested(inner)
            found[key] = self._value(item, (*path, key), below, inner)
        return found

    def _value(self, value: Any, path: KeyPath, holder: type[Section] | None, annotation: Any) -> Any:
        if isinstance(value, Mapping):
            return self.table(value, path, holder, annotation)
        if isinstance(value, list | tuple):
            return [self._value(item, path, None, annotation) for item in value]
        if isinstance(value, str | Path):
            text = str(value).strip()
            takes_path = (
                isinstance(value, Path) or path in PATH_TEXTS or (annotation is not None and _takes_path(annotation))
            )
            return self._absolute(text, path) if takes_path else text
        if value is None or isinstance(value, int | float):
            return value
        self._wrong(path, "dates and times are no settings")
        return None

    def _absolute(self, text: str, path: KeyPath) -> str:
        if not text or "\0" in text:
            self._wrong(path, "the path is empty or holds a NUL")
            return text
        try:
            return str(self._layer_of(path).folder / Path(text).expanduser())
        except RuntimeError:
            self._wrong(path, "the user after ~ is not known")
            return text

    def _wrong(self, path: KeyPath, reason: str) -> None:
        from deepseekeyes.config.problems import located

        self.problems.append(located(codes.CONFIG_VALUE, f"{dotted(path)}: {reason}.", self._layer_of(path), path))


def _takes_path(annotation: Any) -> bool:
    if "path" in forms(annotation):
        return True
    return "list" in forms(annotation) and Path in getattr(annotation, "__args__", ())

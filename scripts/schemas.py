"""Write the JSON Schemas that are made from models, and copy every schema into the package."""

from __future__ import annotations

import json
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def made() -> Mapping[str, dict[str, Any]]:
    """Schemas by file name."""
    from deepseekeyes.config.schema import config_schema
    from deepseekeyes.routing.catalog_schema import catalog_schema

    return {"config.schema.json": config_schema(), "catalog.schema.json": catalog_schema(), **documents()}


def documents() -> dict[str, dict[str, Any]]:
    """The schema of every document contract, by its published name."""
    from deepseekeyes import contracts
    from deepseekeyes.contracts.document import Document

    for module in pkgutil.iter_modules(contracts.__path__):
        import_module(f"deepseekeyes.contracts.{module.name}")
    found = {}
    for model in _subclasses(Document):
        field = model.model_fields.get("schema_")
        if field is not None and model.__module__.startswith("deepseekeyes."):
            name = str(field.default).removeprefix("deepseekeyes.")
            found[f"{name}.schema.json"] = {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                **model.model_json_schema(by_alias=True, mode="serialization"),
            }
    return dict(sorted(found.items()))


def _subclasses(model: type) -> Iterator[Any]:
    for child in model.__subclasses__():
        yield child
        yield from _subclasses(child)


def main() -> None:
    """Write what changed and name it."""
    for name, schema in made().items():
        _write(ROOT / "schemas" / name, json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
    for source in sorted((ROOT / "schemas").glob("*.schema.json")):
        _write(ROOT / "deepseekeyes" / "schemas" / source.name, source.read_text(encoding="utf-8"))


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()

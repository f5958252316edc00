# ruff: noqa: INP001
"""Write the JSON Schemas that are made from models, and copy every schema into the package."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def made() -> Mapping[str, dict[str, Any]]:
    """Schemas by file name."""
    from deepseekeyes.config.schema import config_schema
    from deepseekeyes.routing.catalog_schema import catalog_schema

    return {"config.schema.json": config_schema(), "catalog.schema.json": catalog_schema()}


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

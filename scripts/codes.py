"""Write docs/codes.md: every failure code with its kind, exit code and hint."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

import deepseekeyes
from deepseekeyes.core.errors import EXIT_CODES, Code

PLACE = Path(__file__).resolve().parents[1] / "docs" / "codes.md"


def table() -> str:
    """The page's text."""
    found: dict[str, Code] = {}
    for module in pkgutil.walk_packages(deepseekeyes.__path__, "deepseekeyes."):
        if module.name.rpartition(".")[2] == "codes" or module.name == "deepseekeyes.dispatch":
            found |= {code.name: code for code in vars(import_module(module.name)).values() if isinstance(code, Code)}
    rows = [
        f"| `{code.name}` | {code.kind} | {EXIT_CODES[code.kind]} | {_shown(code.hint)} |"
        for _, code in sorted(found.items())
    ]
    head = (
        "# Failure codes\n\n"
        "Written by `make docs`. A code has one kind, the kind decides the exit code, the hint is what to do next; "
        "words in braces are filled in.\n\n"
        "| code | kind | exit | hint |\n| :-- | :-- | --: | :-- |\n"
    )
    return head + "\n".join(rows) + "\n"


def _shown(hint: str) -> str:
    """A hint as people see it, in a table's cell."""
    return hint.replace("{{", "{").replace("}}", "}").replace("|", "\\|")


if __name__ == "__main__":
    PLACE.write_text(table(), encoding="utf-8")

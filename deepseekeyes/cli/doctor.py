"""`doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes doctor\ndeepseekeyes doctor --only config --json"


def command(
    deep: Annotated[bool, typer.Option("--deep", help="Also checks that take seconds.")] = False,
    only: Annotated[str | None, typer.Option("--only", metavar="GROUP", help="Only this group of checks.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 for warnings too.")] = False,
) -> Call:
    """Check what works here, say what was really seen, and name the fix.

    Exits 0 for ok and warnings, 1 when a required check fails.
    """
    return "doctor.run", {"deep": deep, "only": only, "strict": strict}

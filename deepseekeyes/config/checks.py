"""Examinations of the configuration. They run whatever state it is in."""

from __future__ import annotations

from typing import Final

from deepseekeyes.config import codes
from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.load import Inspection, inspect
from deepseekeyes.config.validate import route_problems
from deepseekeyes.contracts.examination import Examination, Finding, failed, ok, skipped, warning

GROUP: Final = "config"
SHOWN: Final = 5


def checks(deps: ConfigDeps) -> tuple[Examination, ...]:
    """Whether the configuration is valid, whether secrets are set, and whether the working folder is trusted."""
    found: list[Inspection] = []

    def inspected() -> Inspection:
        if not found:
            found.append(inspect(**deps.sources()))
        return found[0]

    return (
        Examination("config.valid", GROUP, lambda: valid(inspected(), deps)),
        Examination("config.folder", GROUP, lambda: folder(inspected(), deps)),
        Examination("config.secrets", GROUP, lambda: secrets(inspected(), deps)),
    )


def valid(found: Inspection, deps: ConfigDeps) -> Finding:
    """Every source as it is now."""
    problems = [problem for problem in found.problems if problem.code is not codes.CONFIG_UNTRUSTED]
    problems += route_problems(found, deps.home)
    if problems:
        shown = " ".join(problem.sentence for problem in problems[:SHOWN])
        more = f" And {len(problems) - SHOWN} more." if len(problems) > SHOWN else ""
        return failed(f"{shown}{more}", "deepseekeyes config validate")
    read = [str(file.path) for file in found.files if file.data is not None]
    names = sorted(origin.removeprefix("env ") for layer in found.layers for origin in layer.origins.values())
    parts = [f"read {', '.join(read)}" if read else "no file, so defaults"]
    parts += [f"environment: {', '.join(names)}"] if names else []
    seen = "; ".join(parts) + "."
    if found.warnings:
        return warning(f"{seen} {' '.join(found.warnings)}", "Unset the variables named.")
    return ok(seen[0].upper() + seen[1:])


def folder(found: Inspection, deps: ConfigDeps) -> Finding:
    """The working folder's file and its trust."""
    file = next((file for file in found.files if file.role == "folder" and file.data is not None), None)
    if file is None:
        return skipped("There is no deepseekeyes.toml in the working folder.")
    closed = [problem for problem in found.problems if problem.code is codes.CONFIG_UNTRUSTED]
    if closed:
        return failed(" ".join(problem.sentence for problem in closed[:SHOWN]), codes.CONFIG_UNTRUSTED.hint)
    from deepseekeyes.config.trusted import state

    known = state(deps.home, file)
    return ok(f"{file.path} is {'trusted as it is now' if known == 'trusted' else 'in use and needs no trust'}.")


def secrets(found: Inspection, deps: ConfigDeps) -> Finding:
    """Whether every variable that is named for a secret is set; values are not looked at."""
    from deepseekeyes.config.restrictions import variables

    names = sorted(set(variables(found.values)))
    if not names:
        return skipped("No setting names a secret.")
    unset = [name for name in names if not deps.environ.get(name, "").strip()]
    if unset:
        return warning(f"Not set: {', '.join(unset)}.", f"export {unset[0]}=...")
    return ok(f"Set: {', '.join(names)}.")

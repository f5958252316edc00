"""What the doctor asks of the probe."""

from __future__ import annotations

from collections.abc import Callable

from deepseekeyes.contracts.examination import Examination, Finding, ok, skipped, warning
from deepseekeyes.probe.deps import ShowDeps


def checks(deps: Callable[[], ShowDeps] | None) -> tuple[Examination, ...]:
    """One line: which routes have proved that they see. None where the configuration cannot be read."""
    return (Examination("probe.verdicts", "probe", lambda: _verdicts(deps)),)


def _verdicts(made: Callable[[], ShowDeps] | None) -> Finding:
    if made is None:
        return skipped("The configuration cannot be read, so the routes are not known.")
    deps = made()
    routes = {eye.id: eye for eye in deps.eyes}
    stored = [deps.verdicts.stored(verdict, routes.get(verdict.route)) for verdict in deps.verdicts.every()]
    valid = [item.verdict for item in stored if item.state == "valid"]
    blind = sorted(verdict.route for verdict in valid if verdict.sight == "failed")
    proved = sum(1 for verdict in valid if verdict.sight == "passed")
    seen = f"{proved} of {len(routes)} eyes have proved that they see; {len(stored) - len(valid)} verdicts are old."
    if not blind:
        return ok(seen)
    return warning(f"{seen} Failed: {', '.join(blind)}.", f"deepseekeyes probe run {blind[0]}")

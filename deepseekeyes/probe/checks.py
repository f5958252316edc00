"""What the doctor asks of the probe."""

from __future__ import annotations

from deepseekeyes.contracts.examination import Examination, Finding, ok, warning
from deepseekeyes.probe.deps import ShowDeps


def checks(deps: ShowDeps) -> tuple[Examination, ...]:
    """One line: which routes have proved that they see."""
    return (Examination("probe.verdicts", "probe", lambda: _verdicts(deps)),)


def _verdicts(deps: ShowDeps) -> Finding:
    routes = {eye.id: eye for eye in deps.eyes}
    stored = [deps.verdicts.stored(verdict, routes.get(verdict.route)) for verdict in deps.verdicts.every()]
    valid = [item.verdict for item in stored if item.state == "valid"]
    blind = [verdict.route for verdict in valid if verdict.sight == "failed"]
    proved = sum(1 for verdict in valid if verdict.sight == "passed")
    seen = f"{proved} of {len(routes)} eyes have proved that they see; {len(stored) - len(valid)} old verdicts."
    if not blind:
        return ok(seen)
    return warning(f"{seen} Failed: {', '.join(sorted(blind))}.", f"deepseekeyes probe run {min(blind)}")

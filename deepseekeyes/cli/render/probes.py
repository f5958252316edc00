"""What eyes have proved."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen


def report(document: Any, screen: Screen) -> None:
    """Each route with its rungs, or the error that kept it from having a verdict."""
    for item in document.items:
        if item.error is not None:
            screen.heading(f"{item.route}: no verdict")
            screen.line(f"{item.error.code}: {item.error.message}", "bold red")
            screen.line(f"hint: {item.error.hint}", "dim")
        else:
            _verdict(item.verdict, screen, said="passed" if item.passed else "failed")


def stored(document: Any, screen: Screen) -> None:
    """Stored verdicts with their state."""
    for name in document.forgotten:
        screen.line(f"forgot {name}")
    if not document.items:
        screen.line("no verdicts")
    for item in document.items:
        _verdict(item.verdict, screen, said=item.state)


def challenge(document: Any, screen: Screen) -> None:
    """Where the picture is, and what to ask."""
    screen.facts(
        (
            ("rung", document.rung),
            ("seed", document.seed),
            ("picture", document.path or f"sha256:{document.picture.sha256}"),
            ("size", f"{document.picture.width}x{document.picture.height}"),
            ("guessed", _chance(document.guess_probability)),
        )
    )
    screen.line()
    screen.line(document.prompt)
    if document.truth is not None:
        screen.line()
        screen.line(str(document.truth), "dim")


def graded(document: Any, screen: Screen) -> None:
    """The judgement of one answer."""
    screen.table(_COLUMNS, [_row(document, "passed" if document.passed else "failed")], fold=len(_COLUMNS) - 1)


_COLUMNS = ("rung", "result", "score", "guessed", "found")


def _verdict(verdict: Any, screen: Screen, *, said: str) -> None:
    screen.heading(f"{verdict.route}: {said}")
    convention = verdict.convention and f"{verdict.convention} {verdict.form}"
    spent = verdict.usage.total
    screen.facts(
        (
            ("sees", {"passed": "yes", "failed": "no"}.get(verdict.sight, "not known")),
            ("boxes", convention),
            ("probed", f"{verdict.at}, holds until {verdict.expires_at}"),
            ("tokens", spent or None),
        )
    )
    screen.table(_COLUMNS, [_row(rung, rung.status) for rung in verdict.rungs], fold=len(_COLUMNS) - 1)
    screen.line()


def _row(rung: Any, status: str) -> tuple[object, ...]:
    found = ", ".join(f"{name} {_plain(value)}" for name, value in rung.details.items())
    if rung.code:
        found = f"{rung.code} {found}".strip()
    return rung.rung, status, f"{rung.score:.2f}" if status != "skipped" else "", _chance(rung.guess_probability), found


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={part}" for name, part in value.items())
    return str(value)


def _chance(probability: float) -> str:
    return "always" if probability >= 1 else f"1 in {round(1 / probability):,}" if probability > 1e-9 else "never"

"""Results of a few lines: what was written, removed, closed, captured, or found to hold."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen

SUMMARY_CHARS = 40
HASH_SHOWN = 12
UNITS = ("B", "KiB", "MiB", "GiB")


def verdict(document: Any, screen: Screen) -> None:
    """A configuration: every problem with its place, then the warnings."""
    count = len(document.problems)
    if document.valid:
        screen.line("valid", "green")
    else:
        screen.line(f"not valid: {_counted(count, 'problem')}", "bold red")
    for problem in document.problems:
        place = problem.origin.removeprefix("file ")
        screen.line()
        screen.line(f"{place} line {problem.line}" if problem.line is not None else place, "dim")
        screen.line(f"  {problem.message} ({problem.code})")
    for warning in document.warnings:
        screen.line(f"note: {warning}", "yellow")
    if document.valid:
        screen.facts([("read", "\n".join(document.sources) or "nothing but defaults")])


def written(document: Any, screen: Screen) -> None:
    """The configuration file that was written."""
    screen.line(f"wrote {document.path}")
    if document.backup is not None:
        screen.line(f"the file before is {document.backup}", "dim")


def trusted(document: Any, screen: Screen) -> None:
    """Whether a working folder's file is trusted, and what that lets it decide."""
    screen.line(f"{document.path}: {'trusted' if document.trusted else 'not trusted'}")
    screen.bullets("it decides about" if document.trusted else "it may not decide about", document.restricted)


def pruned(document: Any, screen: Screen) -> None:
    """What was removed, or would be."""
    verb = "would remove" if document.dry_run else "removed"
    screen.line(f"{verb} {_counted(document.removed, 'record')}, {size(document.removed_bytes)}")
    screen.line(f"kept {_counted(document.kept, 'record')}, {size(document.kept_bytes)}", "dim")


def records(document: Any, screen: Screen) -> None:
    """Stored records, a line each."""
    if not document.items:
        screen.line("none")
    else:
        rows = [
            (
                item.record_sha256[:HASH_SHOWN],
                item.image_sha256[:HASH_SHOWN],
                item.kind,
                item.route,
                item.stored_at[:16].replace("T", " "),
                size(item.bytes),
                _short(item.question or item.summary),
            )
            for item in document.items
        ]
        screen.table(
            ("record", "picture", "kind", "route", "stored (UTC)", "size", "question or summary"), rows, fold=6
        )
    if document.omitted:
        screen.line(f"... and {document.omitted} more.", "dim")
    if document.unreadable:
        screen.line(f"{_counted(document.unreadable, 'file')} could not be read and was set aside.", "yellow")


def closed(document: Any, screen: Screen) -> None:
    """Sessions that were closed, and where their runs are."""
    for one in getattr(document, "sessions", None) or (document,):
        name = getattr(one, "name", None) or one.session
        screen.line(f"closed {name}, {_counted(one.steps, 'step')}")
        if one.folder is not None:
            screen.line(f"  {one.folder}", "dim")


def sessions(document: Any, screen: Screen) -> None:
    """Live session hosts, and the names of those that were found dead."""
    rows = [
        (
            item.name,
            item.pid,
            item.started_at[:16].replace("T", " "),
            (item.doing or "idle") if item.answers else "does not answer",
            item.log,
        )
        for item in document.items
    ]
    if rows:
        screen.table(("session", "process", "since (UTC)", "doing", "log"), rows, fold=4)
    else:
        screen.line("none")
    if document.ended:
        screen.line(f"found dead: {', '.join(document.ended)}", "yellow")


def ended(document: Any, screen: Screen) -> None:
    """A session host that was ended by force."""
    screen.line(f"ended {document.kind} session {document.session} (process {document.pid}): {document.reason}")


def pages(document: Any, screen: Screen) -> None:
    """The pages of a browser; the one that is looked at is marked."""
    rows = [("*" if item.active else "", item.id, "open" if item.dialog else "", item.url) for item in document.items]
    screen.table(("", "page", "dialog", "address"), rows, fold=3)


def picture(document: Any, screen: Screen) -> None:
    """A screenshot: where it is, how large, what is painted over."""
    shot = document.screenshot
    where = document.path or f"sha256:{shot.sha256}"
    screen.line(f"{where}  {shot.width} x {shot.height}, {size(shot.bytes)}")
    if document.masks:
        screen.line(f"{_counted(len(document.masks), 'protected field')} painted over", "dim")
    screen.line(f"state {document.state_id}", "dim")


def script(document: Any, screen: Screen) -> None:
    """A script of steps: one line a step, what stopped it, and the report."""
    rows = [
        (number, step.get("action") or step.get("schema", ""), step.get("verdict") or _claim(step), _code(step))
        for number, step in enumerate(document.steps, 1)
    ]
    if rows:
        screen.table(("step", "action", "verdict", ""), rows, fold=3)
        screen.line()
    screen.line(
        f"{'passed' if document.passed else 'failed'}: {document.done} of {_counted(document.total, 'step')}",
        "green" if document.passed else "bold red",
    )
    if document.error is not None:
        screen.line(f"{document.error.code}: {document.error.message}", "bold red")
        screen.line(f"hint: {document.error.hint}", "dim")
    screen.facts([("report", document.report)])


def verification(document: Any, screen: Screen) -> None:
    """Whether a stored run is as it was written."""
    if document.passed:
        screen.line("as it was written", "green")
    else:
        screen.line(f"not as it was written: {_counted(len(document.problems), 'problem')}", "bold red")
    counts = f"{_counted(document.steps, 'step')}, {_counted(document.screenshots, 'screenshot')}"
    screen.facts([("run", document.run_id), ("checked", counts)])
    if document.problems:
        screen.line()
        rows = [(problem.where, problem.what, problem.sentence) for problem in document.problems]
        screen.table(("place", "kind", "what is wrong"), rows, fold=2)


def imported(document: Any, screen: Screen) -> None:
    """Statistics that were taken over."""
    screen.line(f"added {_counted(document.new_calls, 'call')}, {document.new_tokens:,} tokens, from {document.source}")
    if document.known_calls:
        screen.line(f"{_counted(document.known_calls, 'call')} had been counted before", "dim")
    screen.bullets("left out", document.left_out)


def reset(document: Any, screen: Screen) -> None:
    """Usage that was removed."""
    screen.line(
        f"removed {_counted(document.removed_calls, 'call')} of {_counted(document.removed_sessions, 'session')}"
    )


def size(count: int) -> str:
    """Bytes for people: `17 KiB`."""
    amount, unit = float(count), 0
    while amount >= 1024 and unit < len(UNITS) - 1:
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.0f} {UNITS[unit]}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SUMMARY_CHARS else text[: SUMMARY_CHARS - 1].rstrip() + "…"


def _claim(step: dict[str, Any]) -> str:
    claim = step.get("assertion")
    return "" if not isinstance(claim, dict) else "passed" if claim.get("passed") else "failed"


def _code(step: dict[str, Any]) -> str:
    error = step.get("error")
    return str(error.get("code", "")) if isinstance(error, dict) else ""

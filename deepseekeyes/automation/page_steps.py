"""One step as a card of the report page."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from html import escape
from typing import Any

from deepseekeyes.contracts.automation import Compared, Delta, Marker, SetDelta, ShotRow, Step
from deepseekeyes.core.canonical import compact
from deepseekeyes.core.redact import clip

VALUE_CHARS = 400
MOST_REFS = 12

_UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_MARKS = {True: '<span class="yes">✓</span>', False: '<span class="no">✗</span>', None: '<span class="open">·</span>'}


def text(value: object) -> str:
    """Anything as escaped text."""
    return escape(_UNSHOWABLE.sub("\ufffd", str(value)))


def n(value: float) -> str:
    """A number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def klass(step: Step) -> str:
    """The class that colours a step."""
    if step.assertion is not None:
        return "passed" if step.assertion.passed else "failed"
    if step.error is not None and step.verdict is None:
        return "failed"
    return step.verdict or "looked"


def kinds(step: Step) -> tuple[str, ...]:
    """By which filters a step is shown."""
    trouble = klass(step) in {"failed", "refused", "unverified"} or step.error is not None
    return (*(("action",) if step.verdict is not None else ()), *(("trouble",) if trouble else ()))


def entry(step: Step) -> str:
    """The step's line in the timeline, as markup."""
    what = step.action.replace("_", " ")
    named = _named(step)
    return f"{step.index}. {text(what)}" + (f' <span dir="auto">{named}</span>' if named else "")


def card(step: Step, embedded: Container[str]) -> Iterator[str]:
    """The step's card."""
    state = klass(step)
    named = _named(step)
    yield f'<article class="step {state}" id="s{step.index}" data-kinds="{" ".join(kinds(step))}"><div class="top">'
    yield f'<span class="number">{step.index}</span><h2>{text(step.action.replace("_", " "))}'
    yield f' <span class="name" dir="auto">{named}</span></h2>' if named else "</h2>"
    yield f'<span class="badge">{text(_badge(step))}</span>'
    yield f'<span class="when">{text(step.at)} · {step.duration_ms} ms</span></div>'
    yield from _place(step)
    yield from _error(step)
    yield from _shots(step, embedded)
    yield '<div class="facts">'
    yield from _assertion(step)
    yield from _compared("Compared", step.compared, settled=step.verdict == "verified")
    yield from _arguments(step.arguments)
    if step.delta is not None:
        yield from _delta(step.delta)
    yield "</div></article>"


def _named(step: Step) -> str:
    if step.target is not None:
        called = f"{step.target.role} “{clip(step.target.name, 80)}”" if step.target.name else step.target.role
        return text(called)
    if step.assertion is not None:
        return text(f"{step.assertion.assertion.replace('_', ' ')} {step.assertion.target or ''}".strip())
    return text(_meant(step.arguments))


def _meant(arguments: Mapping[str, Any]) -> str:
    """What a step that found no control was meant for."""
    role, ref = (str(arguments.get(key) or "") for key in ("role", "ref"))
    name = arguments.get("name") or arguments.get("text")
    called = f"“{clip(name, 80)}”" if isinstance(name, str) else ""
    return " ".join(part for part in (ref, role, called) if part)


def _badge(step: Step) -> str:
    if step.assertion is not None:
        met = "holds" if step.assertion.passed else "does not hold"
        return met if step.assertion.verified_by == "runtime" else f"{met}, as the caller says"
    if step.verdict is None:
        return "failed" if step.error is not None else "looked"
    if step.dispatched == "unknown":
        return f"{step.verdict}, may have happened"
    return step.verdict


def _place(step: Step) -> Iterator[str]:
    title, url = step.facts.get("title"), step.facts.get("url")
    found = " · ".join(str(part) for part in (title, url) if part)
    if found:
        yield f'<div class="place" dir="auto">{text(clip(found, VALUE_CHARS))}</div>'


def _error(step: Step) -> Iterator[str]:
    if step.error is not None:
        yield f'<div class="error"><p><b>{text(step.error.code)}</b> {text(step.error.message)}</p>'
        yield f'<p class="hint">{text(step.error.hint)}</p></div>'


def _shots(step: Step, embedded: Container[str]) -> Iterator[str]:
    same = (
        step.shot is not None
        and step.shot_before is not None
        and step.shot.image.sha256 == step.shot_before.image.sha256
    )
    looked = step.verdict is None and step.assertion is None
    before = None if (same and step.marker is None) or looked else step.shot_before
    if before is None and step.shot is None:
        return
    yield '<div class="shots">'
    if before is not None:
        yield from _figure("before", before, embedded, _marker(step.marker, before))
    if step.shot is not None:
        caption = "seen" if before is None else "after"
        caption += ", unchanged" if same and not looked else ""
        yield from _figure(caption, step.shot, embedded, _areas(step.delta))
    yield "</div>"


def _figure(caption: str, row: ShotRow, embedded: Container[str], over: str) -> Iterator[str]:
    image = row.image
    size = f"{image.width} × {image.height}"
    yield "<figure>"
    if image.sha256 in embedded:
        yield f'<svg class="shot" viewBox="0 0 {image.width} {image.height}" role="img" aria-label="{caption}">'
        yield f'<use href="#p{image.sha256[:16]}"/>{over}</svg>'
    else:
        yield f'<div class="absent">{size}, not in this page: screenshots/{image.sha256[:16]}….png</div>'
    masks = f" · {len(row.masks)} masked" if row.masks else ""
    yield f"<figcaption><span>{caption}</span><span>{size}{masks}</span>"
    yield f"<code>{image.sha256[:12]}</code></figcaption></figure>"


def _marker(marker: Marker | None, row: ShotRow) -> str:
    if marker is None:
        return ""
    radius = n(max(6.0, min(row.image.width, row.image.height) / 45))
    x, y = n(marker.x), n(marker.y)
    drawn = ""
    if marker.box is not None:
        drawn += f'<rect class="target" {_rect(marker.box)} rx="3"/>'
    if marker.end is not None:
        end_x, end_y = n(marker.end[0]), n(marker.end[1])
        for name in ("halo", "point"):
            drawn += f'<line class="{name}" x1="{x}" y1="{y}" x2="{end_x}" y2="{end_y}"/>'
        drawn += f'<circle class="point" cx="{end_x}" cy="{end_y}" r="{radius}"/>'
    for name in ("halo", "point"):
        drawn += f'<circle class="{name}" cx="{x}" cy="{y}" r="{radius}"/>'
    return drawn + f'<circle class="dot" cx="{x}" cy="{y}" r="{n(float(radius) / 4)}"/>'


def _areas(delta: Delta | None) -> str:
    if delta is None:
        return ""
    return "".join(f'<rect class="area" {_rect(box)}/>' for box in delta.areas)


def _rect(box: Any) -> str:
    return f'x="{n(box.x)}" y="{n(box.y)}" width="{n(box.width)}" height="{n(box.height)}"'


def _assertion(step: Step) -> Iterator[str]:
    found = step.assertion
    if found is None:
        return
    yield f"<section><h3>Assertion</h3><table><tr><td>{text(found.assertion)}</td>"
    yield f"<td>{_MARKS[found.passed]}{f' after {found.attempts} tries' if found.attempts > 1 else ''}</td></tr>"
    for name, value in (("expected", found.expected), ("actual", found.actual)):
        yield f'<tr><td>{name}</td><td dir="auto">{_value(value)}</td></tr>'
    yield "</table></section>"


def _compared(heading: str, rows: tuple[Compared, ...], *, settled: bool = False) -> Iterator[str]:
    if not rows:
        return
    yield f"<section><h3>{heading}</h3><table>"
    for row in rows:
        expected = f" (expected {_value(row.expected)})" if row.expected is not None and row.holds is not True else ""
        mark = _MARKS[row.holds or None if settled else row.holds]
        yield f'<tr><td dir="auto">{mark} {text(row.what)}</td><td dir="auto">'
        was = f'<span class="was">{_value(row.before)}</span> →' if row.before is not None else ""
        was = "stayed" if row.before == row.after else was
        yield f"{was} {_value(row.after)}{expected}</td></tr>"
    yield "</table></section>"


def _arguments(arguments: Mapping[str, Any]) -> Iterator[str]:
    shown = {name: value for name, value in arguments.items() if value not in (None, False, [], {})}
    if shown:
        yield "<section><h3>Arguments</h3><table>"
        for name, value in shown.items():
            yield f'<tr><td>{text(name)}</td><td dir="auto">{_value(value)}</td></tr>'
        yield "</table></section>"


def _delta(delta: Delta) -> Iterator[str]:
    if delta.initial:
        return
    yield from _compared("Changed", delta.facts)
    sets = [("elements", delta.elements), *([("windows", delta.windows)] if delta.windows is not None else [])]
    lines = [line for name, one in sets for line in _set(name, one)]
    if lines:
        yield f"<section><h3>Controls</h3><table>{''.join(lines)}</table></section>"
    if delta.text is not None:
        yield '<section><h3>Text</h3><ul class="diff">'
        for line in delta.text.removed:
            yield f'<li class="minus" dir="auto">− {text(line)}</li>'
        for line in delta.text.added:
            yield f'<li class="plus" dir="auto">+ {text(line)}</li>'
        if delta.text.omitted:
            yield f'<li class="more">{delta.text.omitted} more lines</li>'
        yield "</ul></section>"


def _set(name: str, one: SetDelta) -> Iterator[str]:
    changed = tuple(f"{item.ref} ({', '.join(item.fields)})" for item in one.changed)
    for word, refs in (("added", one.added), ("removed", one.removed), ("changed", changed)):
        if refs:
            more = f" and {len(refs) - MOST_REFS} more" if len(refs) > MOST_REFS else ""
            noun = name.removesuffix("s") if len(refs) == 1 else name
            yield f"<tr><td>{len(refs)} {noun} {word}</td><td>{text(', '.join(refs[:MOST_REFS]))}{more}</td></tr>"


def _value(value: Any) -> str:
    if isinstance(value, dict) and value.get("algorithm") == "hmac-sha256/run":
        return f"<code>{value.get('length')} characters, digest only</code>"
    if isinstance(value, str):
        return f"“{text(clip(value, VALUE_CHARS))}”"
    return f"<code>{text(clip(compact(value), VALUE_CHARS))}</code>"

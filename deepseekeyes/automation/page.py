"""A run as one self-contained HTML page.

The page loads nothing: screenshots, style and script are inside, and its own policy forbids everything else. Each
picture is embedded once and used wherever it is shown. Markers, changed areas and pictures share one coordinate
system, that of the captured pixels. Whatever came from a page, a window or a model is escaped text, never markup.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from deepseekeyes.automation.page_steps import card, entry, kinds, klass, n, text
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.contracts.automation import ReportBody, ShotRow
from deepseekeyes.core.canonical import compact

GENERATOR = "deepseekeyes"
Picture = Callable[[str], bytes | None]


def page(report: ReportBody, picture: Picture, settings: AutomationSettings) -> str:
    """One HTML document.

    Args:
        report: what is shown, in its order.
        picture: reads a stored screenshot by its hash; one that is missing or changed is not embedded and said so.
        settings: bounds of what is embedded; the newest screenshots are kept when there are too many.
    """
    style, script = asset("page.css"), asset("page.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_fingerprint(style)}'; "
        f"script-src '{_fingerprint(script)}'; base-uri 'none'; form-action 'none'"
    )
    embedded = _embedded(report, picture, settings)
    title = f"{_noun(report).capitalize()} report: {report.session}"
    parts = (
        "<!doctype html>\n",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        f'<meta name="generator" content="{GENERATOR}"><meta name="referrer" content="no-referrer">',
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">',
        f"<title>{text(title)}</title><style>{style}</style></head><body>",
        *_sprite(report, embedded),
        *_header(report, title),
        '<div class="frame">',
        *_timeline(report),
        "<main>",
        *(part for step in report.steps for part in card(step, embedded)),
        *_tail(report),
        "</main></div>",
        '<dialog id="lens"><div class="bar"><strong></strong><span>◀ before</span>',
        '<input type="range" min="0" max="100" value="50" aria-label="Between before and after">',
        "<span>after ▶</span><button type=button>Close</button></div>",
        '<div class="stack"></div></dialog>',
        f"<script>{script}</script></body></html>\n",
    )
    return "".join(parts)


@cache
def asset(name: str) -> str:
    """The text of a file that lies beside this module."""
    return files("deepseekeyes.automation").joinpath(name).read_text(encoding="utf-8")


def _noun(report: ReportBody) -> str:
    return str(getattr(report, "schema_", "")).removeprefix("deepseekeyes.").partition("-")[0]


def _fingerprint(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _rows(report: ReportBody) -> Iterator[ShotRow]:
    for step in report.steps:
        for row in (step.shot_before, step.shot):
            if row is not None:
                yield row


def _embedded(report: ReportBody, picture: Picture, settings: AutomationSettings) -> Mapping[str, bytes]:
    """The screenshots that go into the page, by hash; from the newest back until a bound is met."""
    kept: dict[str, bytes] = {}
    room = settings.page_max_bytes
    for row in reversed(list(_rows(report))):
        sha256 = row.image.sha256
        if sha256 in kept or len(kept) >= settings.page_screenshots or row.image.bytes > room:
            continue
        data = picture(sha256)
        if data is not None and hashlib.sha256(data).hexdigest() == sha256:
            kept[sha256] = data
            room -= len(data)
    return kept


def _sprite(report: ReportBody, embedded: Mapping[str, bytes]) -> Iterator[str]:
    yield '<svg class="sprite" aria-hidden="true"><defs>'
    done: set[str] = set()
    for row in _rows(report):
        image = row.image
        if image.sha256 in embedded and image.sha256 not in done:
            done.add(image.sha256)
            data = base64.b64encode(embedded[image.sha256]).decode()
            yield f'<image id="p{image.sha256[:16]}" width="{image.width}" height="{image.height}" '
            yield f'href="data:{escape(image.media_type)};base64,{data}"/>'
    yield "</defs></svg>"


def _header(report: ReportBody, title: str) -> Iterator[str]:
    summary = report.summary
    state = "passed" if summary.passed else "failed"
    yield f'<header><span class="result {state}">{state.capitalize()}</span><h1 dir="auto">{text(title)}</h1>'
    yield f"<p>run {text(report.run_id)} · {text(report.created_at)} to {text(report.generated_at)}</p>"
    yield '<ul class="counts">'
    counts = (
        ("steps", summary.step_count, ""),
        ("actions", summary.action_count, ""),
        ("failed", summary.action_failure_count, "failed" if summary.action_failure_count else ""),
        ("unverified", summary.unverified_count, "unverified" if summary.unverified_count else ""),
        ("assertions", summary.assertion_count, ""),
        ("not met", summary.assertion_failure_count, "failed" if summary.assertion_failure_count else ""),
        ("screenshots", summary.screenshot_count, ""),
    )
    for name, value, hue in counts:
        yield f'<li class="{hue}"><b>{n(value)}</b> {name}</li>'
    yield "</ul></header>"


def _timeline(report: ReportBody) -> Iterator[str]:
    yield '<nav aria-label="Steps"><div class="filters needs-script" hidden>'
    for kind, label in (("all", "All"), ("action", "Actions"), ("trouble", "Trouble")):
        yield f'<button type="button" data-filter="{kind}" aria-pressed="{str(kind == "all").lower()}">{label}</button>'
    yield '</div><ol class="line">'
    if report.omitted:
        yield f"<li>{report.omitted} earlier steps are in steps.jsonl.</li>"
    for step in report.steps:
        yield f'<li><a class="{klass(step)}" href="#s{step.index}" data-kinds="{" ".join(kinds(step))}">'
        yield f'<span class="what">{entry(step)}</span><span class="when">{step.duration_ms} ms</span></a></li>'
    yield "</ol></nav>"


def _tail(report: ReportBody) -> Iterator[str]:
    yield '<section class="tail"><h3>Where this comes from</h3><dl>'
    facts: tuple[tuple[str, Any], ...] = (
        ("Run", report.run_id),
        ("Session", report.session),
        ("Chain", f"{report.chain.steps} steps, {report.chain.algorithm}"),
        ("First", report.chain.first),
        ("Head", report.chain.head),
        ("Report", report.report_sha256),
        *((str(name), value) for name, value in report.surface.items()),
    )
    for name, value in facts:
        shown = value if isinstance(value, str) else compact(value)
        yield f"<dt>{text(name)}</dt><dd><code>{text(shown)}</code></dd>"
    yield "</dl>"
    for name, value in report.diagnostics.items():
        if value:
            yield f"<details><summary>{text(name)}</summary><pre>{text(_listed(value))}</pre></details>"
    yield '<p class="needs-script" hidden><kbd>j</kbd> <kbd>k</kbd> walk · <kbd>Enter</kbd> or a click enlarges · '
    yield "<kbd>Space</kbd> in the enlarged view flips between before and after</p></section>"


def _listed(value: Any) -> str:
    rows = value if isinstance(value, list | tuple) else [value]
    return "\n".join(row if isinstance(row, str) else compact(row) for row in rows[-200:])

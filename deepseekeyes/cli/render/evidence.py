"""Evidence as a person wants to see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.contracts.evidence import EvidenceBatch, EvidenceRecord
from deepseekeyes.core.geometry import to_pixels

SHOWN = 60
SIGHT = {
    "probed": "probed",
    "metadata": "sight declared, not probed",
    "disabled": "sight not probed",
    "unprobed": "sight not probed",
}


def record(document: EvidenceRecord, screen: Screen) -> None:
    """One record: where it came from, what was read, what could not be seen."""
    source, evidence = document.source, document.evidence
    screen.heading((document.run and document.run.input) or f"sha256:{source.sha256}")
    screen.facts(
        [
            ("picture", f"{source.media_type}, {source.width} x {source.height}{_frames(document)}"),
            ("read by", f"{document.route.id} ({SIGHT[document.route.verification]}){_speed(document)}"),
            ("record", document.record_sha256[:16]),
            ("question", document.question),
        ]
    )
    screen.line()
    screen.line(str(evidence.get("summary") or evidence.get("answer") or ""))
    _boxes(document, screen, "text", evidence.get("ocr", ()), "text")
    _boxes(document, screen, "observations", evidence.get("observations", ()), "fact")
    _boxes(document, screen, "regions", evidence.get("regions", ()), "description")
    _boxes(document, screen, "objects", [_object(entry) for entry in evidence.get("objects", ())], "name")
    for title, name in (("relations", "relations"), ("numbers", "quantitativeFacts"), ("not sure", "uncertainties")):
        screen.bullets(title, evidence.get(name, ()))
    if document.repairs:
        screen.line()
        screen.line(
            f"{len(document.repairs)} repairs between the model's words and this evidence; --json lists them.", "dim"
        )


def batch(document: EvidenceBatch, screen: Screen) -> None:
    """One line an input, then the counts."""
    screen.table(
        ("input", "result", "text lines", "summary"),
        [
            (item.input, "ok", len(item.record.evidence.get("ocr", ())), item.record.evidence.get("summary", ""))
            if item.record
            else (item.input, "failed", "", f"{item.error.code}: {item.error.message}" if item.error else "")
            for item in document.items
        ],
        fold=3,
    )
    screen.line()
    screen.line(f"{document.succeeded} of {document.total} read, {document.failed} failed.")


def _boxes(document: EvidenceRecord, screen: Screen, title: str, entries: Sequence[Any], field: str) -> None:
    if not entries:
        return
    screen.line()
    screen.heading(f"{title} ({len(entries)})")
    rows = []
    for entry in entries[:SHOWN]:
        box = to_pixels(entry["bbox"], document.source.width, document.source.height)
        place = f"{box.x:.0f},{box.y:.0f} {box.width:.0f}x{box.height:.0f}"
        sure = f"{entry['confidence']:.2f}" if "confidence" in entry else ""
        rows.append((sure, place, entry[field]))
    screen.table(("sure", "at (pixels)", title), rows, fold=2)
    if len(entries) > SHOWN:
        screen.line(f"... and {len(entries) - SHOWN} more; --json prints all.", "dim")


def _object(entry: dict[str, Any]) -> dict[str, Any]:
    attributes = ", ".join(entry.get("attributes", ()))
    return {**entry, "name": f"{entry['name']} ({attributes})" if attributes else entry["name"]}


def _frames(document: EvidenceRecord) -> str:
    source = document.source
    return f", frame {source.frame + 1} of {source.frames}" if source.frames > 1 else ""


def _speed(document: EvidenceRecord) -> str:
    if document.cache_hit:
        return ", from the cache"
    return f" in {document.run.duration_ms / 1000:.2f} s" if document.run else ""

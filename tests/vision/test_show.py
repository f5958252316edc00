"""`vision show`: which evidence a target means, and where a drawing may be written."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.contracts.shown import BoxCounts, Shown
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.inputs import InputDeps, Loaded, load
from deepseekeyes.imaging.piped import CarriedError
from deepseekeyes.imaging.rendition import RenditionSpec, render
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.store.blobs import Blobs
from deepseekeyes.store.records import Records
from deepseekeyes.vision.show import ShowRequest, show
from deepseekeyes.vision.subject import ShowDeps

KEY = "ab" * 32
LIMITS = IntakeLimits()


def encoded(form: str = "PNG", size: tuple[int, int] = (320, 200), **options: Any) -> bytes:
    out = BytesIO()
    image = Image.new("RGB", size, "#dfe3e8")
    image.paste("#b4241c", (0, 0, size[0] // 2, size[1] // 4))
    image.save(out, form, **options)
    return out.getvalue()


def content(data: bytes) -> dict[str, Any]:
    """The stored part of a record about a picture, without its digest."""
    decoded = decode(data, LIMITS)
    return {
        "schema": "deepseekeyes.evidence-record.v1",
        "cacheKey": KEY,
        "kind": "base",
        "question": None,
        "region": None,
        "source": decoded.source.model_dump(mode="json", by_alias=True),
        "rendition": render(decoded, RenditionSpec()).rendition.model_dump(mode="json", by_alias=True),
        "route": {"id": "local", "provider": "local", "engine": "local", "model": "m", "verification": "probed"},
        "contract": {"evidence": "deepseekeyes.evidence.v1", "prompt": "1"},
        "coordinates": {"convention": "normalized", "declared": True, "ambiguous": False, "transforms": []},
        "repairs": [],
        "evidence": {
            "schemaVersion": "deepseekeyes.evidence.v1",
            "summary": "A red box.",
            "ocr": [
                {"text": "重试", "bbox": [0.1, 0.1, 0.2, 0.05], "confidence": 0.9},
                {"text": "lost", "bbox": [2, 2, 2, 2], "confidence": 0.9},
            ],
            "regions": [],
            "objects": [{"name": "box", "bbox": [0, 0, 0.5, 0.25], "attributes": []}],
            "relations": [],
            "quantitativeFacts": [],
            "uncertainties": [],
        },
    }


@dataclass
class Desk:
    """Everything `show` touches, on a temporary folder; `read` notes what it was asked to read."""

    folder: Path
    blobs: Blobs = field(default_factory=lambda: Blobs(None))
    records: Records = field(default_factory=lambda: Records(None))
    stdin: bytes | None = None
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    def deps(self) -> ShowDeps:
        inputs = InputDeps(limits=LIMITS, blobs=self.blobs)

        async def read(loaded: Loaded, route: str | None) -> EvidenceRecord:
            self.asked.append((loaded.label, route))
            return EvidenceRecord.model_validate(self.records.add(KEY, content(loaded.data)))

        return ShowDeps(
            limits=LIMITS,
            find=self.records.get,
            load=lambda text: load(text, inputs),
            stdin=lambda: self.stdin or b"",
            read=read,
            write=Path.write_bytes,
            folder=self.folder,
        )

    def stored(self, data: bytes) -> dict[str, Any]:
        self.blobs.put(data)
        return self.records.add(KEY, content(data))

    def show(self, target: str, out: str | None = "out.html", **more: Any) -> Shown:
        place = str(self.folder / out) if out is not None else None
        return asyncio.run(show(ShowRequest(target=target, out=place, **more), self.deps()))

    def code(self, target: str, out: str | None = "out.html", **more: Any) -> str:
        with pytest.raises(EyesError) as caught:
            self.show(target, out, **more)
        assert "{" not in caught.value.hint
        return caught.value.code.name


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


def test_a_picture_is_read_first_and_the_document_says_what_was_written(desk):
    data = encoded()
    (desk.folder / "dialog.png").write_bytes(data)

    shown = desk.show("dialog.png", route="qwen")

    page = (desk.folder / "out.html").read_bytes()
    assert desk.asked == [("dialog.png", "qwen")]
    assert shown == Shown(
        path=str(desk.folder / "out.html"),
        format="html",
        sha256=hashlib.sha256(page).hexdigest(),
        bytes=len(page),
        width=320,
        height=200,
        boxes=BoxCounts(ocr=1, objects=1),
        undrawn=1,
        replaced=False,
        record_sha256=shown.record_sha256,
        picture=EvidenceRecord.model_validate(desk.records.get(KEY)).source.blob(),
    )
    assert "<title>dialog.png: evidence</title>" in page.decode()
    assert shown.images() == (shown.picture,)


def test_a_png_shows_boxes_over_the_upright_picture(desk):
    exif = Image.Exif()
    exif[0x0112] = 6
    (desk.folder / "photo.jpg").write_bytes(encoded("JPEG", (320, 600), exif=exif))

    shown = desk.show("photo.jpg", "out.png")

    with Image.open(desk.folder / "out.png") as drawn:
        size = drawn.size
    assert (shown.format, shown.width, shown.height) == ("png", 600, 320)
    assert size[0] == 600
    assert size[1] > 320


def batch(*records: dict[str, Any]) -> dict[str, Any]:
    return {"schema": "deepseekeyes.evidence-batch.v1", "items": [{"record": record} for record in records]}


def observation(sha256: str) -> dict[str, Any]:
    shot = {"sha256": sha256, "mediaType": "image/png", "bytes": 1, "width": 1, "height": 1}
    return {"schema": "deepseekeyes.browser-observation.v1", "screenshot": shot}


TARGETS: dict[str, Callable[[Desk, dict[str, Any]], str]] = {
    "key": lambda desk, record: KEY,
    "start of the key": lambda desk, record: KEY[:8],
    "record digest": lambda desk, record: record["recordSha256"],
    "start of the digest": lambda desk, record: record["recordSha256"][:12],
    "record file": lambda desk, record: filed(desk, record),
    "pretty record file": lambda desk, record: filed(desk, record, indent=2),
    "batch of one": lambda desk, record: filed(desk, batch(record)),
    "record on stdin": lambda desk, record: piped(desk, record),
    "batch on stdin": lambda desk, record: piped(desk, batch(record)),
}


def filed(desk: Desk, document: dict[str, Any], indent: int | None = None) -> str:
    (desk.folder / "some.json").write_text(json.dumps(document, indent=indent), encoding="utf-8")
    return "some.json"


def piped(desk: Desk, document: dict[str, Any]) -> str:
    desk.stdin = json.dumps(document).encode()
    return "-"


@pytest.mark.parametrize("target", TARGETS)
def test_a_stored_record_is_shown_without_reading_again(desk, target):
    record = desk.stored(encoded())

    shown = desk.show(TARGETS[target](desk, record))

    assert desk.asked == []
    assert shown.record_sha256 == record["recordSha256"]
    assert "was changed" not in (desk.folder / "out.html").read_text()


def test_what_travels_beside_a_record_does_not_count_as_a_change(desk):
    record = desk.stored(encoded())
    run = {"at": "2026-12-01T00:00:00.000Z", "durationMs": 1, "input": "shots/dialog.png"}

    desk.show(filed(desk, {**record, "cacheHit": True, "run": run, "persistence": {"healthy": True, "code": None}}))

    page = (desk.folder / "out.html").read_text()
    assert "was changed" not in page
    assert '<h1 dir="auto">dialog.png</h1>' in page


def test_a_changed_record_is_shown_with_a_warning(desk):
    record = desk.stored(encoded())
    record["evidence"]["summary"] = "Nothing to see."

    desk.show(filed(desk, record))

    assert "was changed after it was written" in (desk.folder / "out.html").read_text()


@pytest.mark.parametrize("way", ["hash", "sha256:", "observation", "raw on stdin"])
def test_a_stored_picture_without_a_record_is_read(desk, way):
    data = encoded()
    sha = desk.blobs.put(data)
    desk.stdin = data if way == "raw on stdin" else json.dumps(observation(sha)).encode()

    desk.show({"hash": sha, "sha256:": f"sha256:{sha}"}.get(way, "-"))

    assert desk.asked == [("-" if way == "raw on stdin" else f"sha256:{sha}", None)]
    assert f"<title>sha256:{sha[:12]}: evidence</title>" in (desk.folder / "out.html").read_text()


def test_the_picture_of_a_record_is_found_beside_it_when_the_store_lacks_it(desk):
    data = encoded()
    (desk.folder / "sub").mkdir()
    (desk.folder / "sub" / "dialog.png").write_bytes(data)
    record = desk.records.add(KEY, content(data))
    run = {"at": "2026-12-01T00:00:00.000Z", "durationMs": 1, "input": "elsewhere/dialog.png"}
    (desk.folder / "sub" / "r.json").write_text(json.dumps({**record, "run": run}))

    assert desk.show("sub/r.json").record_sha256 == record["recordSha256"]
    (desk.folder / "sub" / "dialog.png").write_bytes(encoded(size=(64, 64)))
    assert desk.code("sub/r.json", "other.html") == "DRAWING_PICTURE_MISSING"


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("0" * 64, "RECORD_NOT_FOUND"),
        ("0123", "RECORD_NOT_FOUND"),
        ("missing.png", "INPUT_MISSING"),
        (f"sha256:{'0' * 64}", "BLOB_NOT_FOUND"),
    ],
)
def test_what_is_not_there_keeps_its_own_code(desk, target, code):
    assert desk.code(target) == code


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"schema": "deepseekeyes.evidence-record.v1"}, "DRAWING_RECORD_INVALID"),
        ({"schema": "deepseekeyes.doctor.v1"}, "STDIN_NO_PICTURE"),
        ({"hello": 1}, "STDIN_DOCUMENT_FOREIGN"),
    ],
)
def test_a_document_that_cannot_be_shown_has_its_own_code(desk, document, code):
    assert desk.code(filed(desk, document)) == code
    assert desk.code(piped(desk, document)) == code


def test_several_records_or_pictures_are_refused_with_one_to_choose(desk):
    record = desk.stored(encoded())
    shots = {"schema": "deepseekeyes.mcp-result.v1", "images": [observation(name * 64)["screenshot"] for name in "ab"]}

    assert desk.code(piped(desk, batch(record, record))) == "DRAWING_SEVERAL_RECORDS"
    assert desk.code(piped(desk, shots)) == "STDIN_SEVERAL_PICTURES"


def test_a_failure_on_standard_input_travels_on(desk):
    error = {"code": "X", "kind": "unavailable", "message": "m", "hint": "h", "details": {}}
    document = {"schema": "deepseekeyes.error.v1", "error": error}

    with pytest.raises(CarriedError) as caught:
        desk.show(piped(desk, document))
    assert caught.value.document == document


def test_a_record_of_another_size_than_its_picture_is_refused(desk):
    data = encoded()
    wrong = content(data)
    wrong["source"]["width"] = 999
    desk.blobs.put(data)

    assert desk.code(filed(desk, desk.records.add(KEY, wrong))) == "DRAWING_RECORD_INVALID"


# --- where it is written --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["out.gif", "out", "out.jpg", "out.png.txt", ".png"])
def test_other_endings_are_refused_before_anything_is_read(desk, name):
    (desk.folder / "dialog.png").write_bytes(encoded())

    assert desk.code("dialog.png", name) == "DRAWING_FORMAT_UNSUPPORTED"
    assert desk.asked == []


@pytest.mark.parametrize(("name", "form"), [("a.PNG", "png"), ("a.Html", "html"), ("a.htm", "html")])
def test_the_ending_decides_the_format(desk, name, form):
    desk.stored(encoded())

    assert desk.show(KEY, name).format == form


@pytest.mark.parametrize(("target", "name"), [("my dialog.v2.png", "dialog.v2"), (KEY, None)])
def test_a_drawing_without_a_name_lies_beside_the_caller(desk, target, name):
    data = encoded()
    (desk.folder / "my dialog.v2.png").write_bytes(data)
    desk.stored(data)

    shown = desk.show(target, None)

    written = Path(shown.path)
    assert written.parent == desk.folder
    assert written.name.endswith(".evidence.html")
    assert name is None or "dialog.v2" in written.name
    assert written.is_file()


@pytest.mark.parametrize("name", ["out.png", "out.html"])
def test_an_earlier_drawing_is_replaced_and_anything_else_is_not(desk, name):
    desk.stored(encoded())

    assert desk.show(KEY, name).replaced is False
    assert desk.show(KEY, name).replaced is True
    for foreign in (encoded(size=(9, 9)), b"<html>my notes</html>", b""):
        (desk.folder / name).write_bytes(foreign)
        assert desk.code(KEY, name) == "DRAWING_EXISTS"
        assert (desk.folder / name).read_bytes() == foreign
    assert desk.show(KEY, name, force=True).replaced is True


def test_the_original_is_never_replaced(desk):
    data = encoded()
    (desk.folder / "dialog.png").write_bytes(data)

    assert desk.code("dialog.png", "dialog.png", force=True) == "DRAWING_OVER_SOURCE"
    assert (desk.folder / "dialog.png").read_bytes() == data


def test_a_folder_that_is_not_there_or_in_the_way_is_named(desk):
    desk.stored(encoded())
    (desk.folder / "taken.png").mkdir()

    assert desk.code(KEY, "nowhere/out.png") == "DRAWING_FOLDER_MISSING"
    assert desk.code(KEY, "taken.png") == "DRAWING_EXISTS"


def test_a_failed_write_is_the_failure_of_the_command(desk):
    desk.stored(encoded())

    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "no space")

    with pytest.raises(OSError, match="no space"):
        asyncio.run(show(ShowRequest(target=KEY, out=str(desk.folder / "x.png")), replace(desk.deps(), write=full)))
    assert not (desk.folder / "x.png").exists()

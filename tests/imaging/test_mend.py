"""PNG notes with a wrong checksum do not cost the picture; everything that carries pixels still does."""

from __future__ import annotations

import hashlib
import io

import pytest
from PIL import Image, PngImagePlugin

from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.mend import mended
from deepseekeyes.imaging.settings import IntakeLimits


def png() -> bytes:
    notes = PngImagePlugin.PngInfo()
    notes.add_text("a", "b" * 20)
    buffer = io.BytesIO()
    Image.linear_gradient("L").save(buffer, "PNG", pnginfo=notes, dpi=(72, 72))
    return buffer.getvalue()


def broken(kind: bytes) -> bytes:
    data = bytearray(png())
    at = data.index(kind)
    data[at + 5] ^= 1
    return bytes(data)


@pytest.mark.parametrize("kind", [b"tEXt", b"pHYs"])
def test_a_note_with_a_wrong_checksum_is_left_out_for_the_decoder_only(kind):
    damaged = broken(kind)
    found = decode(damaged, IntakeLimits())
    assert found.source.pixel_sha256 == decode(png(), IntakeLimits()).source.pixel_sha256
    assert found.source.sha256 == hashlib.sha256(damaged).hexdigest()
    assert found.data == damaged


def test_pixels_with_a_wrong_checksum_are_still_refused():
    with pytest.raises(EyesError):
        decode(broken(b"IDAT"), IntakeLimits())


@pytest.mark.parametrize("data", [png(), b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", png()[:40], png() + b"more"])
def test_what_has_nothing_to_mend_stays_the_same_object(data):
    assert mended(data) is data

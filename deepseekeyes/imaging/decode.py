"""Decode a picture in full, once, at intake."""

from __future__ import annotations

import hashlib
import importlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Literal

from deepseekeyes.contracts.evidence import Source
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging import codes
from deepseekeyes.imaging.admit import admit, admit_frames, admit_size, truncated
from deepseekeyes.imaging.mend import mended
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.imaging.sniff import PLUGINS, Sniffed

if TYPE_CHECKING:
    from PIL import Image

SHEET = -1
"""`Source.frame` of a contact sheet."""

FrameChoice = int | Literal["sheet"] | None

_ORIENTATION = 0x0112
_MODULES = {"WEBP": "WebP"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A picture that was decoded in full.

    Attributes:
        source: what the evidence record says about it.
        image: upright pixels, RGB or (where something is transparent) RGBA.
        data: the original bytes, untouched.
        metadata: whether the original bytes carry EXIF, XMP, text, comments or further pictures.
        notes: plain sentences a reader should know, e.g. that one of many frames was taken.
    """

    source: Source
    image: Image.Image
    data: bytes
    metadata: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Frame:
    image: Image.Image
    orientation: int
    mode: str
    converted: tuple[str, ...]


def decode(data: bytes, limits: IntakeLimits, frame: FrameChoice = None) -> Decoded:
    """Check, decode and turn a picture upright.

    Args:
        data: the file as it came.
        limits: bounds that are checked before decoding.
        frame: zero-based frame (page) of an animated or paged file; None takes the first and says so when there are
            more; `"sheet"` lays frames spread over the whole file out on one contact sheet.

    Raises:
        EyesError: everything `admit` raises, and `IMAGE_TRUNCATED`, `IMAGE_CORRUPT`, `IMAGE_DECODER_MISSING`,
            `FRAME_OUT_OF_RANGE`, `ANIMATION_TOO_LONG`.
    """
    from deepseekeyes.imaging.pixels import pixel_sha256

    found = admit(data, limits)
    with _opened(data, found) as picture:
        frames, extra = _count(picture, found)
        admit_frames(frames, limits)
        intake = _Intake(picture, found, limits, len(data), frames)
        if frame == "sheet" and frames > 1:
            chosen, taken = SHEET, intake.sheet()
        else:
            chosen = frame if isinstance(frame, int) else 0
            taken = intake.frame(chosen)
    source = Source(
        sha256=hashlib.sha256(data).hexdigest(),
        media_type=found.media_type,
        bytes=len(data),
        width=taken.image.width,
        height=taken.image.height,
        orientation=taken.orientation,
        mode=taken.mode,
        frames=frames,
        frame=chosen,
        pixel_sha256=pixel_sha256(taken.image),
        converted=taken.converted,
    )
    metadata = extra > 0 or (found.header is not None and found.header.metadata)
    return Decoded(source, taken.image, data, metadata, tuple(_notes(frames, frame, extra)))


@dataclass(frozen=True, slots=True)
class _Intake:
    picture: Image.Image
    found: Sniffed
    limits: IntakeLimits
    encoded: int
    frames: int

    def frame(self, index: int) -> _Frame:
        """One frame, loaded, upright and 8-bit."""
        from deepseekeyes.imaging import pixels

        if not 0 <= index < self.frames:
            raise EyesError(
                codes.FRAME_OUT_OF_RANGE,
                f"There is no frame {index}: the file has {self.frames}, counted from 0.",
                last=self.frames - 1,
            )
        self._afford(index)
        picture = self.picture
        with _damage_named(self.found):
            if self.frames > 1:
                picture.seek(index)
        admit_size(picture.width, picture.height, self.limits, encoded=self.encoded)
        with _damage_named(self.found):
            mode, before = picture.mode, _orientation(picture)
            picture.load()
            after = _orientation(picture)
            header = self.found.header
            image, converted = pixels.eight_bit(
                picture,
                bits=header.bits if header is not None else None,
                adobe="adobe" in picture.info,
                ycck=picture.info.get("adobe_transform") == 2,
            )
            image = pixels.upright(image, after)
            image.info.clear()
            return _Frame(image, max(before, after), mode, converted)

    def sheet(self) -> _Frame:
        """A contact sheet of frames spread over the file."""
        from deepseekeyes.imaging.sheet import lay_out, spread

        indices = spread(self.frames)
        first = self.frame(0)
        image = lay_out((self.frame(index).image for index in indices), len(indices))
        listed = ",".join(str(index) for index in indices)
        return _Frame(image, first.orientation, first.mode, (*first.converted, f"sheet of frames {listed}"))

    def _afford(self, index: int) -> None:
        paged = self.found.media_type == "image/tiff"
        if not paged and (index + 1) * self.picture.width * self.picture.height > self.limits.max_decoded_pixels:
            raise EyesError(
                codes.ANIMATION_TOO_LONG,
                f"Reaching frame {index} means decoding {index + 1} frames, more pixels than allowed.",
                details=self.limits.exceeded("max_decoded_pixels"),
                limit="max_decoded_pixels",
            )


@contextmanager
def _opened(data: bytes, found: Sniffed) -> Iterator[Image.Image]:
    from PIL import Image, features

    plugin = PLUGINS[found.media_type]
    if plugin in ("WEBP", "AVIF") and not features.check(plugin.lower()):
        raise EyesError(codes.IMAGE_DECODER_MISSING, f"The installed Pillow cannot decode {found.media_type}.")
    importlib.import_module(f"PIL.{_MODULES.get(plugin, plugin.capitalize())}ImagePlugin")
    # Complaints about metadata are no news to anyone here; a filter limited to Pillow's modules is added once and
    # never taken back, since restoring filters is not safe while other threads run.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")
    with _damage_named(found):
        picture = Image.open(BytesIO(mended(data)), formats=(plugin,))
    with picture:
        yield picture


@contextmanager
def _damage_named(found: Sniffed) -> Iterator[None]:
    """Decoders raise almost anything on damaged bytes; two codes come out."""
    try:
        yield
    except EyesError:
        raise
    except Exception as error:
        cut = found.header is not None and found.header.complete is False
        if cut or "truncated" in str(error).lower():
            raise truncated(found.media_type) from error
        raise EyesError(codes.IMAGE_CORRUPT, f"The {found.media_type} picture cannot be decoded.") from error


def _count(picture: Image.Image, found: Sniffed) -> tuple[int, int]:
    """Frames, and further pictures of a JPEG (previews, gain maps) that are no frames."""
    with _damage_named(found):
        total = int(getattr(picture, "n_frames", 1))
    return (1, total - 1) if found.media_type == "image/jpeg" else (total, 0)


def _orientation(picture: Image.Image) -> int:
    try:
        value = picture.getexif().get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001  # a damaged EXIF block says nothing about the pixels
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _notes(frames: int, asked: FrameChoice, extra: int) -> Iterator[str]:
    if frames > 1 and asked is None:
        yield f"Only the first of {frames} frames was read; choose another with --frame, or all with --frame sheet."
    if extra:
        yield f"The file holds {extra} further pictures (previews or depth data) that were not read."

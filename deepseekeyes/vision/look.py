"""Ask one precise question back to the original pixels."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator

from deepseekeyes.contracts.evidence import EvidenceRecord, Region
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import OVERSHOOT
from deepseekeyes.core.redact import clip
from deepseekeyes.imaging.inputs import Failed
from deepseekeyes.vision.codes import QUESTION_IS_FILE, SEVERAL_PICTURES
from deepseekeyes.vision.see import see
from deepseekeyes.vision.stored import stored_base
from deepseekeyes.vision.work import FrameNumber, Work

if TYPE_CHECKING:
    from deepseekeyes.vision.deps import VisionDeps

LONGEST_QUESTION = 2_000
_HASH = re.compile(r"[0-9a-f]{64}")


class LookRequest(Contract):
    """One question about one picture.

    Attributes:
        image: a picture as the user names it, or the bare hash of one in the store.
        question: 1 to 2000 characters, blanks at the ends ignored.
        region: `x,y,width,height` as text or an object, fractions of the upright picture.
        wait: whether the walk may wait for a resting route, up to `routing.max_wait_ms`; the time limit of a look is
            off then.
    """

    image: str = Field(min_length=1)
    question: str
    region: Region | None = None
    route: str | None = Field(default=None, min_length=1, max_length=1024)
    fresh: bool = False
    frame: FrameNumber | Literal["sheet"] | None = None
    allow_url: bool = False
    wait: bool = False

    @field_validator("question")
    @classmethod
    def _one_question(cls, value: str) -> str:
        question = value.strip()
        if not 0 < len(question) <= LONGEST_QUESTION:
            raise ValueError(f"a question has 1 to {LONGEST_QUESTION} characters, this one has {len(question)}")
        return question

    @field_validator("region", mode="before")
    @classmethod
    def _written(cls, value: Any) -> Any:
        return parse_region(value) if isinstance(value, str) else value

    @field_validator("region")
    @classmethod
    def _inside(cls, value: Region | None) -> Region | None:
        if value is not None and max(value.x + value.width, value.y + value.height) > 1 + OVERSHOOT:
            raise ValueError("the region reaches beyond the picture; x+width and y+height are at most 1")
        return value


def parse_region(text: str) -> dict[str, float]:
    """`x,y,width,height` as numbers.

    Raises:
        ValueError: not four finite numbers.
    """
    parts = text.split(",")
    try:
        numbers = [float(part) for part in parts if re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", part)]
    except ValueError:
        numbers = []
    if len(parts) != 4 or len(numbers) != 4 or not all(map(math.isfinite, numbers)):
        raise ValueError("a region is four numbers: x,y,width,height as fractions, e.g. 0,0.5,1,0.5")
    return dict(zip(("x", "y", "width", "height"), numbers, strict=True))


async def look(request: LookRequest, deps: VisionDeps) -> EvidenceRecord:
    """Answer one question from the original pixels.

    The route that made the stored base reading goes first. The region is cut from the original and enlarged.

    Raises:
        EyesError: what intake, plan and walk raise; `QUESTION_IS_FILE`, `SEVERAL_PICTURES`, `LOOK_TIMEOUT`.
    """
    if deps.names_file(request.question):
        raise EyesError(QUESTION_IS_FILE, f"The question is the name of a file: {clip(request.question, 200)}.")
    named = f"sha256:{request.image}" if _HASH.fullmatch(request.image) else request.image
    pictures = [picture async for picture in deps.load((named,), request.allow_url)]
    if len(pictures) != 1:
        raise EyesError(SEVERAL_PICTURES, f"The input holds {len(pictures)} pictures; one look is about one.")
    picture = pictures[0]
    if isinstance(picture, Failed):
        raise picture.error
    base = Work.of(picture)._replace(frame=request.frame, route=request.route, wait=request.wait)
    work = base._replace(
        kind="target",
        question=request.question,
        region=request.region,
        fresh=request.fresh,
        base_route=stored_base(base, deps),
        operation="look-target",
        timeout_ms=deps.settings.look_timeout_ms,
    )
    return await see(work, deps)

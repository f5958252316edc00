"""The capability vocabulary: what each accepts, needs, makes, and whether it may be tried twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes

IOKind = Literal["text", "image", "audio", "video", "model_3d", "json", "file"]
CapabilityName = Literal[
    "text_to_text",
    "image_to_evidence",
    "text_to_image",
    "image_to_image",
    "text_to_3d",
    "image_to_3d",
    "audio_generation",
    "speech_to_text",
    "image_understanding",
    "video_generation",
]

EYE: CapabilityName = "image_to_evidence"
REASONING: CapabilityName = "text_to_text"


class Capability(NamedTuple):
    """One kind of work.

    Attributes:
        accepts: input kinds a request may carry.
        needs: input kinds a request must carry.
        produces: output kinds.
        idempotent: running it twice changes nothing but cost, so a lost answer is an ordinary failure.
    """

    name: CapabilityName
    accepts: tuple[IOKind, ...]
    needs: tuple[IOKind, ...]
    produces: tuple[IOKind, ...]
    idempotent: bool


_ROWS: tuple[Capability, ...] = (
    Capability("text_to_text", ("text",), ("text",), ("text",), idempotent=True),
    Capability("image_to_evidence", ("image", "text"), ("image",), ("json",), idempotent=True),
    Capability("text_to_image", ("text",), ("text",), ("image",), idempotent=False),
    Capability("image_to_image", ("image", "text"), ("image",), ("image",), idempotent=False),
    Capability("text_to_3d", ("text",), ("text",), ("model_3d",), idempotent=False),
    Capability("image_to_3d", ("image", "text"), ("image",), ("model_3d",), idempotent=False),
    Capability("audio_generation", ("text",), ("text",), ("audio",), idempotent=False),
    Capability("speech_to_text", ("audio",), ("audio",), ("text",), idempotent=True),
    Capability("image_understanding", ("image", "text"), ("image",), ("text",), idempotent=True),
    Capability("video_generation", ("text", "image"), ("text",), ("video",), idempotent=False),
)

CAPABILITIES: Mapping[str, Capability] = {row.name: row for row in _ROWS}
NAMES: tuple[str, ...] = get_args(CapabilityName)


def capability(name: str) -> Capability:
    """The row of a capability.

    Raises:
        EyesError: `UNKNOWN_CAPABILITY`.
    """
    row = CAPABILITIES.get(name)
    if row is None:
        raise EyesError(
            codes.UNKNOWN_CAPABILITY,
            f"There is no capability {name!r}; known are {', '.join(NAMES)}.",
            details={"candidates": list(NAMES)},
        )
    return row


def default_inputs(names: tuple[str, ...]) -> tuple[IOKind, ...]:
    """What an entry accepts when it does not say: everything its capabilities accept, in vocabulary order."""
    accepted = {kind for name in names for kind in CAPABILITIES[name].accepts}
    return tuple(kind for kind in get_args(IOKind) if kind in accepted)

"""`probe challenge`: a picture for any eye, ours or not."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.probe import ProbeChallenge, RungName
from deepseekeyes.core.errors import EyesError
from deepseekeyes.probe import codes, ladder
from deepseekeyes.probe.deps import ChallengeDeps
from deepseekeyes.probe.order import SEEDS, VERSION


class ChallengeRequest(Contract):
    """Which picture. `out` is a file to write; `reveal` puts the right answer into the document."""

    rung: RungName
    seed: int | None = Field(default=None, ge=0, lt=SEEDS)
    out: str | None = None
    reveal: bool = False


async def challenge(request: ChallengeRequest, deps: ChallengeDeps) -> ProbeChallenge:
    """Draw a challenge, store its picture by hash, and say what to ask.

    Raises:
        EyesError: `PROBE_OUT_UNWRITABLE`; what the blob store raises.
    """
    seed = deps.clock.randbelow(SEEDS) if request.seed is None else request.seed
    made = ladder.challenge(request.rung, seed)
    if request.out is not None:
        _written(Path(request.out), made.png)
    return ProbeChallenge(
        rung=request.rung,
        seed=seed,
        challenges=VERSION,
        picture=BlobRef(
            sha256=deps.blobs.put(made.png),
            media_type="image/png",
            bytes=len(made.png),
            width=made.width,
            height=made.height,
        ),
        path=request.out,
        prompt=made.prompt,
        guess_probability=made.guess_probability,
        truth=ladder.right_answer(request.rung, seed) if request.reveal else None,
    )


def _written(path: Path, png: bytes) -> None:
    try:
        path.write_bytes(png)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise EyesError(codes.PROBE_OUT_UNWRITABLE, f"{path} cannot be written: {reason}.") from error

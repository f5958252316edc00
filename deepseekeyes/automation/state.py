"""State ids: which observation a caller looked at."""

from __future__ import annotations

import hashlib

from deepseekeyes.contracts.automation import SurfaceKind


def state_id(kind: SurfaceKind, run_id: str, sequence: int, content_sha256: str, tail: str) -> str:
    """The id of one observation: `browser-state:` or `desktop-state:` and 64 hex digits.

    Args:
        kind: the surface.
        run_id: of the run.
        sequence: of the observation in the run, from 1.
        content_sha256: of the screenshot's PNG, or of the observation's text where no pixels were taken.
        tail: the page's URL without credentials, or the platform.
    """
    covered = "\0".join((run_id, str(sequence), content_sha256, tail))
    return f"{kind}-state:{hashlib.sha256(covered.encode('utf-8', 'surrogatepass')).hexdigest()}"

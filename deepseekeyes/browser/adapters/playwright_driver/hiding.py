"""Where a page shows a secret as its own text, so that its picture can be painted over there.

The page is never told a secret: what it says comes here piece by piece, and only numbers of pieces go back.
"""

from __future__ import annotations

from collections.abc import Sequence

from deepseekeyes.browser.adapters.playwright_driver.registry import FrameView


async def hide(view: FrameView, secrets: Sequence[str]) -> None:
    """Add the boxes of text that holds a secret to what is masked; asks the page only when its text does.

    Args:
        view: the main frame of a fresh look.
        secrets: texts that appear nowhere.
    """
    for frame in view.all():
        if frame.registry is None or frame.data is None:
            continue
        if not any(secret in str(frame.data["text"]) for secret in secrets):
            continue
        found = pieces_with(await frame.registry.call("said"), secrets)
        boxes = await frame.registry.call("saidAt", found)
        frame.data = {**frame.data, "masks": [*frame.data["masks"], *boxes]}


def pieces_with(pieces: Sequence[str], secrets: Sequence[str]) -> list[int]:
    """Numbers of the pieces in which a secret stands, or that together make one up."""
    whole = "".join(pieces)
    spans = [span for secret in secrets for span in _spans(whole, secret)]
    found, start = [], 0
    for number, piece in enumerate(pieces):
        end = start + len(piece)
        if piece.strip() and any(first < end and start < last for first, last in spans):
            found.append(number)
        start = end
    return found


def _spans(text: str, wanted: str) -> list[tuple[int, int]]:
    found, at = [], text.find(wanted)
    while at >= 0:
        found.append((at, at + len(wanted)))
        at = text.find(wanted, at + 1)
    return found

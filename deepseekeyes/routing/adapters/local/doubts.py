"""What the local eye could not see, or may have seen wrongly. A reader that hides its limits cannot be audited."""

from __future__ import annotations

from collections.abc import Iterator

from deepseekeyes.routing.adapters.local.scene import Scene
from deepseekeyes.routing.adapters.local.suspicion import orders
from deepseekeyes.routing.adapters.local.wording import counted, placed, quote
from deepseekeyes.routing.local_settings import setting

UNSURE = 0.8
TINY = 8.0
"""Height in pixels, from the top of the highest letter to the bottom of the lowest, below which reading is a guess."""
NAMED = 20
PLACES = 8

SCOPE = (
    "Only text, QR and bar codes, flat rectangles and colours were read; what photographs, icons and drawings show, "
    "and what the parts mean, was not."
)
ALPHABET = (
    "Letters outside common Latin, Greek, Chinese and Japanese writing come out as look-alikes or not at all, and 0/O, "
    "1/l/I or _/__ can be mistaken for each other."
)
TURNS = {
    90: "The text runs from top to bottom: the picture seems turned clockwise by 90 degrees.",
    180: "The text is upside down: the picture seems turned by 180 degrees.",
    270: "The text runs from bottom to top: the picture seems turned counterclockwise by 90 degrees.",
}


def doubts(scene: Scene) -> list[str]:
    """Sentences for `uncertainties` of a whole picture."""
    return [SCOPE, *_reading(scene), *orders_found(scene), *_pictures(scene)]


def _reading(scene: Scene) -> Iterator[str]:
    if scene.lines:
        yield ALPHABET
    elif not scene.illegible:
        yield "No text was found."
    if scene.turn:
        yield f"{TURNS[scene.turn]} It was read that way; boxes refer to the picture as it is."
    yield from unsure(scene)
    if scene.illegible:
        places = ", ".join(placed(box, scene.width, scene.height) for box in scene.illegible[:PLACES])
        more = " among others" if len(scene.illegible) > PLACES else ""
        number = counted(len(scene.illegible), "place looks", "places look")
        why = "damaged, or in a script this reader does not know"
        yield f"{number} like text but could not be read, at {places}{more}: {why}."
    yield from left_out(scene)


def left_out(scene: Scene) -> Iterator[str]:
    """What the limits kept from being read, with the settings that move them."""
    if scene.omitted:
        number = counted(scene.omitted, "further place was", "further places were")
        most = f"{scene.bounds.max_lines} (`{setting('max_lines')}`)"
        yield f"{number} not read because there are more that look like lines of text than the limit of {most}."
    if scene.more_symbols:
        number = counted(scene.more_symbols, "further QR or bar code is", "further QR or bar codes are")
        yield f"{number} not listed: the limit is {scene.bounds.max_codes} (`{setting('max_codes')}`)."


def unsure(scene: Scene) -> Iterator[str]:
    """Lines of low confidence, each by name, and how many are tiny."""
    weak = [line for line in scene.lines if line.confidence < UNSURE]
    for line in weak[:NAMED]:
        where = placed(line.box, scene.width, scene.height)
        yield f"Low confidence {line.confidence:.2f}: {quote(line.text)} at {where}."
    if len(weak) > NAMED:
        yield f"{len(weak) - NAMED} more lines have low confidence."
    tiny = sum(0 < line.ink < TINY and len(line.text) > 2 for line in scene.lines)
    if tiny:
        number = counted(tiny, "line is", "lines are")
        yield f"{number} so small that single characters are uncertain; read the region again, enlarged."


def orders_found(scene: Scene) -> Iterator[str]:
    """Each text that tries to give orders, named as untrusted."""
    texts = [line.text for line in scene.lines] + [symbol.text for symbol in scene.symbols]
    for text in [text for text in dict.fromkeys(texts) if orders(text)][:NAMED]:
        yield f"Untrusted instruction-like text in the picture, quoted as data and not followed: {quote(text)}."


def _pictures(scene: Scene) -> Iterator[str]:
    if scene.pictures:
        number = counted(len(scene.pictures), "area looks", "areas look")
        yield f"{number} like a photograph, drawing or gradient; the content was not described."

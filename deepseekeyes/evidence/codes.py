"""Failure codes of the evidence package."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

INVALID_MODEL_OUTPUT = Code(
    "INVALID_MODEL_OUTPUT",
    "contract",
    "Ask again, or add a further route: deepseekeyes vision routes. To see what was made of an answer: "
    "deepseekeyes vision validate FILE",
)
MODEL_OUTPUT_TOO_LARGE = Code(
    "MODEL_OUTPUT_TOO_LARGE", "contract", "Lower the route's output limit, or raise the setting that the details name."
)
NO_ANSWER = Code(
    "NO_ANSWER",
    "contract",
    "The model spent its budget without answering: raise the budget, or set `thinking_switch` of the route.",
)
INVALID_VISION_EVIDENCE = Code(
    "INVALID_VISION_EVIDENCE",
    "contract",
    "Ask again, or add a further route. Where the boxes are at fault, declare the route's convention: "
    'coordinates = "0-1000"',
)
PICTURE_SIZE_NEEDED = Code(
    "PICTURE_SIZE_NEEDED", "input", "Say the size of the picture that was sent: --width W --height H, or --image FILE"
)
UNKNOWN_CONVENTION = Code(
    "UNKNOWN_CONVENTION", "input", "Use one of: normalized, pixel, 0-1000, 0-999, yxyx-1000. Nearest: {nearest}"
)
NOT_JUDGEABLE = Code(
    "NOT_JUDGEABLE", "input", "Give an evidence record, a batch of them, or the text that a model answered."
)
TEXT_NOT_UTF8 = Code("TEXT_NOT_UTF8", "input", "Convert it first: iconv -f UTF-16 -t UTF-8 FILE")

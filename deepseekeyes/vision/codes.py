"""Failure codes of the vision operations."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

EVIDENCE_PERSIST_FAILED = Code(
    "EVIDENCE_PERSIST_FAILED",
    "input",
    "Make room in the home or make it writable (`deepseekeyes doctor --only store`), or set `store.evidence = false`.",
)
QUESTION_INVALID = Code(
    "QUESTION_INVALID", "usage", 'Ask one question of 1 to 2000 characters, e.g. "What is the total?".'
)
QUESTION_IS_FILE = Code(
    "QUESTION_IS_FILE", "usage", "Put the question last, in quotes; several pictures go to `vision read`."
)
REGION_UNREADABLE = Code("REGION_UNREADABLE", "usage", "Write x,y,width,height as fractions: --region 0,0.5,1,0.5.")
SEVERAL_PICTURES = Code("SEVERAL_PICTURES", "usage", "Name one picture; `vision read` takes several.")
UNKNOWN_PRESERVED_IMAGE = Code(
    "UNKNOWN_PRESERVED_IMAGE", "input", "Read the picture first: deepseekeyes vision read FILE."
)
LOOK_TIMEOUT = Code(
    "LOOK_TIMEOUT", "unavailable", "Raise `vision.look_timeout_ms`, or use a faster route with --route."
)

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
    "QUESTION_IS_FILE",
    "usage",
    'Put the question last, in quotes: deepseekeyes vision ask a.png b.png "What changed?"',
)
REGION_UNREADABLE = Code("REGION_UNREADABLE", "usage", "Write x,y,width,height as fractions: --region 0,0.5,1,0.5.")
SEVERAL_PICTURES = Code("SEVERAL_PICTURES", "usage", "Name one picture; `vision read` takes several.")
UNKNOWN_PRESERVED_IMAGE = Code(
    "UNKNOWN_PRESERVED_IMAGE", "input", "Read the picture first: deepseekeyes vision read FILE."
)
LOOK_TIMEOUT = Code(
    "LOOK_TIMEOUT", "unavailable", "Raise `vision.look_timeout_ms`, or use a faster route with --route."
)
PIPED_RECORD_INVALID = Code(
    "PIPED_RECORD_INVALID",
    "input",
    "See what is wrong with it: deepseekeyes vision validate FILE; or name the picture itself.",
)
VISION_STATE_MISMATCH = Code(
    "VISION_STATE_MISMATCH",
    "input",
    "The picture changed since it was read; read it again: deepseekeyes vision read FILE.",
)
INVALID_VISION_REQUEST = Code(
    "INVALID_VISION_REQUEST",
    "contract",
    "Use another reasoning model with --reasoner, or allow no looks: `vision.max_clarifications = 0`.",
)
VISION_CLARIFICATION_LIMIT = Code(
    "VISION_CLARIFICATION_LIMIT",
    "contract",
    "Raise `vision.max_clarifications`, or ask a narrower question.",
)
NATIVE_IMAGE_REFUSED = Code(
    "NATIVE_IMAGE_REFUSED", "input", 'The model does not see: give its route `inputs = ["text"]` in config.toml.'
)
FINAL_CONTEXT_EXHAUSTED = Code(
    "FINAL_CONTEXT_EXHAUSTED",
    "input",
    "Ask about fewer pictures, lower `vision.evidence_chars`, or use a model with a larger window.",
)
UPSTREAM_MODEL_LOCKED = Code(
    "UPSTREAM_MODEL_LOCKED", "policy", "Leave --reasoner out, or set `serve.lock_model = false`."
)
BATCH_EMPTY = Code(
    "BATCH_EMPTY",
    "input",
    "Name a folder with pictures (add --recursive for the folders in it), a quoted pattern such as 'shots/*.png', or a "
    "list of paths in a .jsonl file.",
)
BATCH_TOO_MANY = Code("BATCH_TOO_MANY", "input", "Give fewer pictures at a time, or raise `{setting}`.")
BATCH_LINE_INVALID = Code(
    "BATCH_LINE_INVALID", "input", 'Write each line as a path, or as {"image": "a.png", "frame": 0}.'
)
BATCH_FOLDER_UNREADABLE = Code("BATCH_FOLDER_UNREADABLE", "input", "Make the folder readable: chmod u+rx {path}")
WORKER_LOST = Code(
    "WORKER_LOST",
    "unavailable",
    "Look whether the machine runs out of memory while this picture is read; fewer readings at a time: --jobs 1.",
)
EVAL_SUITE_MISSING = Code(
    "EVAL_SUITE_MISSING", "input", "Name a suite: deepseekeyes vision eval FOLDER (a folder with a suite.json)."
)
EVAL_SUITE_INVALID = Code(
    "EVAL_SUITE_INVALID", "input", "Compare {place} of the file with schemas/eval-suite.v1.schema.json."
)
EVAL_CATEGORY_UNKNOWN = Code("EVAL_CATEGORY_UNKNOWN", "input", "Use one of: {known}.")
EVAL_PICTURE_CHANGED = Code(
    "EVAL_PICTURE_CHANGED", "input", "Fetch the suite again: its pictures must stay as they are, byte for byte."
)

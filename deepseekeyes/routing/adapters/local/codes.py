"""Failures of the local eye."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

LOCAL_EYE_MISSING = Code("LOCAL_EYE_MISSING", "input", "install it: pip install 'deepseekeyes[local]'")
LOCAL_EYE_BROKEN = Code(
    "LOCAL_EYE_BROKEN", "unavailable", "reinstall it: pip install --force-reinstall 'deepseekeyes[local]'"
)
LOCAL_EYE_PICTURE = Code(
    "LOCAL_EYE_PICTURE", "input", "send exactly one decodable picture: deepseekeyes vision read IMAGE"
)
LOCAL_EYE_OPTIONS = Code(
    "LOCAL_EYE_OPTIONS",
    "input",
    "Use the names and ranges that `deepseekeyes config schema` gives for `vision.local`, or leave `options` out.",
)
LOCAL_EYE_CAPABILITY = Code(
    "LOCAL_EYE_CAPABILITY", "input", "the local eye serves image_to_evidence only; see deepseekeyes vision routes"
)

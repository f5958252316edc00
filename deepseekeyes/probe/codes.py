"""Failure codes of the probe."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

VISION_PROBE_FAILED = Code(
    "VISION_PROBE_FAILED",
    "contract",
    "The route claims pictures but did not show that it sees them: choose another, or look closer with "
    "`deepseekeyes probe run ROUTE`.",
)
IMAGE_NOT_CONSUMED = Code(
    "IMAGE_NOT_CONSUMED",
    "contract",
    "The endpoint dropped the picture: start it with its vision projector and prove it anew with "
    "`deepseekeyes probe run ROUTE`, or choose a model that takes images.",
)
PROBE_BUSY = Code(
    "PROBE_BUSY", "unavailable", "Another process is probing this route; try again, or raise `probe.wait_s`."
)
PROBE_NO_ROUTE = Code(
    "PROBE_NO_ROUTE", "input", "Name a route: `deepseekeyes probe run ROUTE`; `deepseekeyes vision routes` lists them."
)
PROBE_NO_VERDICT = Code("PROBE_NO_VERDICT", "input", "Probe the route first: `deepseekeyes probe run ROUTE`.")
PROBE_OUT_UNWRITABLE = Code(
    "PROBE_OUT_UNWRITABLE", "input", "Name a file in a folder that exists and may be written with `--out`."
)

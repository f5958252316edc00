"""Libraries that report to their makers, or to whoever is installed beside them, unless told not to."""

from __future__ import annotations

import os

REFUSALS = {"ORT_DISABLE_TELEMETRY": "1", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
"""Variables that stop the reports, and their values. onnxruntime 1.29 and newer keeps a device id and an event file in
the user's cache folder and sends them from Linux and macOS too; it looks at the variable when it is imported. Pydantic
hands every value it validates to plugins, which it seeks among all installed packages when the first model is built."""


def refuse_telemetry() -> None:
    """Say no for this process and its children. What the user has set stays."""
    for name, value in REFUSALS.items():
        os.environ.setdefault(name, value)

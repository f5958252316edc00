"""Evidence to start from."""

from __future__ import annotations

import copy
from typing import Any

import pytest

BASE: dict[str, Any] = {
    "schemaVersion": "deepseekeyes.evidence.v1",
    "summary": "A dialog.",
    "ocr": [{"text": "OK", "bbox": [0.1, 0.2, 0.3, 0.1], "confidence": 0.9}],
    "regions": [{"id": "r1", "bbox": [0, 0, 1, 1], "description": "all"}],
    "objects": [{"name": "button", "bbox": [0.5, 0.5, 0.25, 0.25], "attributes": ["grey"]}],
    "relations": ["button below text"],
    "quantitativeFacts": ["1 button"],
    "uncertainties": [],
}
TARGET: dict[str, Any] = {
    "schemaVersion": "deepseekeyes.target.v1",
    "answer": "OK",
    "observations": [{"fact": "reads OK", "bbox": [0.1, 0.2, 0.3, 0.1], "confidence": 1}],
    "ocr": [],
    "uncertainties": [],
}


@pytest.fixture
def base() -> dict[str, Any]:
    return copy.deepcopy(BASE)


@pytest.fixture
def target() -> dict[str, Any]:
    return copy.deepcopy(TARGET)

"""Loading the networks where something is installed but broken."""

from __future__ import annotations

import sys

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.adapters.local.identity import weights
from deepseekeyes.routing.adapters.local.sessions import load


@pytest.mark.parametrize("package", ["onnxruntime", "zxingcpp", "cv2"])
def test_a_package_that_cannot_be_imported_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EyesError) as raised:
        load(weights(), threads=1)
    assert (raised.value.code.name, package in raised.value.message) == ("LOCAL_EYE_BROKEN", True)

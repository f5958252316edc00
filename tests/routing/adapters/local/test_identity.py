"""The name of the local eye is cheap, honest about the weights, and fails with the line to type."""

from __future__ import annotations

import subprocess
import sys

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.adapters.local import identity as module

DIGEST = "sha256=" + "A" * 43


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages that only look installed; the networks have four bytes each."""
    for name, version in (
        ("rapidocr", "3.10.0"),
        ("onnxruntime", "1.30.0"),
        ("zxing_cpp", "3.0.0"),
        ("opencv_python_headless", "5.0.0"),
    ):
        (tmp_path / f"{name}-{version}.dist-info").mkdir()
    for name in ("rapidocr/models", "onnxruntime", "zxingcpp", "cv2"):
        (tmp_path / name).mkdir(parents=True)
    for name in (module.DETECTION, module.RECOGNITION):
        (tmp_path / name).write_bytes(b"onnx")
    record = "".join(f"{name},{DIGEST},4\n" for name in (module.DETECTION, module.RECOGNITION))
    (tmp_path / "rapidocr-3.10.0.dist-info" / "RECORD").write_text(record)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return tmp_path


def named() -> str:
    for cached in (module._identity, module._site):
        cached.cache_clear()
    return module.identity()


@pytest.fixture(autouse=True)
def forgotten():
    yield
    for cached in (module._identity, module._site):
        cached.cache_clear()


def test_the_name_holds_weights_versions_and_rules(site):
    parts = named().split("+")

    assert parts[0] == "PP-OCRv6-small"
    assert parts[2:] == [
        "rapidocr-3.10.0",
        "onnxruntime-1.30.0",
        "zxingcpp-3.0.0",
        "cv2-5.0.0",
        module.RULES,
    ]


def test_other_weights_have_another_name(site):
    first = named()
    (site / module.RECOGNITION).write_bytes(b"other onnx")
    exchanged = named()
    (site / "rapidocr-3.10.0.dist-info" / "RECORD").unlink()
    unrecorded = named()

    assert len({first, exchanged, unrecorded}) == 3


def test_another_version_of_the_runtime_has_another_name(site):
    first = named()
    (site / "onnxruntime-1.30.0.dist-info").rename(site / "onnxruntime-1.31.0.dist-info")

    assert named() != first


def test_a_missing_package_is_named_with_the_line_to_type(site):
    (site / "zxingcpp").rmdir()

    with pytest.raises(EyesError) as failed:
        named()

    assert (failed.value.code.name, failed.value.kind) == ("LOCAL_EYE_MISSING", "input")
    assert "zxingcpp" in failed.value.message
    assert "pip install 'deepseekeyes[local]'" in failed.value.hint
    assert module.missing() == ("zxingcpp",)


def test_missing_weights_are_a_broken_installation(site):
    (site / module.DETECTION).unlink()

    with pytest.raises(EyesError) as failed:
        named()

    assert (failed.value.code.name, failed.value.exit_code) == ("LOCAL_EYE_BROKEN", 5)


def test_naming_the_eye_imports_none_of_its_packages():
    program = (
        "import sys; from deepseekeyes.routing.adapters.local.identity import identity; identity();"
        "print(sorted({'numpy', 'cv2', 'onnxruntime', 'rapidocr', 'zxingcpp', 'PIL', 'asyncio', 'importlib.metadata'}"
        " & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"

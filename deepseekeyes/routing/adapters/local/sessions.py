"""The two networks, loaded once and shared by every reading of a process."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.telemetry import refuse_telemetry
from deepseekeyes.routing.adapters.local.codes import LOCAL_EYE_BROKEN
from deepseekeyes.routing.adapters.local.identity import Weights
from deepseekeyes.routing.adapters.local.stopping import ReadingStopped, Stop


@dataclass(frozen=True, slots=True)
class Sessions:
    """Loaded networks. Running one from several threads at once is safe.

    Attributes:
        detection: `(1, 3, H, W)` pixels in -1..1, sides multiples of 32, to a `(1, 1, H, W)` map of text likelihood.
        recognition: `(1, 3, 48, W)` to `(1, W / 8, characters)`; runs on one thread, so lines go side by side.
        characters: what each output of the recognition means; index 0 is the blank.
    """

    detection: Any
    recognition: Any
    characters: tuple[str, ...]


def load(weights: Weights, *, threads: int, stop: Stop | None = None) -> Sessions:
    """Load both networks for `threads` threads in all; `stop` is looked at between the steps.

    Raises:
        EyesError: LOCAL_EYE_BROKEN when a package cannot be imported or the runtime refuses the networks.
    """
    until = stop or Stop()
    onnxruntime = _runtime(until)

    def opened(path: str, width: int) -> Any:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = width
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.enable_mem_pattern = False
        options.log_severity_level = 4
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    try:
        detection = opened(str(weights.detection), threads)
        until.check()
        recognition = opened(str(weights.recognition), 1)
        alphabet = recognition.get_modelmeta().custom_metadata_map["character"].splitlines()
    except ReadingStopped:
        raise
    except Exception as trouble:
        raise EyesError(
            LOCAL_EYE_BROKEN, f"The local eye's networks cannot be loaded ({type(trouble).__name__})."
        ) from trouble
    return Sessions(detection, recognition, ("", *alphabet, " "))


def _runtime(stop: Stop) -> ModuleType:
    """onnxruntime, after everything else the eye works with: what is installed and broken is found before any work."""
    refuse_telemetry()
    for name in ("numpy", "cv2", "zxingcpp", "onnxruntime"):
        stop.check()
        try:
            module = import_module(name)
        except Exception as trouble:
            raise EyesError(
                LOCAL_EYE_BROKEN, f"The package {name} is installed but cannot be imported ({type(trouble).__name__})."
            ) from trouble
    stop.check()
    return module

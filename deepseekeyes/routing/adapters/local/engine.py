"""The local eye as an engine of the routing spine."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.routing.adapters.local import identity as _identity
from deepseekeyes.routing.adapters.local.codes import LOCAL_EYE_CAPABILITY, LOCAL_EYE_OPTIONS, LOCAL_EYE_PICTURE
from deepseekeyes.routing.adapters.local.stopping import Stop
from deepseekeyes.routing.local_settings import LocalEyeSettings
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Picture

if TYPE_CHECKING:
    from deepseekeyes.routing.adapters.local.detector import Detector
    from deepseekeyes.routing.adapters.local.recogniser import Recogniser
    from deepseekeyes.routing.adapters.local.scene import Scene
    from deepseekeyes.routing.catalog import Route

Array: TypeAlias = Any
CAPABILITY = "image_to_evidence"


@dataclass(frozen=True, slots=True)
class _Tools:
    detector: Detector
    recogniser: Recogniser


def identity() -> str:
    """The `model` of the local route; see `deepseekeyes.routing.adapters.local.identity`."""
    return _identity.identity()


class LocalEye:
    """Reads pictures on this machine. Construct once and keep: the networks are loaded with the first picture.

    Safe to call from several tasks and threads; `readings` of them run at a time and share the cores. A process of a
    pool passes `threads=1`.

    Args:
        threads: cores for one reading; all cores divided by `readings` when absent.
        readings: pictures read at the same time in this process.
    """

    def __init__(self, *, threads: int | None = None, readings: int = 1) -> None:
        self._readings = max(1, readings)
        self._threads = threads
        self._turnstile = threading.BoundedSemaphore(self._readings)
        self._loading = threading.Lock()
        self._tools: _Tools | None = None

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        """One reading of the one picture in the last message, within the bounds of the route's `options`.

        Cancelled, it ends the reading between two lines.

        Raises:
            EyesError: LOCAL_EYE_CAPABILITY, LOCAL_EYE_PICTURE, LOCAL_EYE_OPTIONS, LOCAL_EYE_MISSING, LOCAL_EYE_BROKEN.
        """
        if request.capability != CAPABILITY:
            raise EyesError(LOCAL_EYE_CAPABILITY, f"The local eye does not serve {request.capability}.")
        pictures = request.messages[-1].pictures if request.messages else ()
        if len(pictures) != 1:
            raise EyesError(LOCAL_EYE_PICTURE, f"The local eye reads one picture at a time, {len(pictures)} were sent.")
        name, bounds, stop = identity(), bounds_of(route), Stop()
        await loop_needed()
        import asyncio

        try:
            document = await asyncio.to_thread(self.read, pictures[0], request, bounds, stop)
        except asyncio.CancelledError:
            stop.ask()
            raise
        return EngineReply(document=document, served_model=name)

    def read(
        self,
        picture: Picture,
        request: EngineRequest,
        bounds: LocalEyeSettings | None = None,
        stop: Stop | None = None,
    ) -> dict[str, Any]:
        """The evidence document of `request.variant` for a picture. Blocks.

        Raises:
            EyesError: LOCAL_EYE_PICTURE, LOCAL_EYE_MISSING, LOCAL_EYE_BROKEN.
            ReadingStopped: it was asked to stop.
        """
        from deepseekeyes.routing.adapters.local.answer import answer_document
        from deepseekeyes.routing.adapters.local.base_document import base_document

        scene = self.see(pixels_of(picture), bounds, stop)
        if request.variant == "target":
            return answer_document(scene, request.question or "")
        return base_document(scene)

    def see(self, pixels: Array, bounds: LocalEyeSettings | None = None, stop: Stop | None = None) -> Scene:
        """What is in a BGR picture `(height, width, 3)` of 8 bits. Blocks.

        Raises:
            EyesError: LOCAL_EYE_MISSING, LOCAL_EYE_BROKEN.
            ReadingStopped: it was asked to stop.
        """
        until = stop or Stop()
        until.check()
        tools = self.load(until)
        from deepseekeyes.routing.adapters.local.scene import see

        with self._turnstile:
            until.check()
            return see(pixels, tools.detector, tools.recogniser, bounds or LocalEyeSettings(), until)

    def load(self, stop: Stop | None = None) -> _Tools:
        """Load the networks, once. Called by the first reading; a check or a pool may call it ahead.

        Raises:
            EyesError: LOCAL_EYE_MISSING, LOCAL_EYE_BROKEN.
        """
        with self._loading:
            if self._tools is None:
                self._tools = self._loaded(stop or Stop())
            return self._tools

    def _loaded(self, stop: Stop) -> _Tools:
        from concurrent.futures import ThreadPoolExecutor

        weights = _identity.weights()
        from deepseekeyes.routing.adapters.local.detector import Detector
        from deepseekeyes.routing.adapters.local.recogniser import Recogniser
        from deepseekeyes.routing.adapters.local.sessions import load

        threads = self._threads or max(1, cores() // self._readings)
        sessions = load(weights, threads=threads, stop=stop)
        workers = ThreadPoolExecutor(threads * self._readings, thread_name_prefix="local-eye")
        return _Tools(Detector(sessions.detection), Recogniser(sessions.recognition, sessions.characters, workers))


def bounds_of(route: Route) -> LocalEyeSettings:
    """What a route's `options` say about the bounds of a reading; the defaults where they say nothing.

    Raises:
        EyesError: LOCAL_EYE_OPTIONS.
    """
    if not route.options:
        return LocalEyeSettings()
    from pydantic import ValidationError

    try:
        return LocalEyeSettings.model_validate(route.options)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in ("options", *first["loc"]))
        raise EyesError(
            LOCAL_EYE_OPTIONS,
            f"The options of route {route.id} do not fit the local eye: {place}: {first['msg']}.",
            details={"path": f"/routes/{route.id}/{place.replace('.', '/')}"},
        ) from None


def cores() -> int:
    """Processor cores this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pixels_of(picture: Picture) -> Array:
    """The picture as BGR pixels; transparent parts are shown on white.

    Raises:
        EyesError: LOCAL_EYE_PICTURE when the bytes are no picture.
    """
    import io

    import numpy as np
    from PIL import Image

    try:
        with Image.open(io.BytesIO(picture.data)) as opened:
            if "A" in opened.getbands() or "transparency" in opened.info:
                shown = opened.convert("RGBA")
                flat = Image.new("RGBA", shown.size, (255, 255, 255, 255))
                flat.alpha_composite(shown)
                image = flat.convert("RGB")
            else:
                image = opened.convert("RGB")
    except (OSError, ValueError, SyntaxError) as trouble:
        raise EyesError(LOCAL_EYE_PICTURE, "The bytes sent to the local eye are no picture.") from trouble
    return np.ascontiguousarray(np.asarray(image)[:, :, ::-1])

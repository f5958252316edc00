"""Deps of `vision eval`: real routes, empty stores, and the suite."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from deepseekeyes.core.errors import EyesError
from deepseekeyes.vision.codes import EVAL_SUITE_INVALID, EVAL_SUITE_MISSING
from deepseekeyes.wiring.files import read_text_file
from deepseekeyes.wiring.vision import vision_deps

if TYPE_CHECKING:
    from deepseekeyes.vision.evaluate import EvalDeps, FoundSuite
    from deepseekeyes.wiring.app import App

SUITE = "suite.json"
INSTALLED, CHECKOUT = "eval_suite", "examples/eval"


def eval_deps(app: App) -> EvalDeps:
    """Readings are paid for, booked and forgotten: no record, no picture and no resting route is left behind."""
    from deepseekeyes.routing.states import RouteStates
    from deepseekeyes.store.blobs import Blobs
    from deepseekeyes.store.documents import Documents
    from deepseekeyes.store.records import Records
    from deepseekeyes.vision.evaluate import EvalDeps

    def suite(name: str | None) -> FoundSuite:
        return find_suite(name, app.settings.vision.limits.max_bytes)

    states = RouteStates(Documents(None), app.clock, app.settings.routing)
    vision = vision_deps(app)._replace(
        records=Records(None),
        blobs=Blobs(None),
        keep_pictures=False,
        walk=lambda: replace(app.routes.walk, states=states),
    )
    return EvalDeps(vision=vision, suite=suite)


def find_suite(name: str | None, most: int) -> FoundSuite:
    """A suite by its file or folder; without a name the one inside the installed package, else the checkout's.

    Raises:
        EyesError: EVAL_SUITE_MISSING, EVAL_SUITE_INVALID, FILE_*.
    """
    import hashlib

    from pydantic import ValidationError

    from deepseekeyes.contracts.eval import EvalSuite
    from deepseekeyes.vision.evaluate import FoundSuite

    path = _shipped() if name is None else Path(name) / SUITE if Path(name).is_dir() else Path(name)
    data = read_text_file(str(path), most)
    try:
        suite = EvalSuite.model_validate_json(data)
    except ValidationError as wrong:
        problem = wrong.errors(include_url=False, include_input=False)[0]
        place = "/" + "/".join(str(part) for part in problem["loc"])
        raise EyesError(
            EVAL_SUITE_INVALID,
            f"{path} is not a suite: {problem['msg'].removeprefix('Value error, ')}.",
            details={"path": place},
            place=place,
        ) from None
    return FoundSuite(
        suite, hashlib.sha256(data).hexdigest(), lambda image: read_text_file(str(path.parent / image), most)
    )


def _shipped() -> Path:
    package = Path(__file__).resolve().parents[1]
    for folder in (package / INSTALLED, package.parent / CHECKOUT):
        if (folder / SUITE).is_file():
            return folder / SUITE
    raise EyesError(EVAL_SUITE_MISSING, "This installation carries no suite.")

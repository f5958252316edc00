"""Which pixels a caller is shown with a state, from the policy to the pictures of the document."""

from __future__ import annotations

import random
from typing import Any

import pytest
from paper_desktop import PaperDesktop

from deepseekeyes.contracts.desktop import DesktopAction, DesktopObservation, DesktopScreenshot
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.values import Grab

LOOKS: list[tuple[bool, dict[str, Any], bool | None, tuple[bool, str]]] = [
    (True, {}, None, (False, "semantic-state-sufficient")),
    (False, {}, None, (True, "semantic-disabled-fallback")),
    (False, {}, False, (False, "explicit-omit")),
    (True, {"visual_mode": "manual"}, True, (True, "explicit-request")),
    (True, {"visual_mode": "always"}, None, (True, "configured-always")),
    (False, {"visual_mode": "manual"}, None, (False, "configured-manual")),
]


@pytest.mark.parametrize(("semantic", "settings", "asked", "expected"), LOOKS, ids=[row[3][1] for row in LOOKS])
def test_the_pictures_of_a_look_travel_as_the_policy_says_and_are_kept_in_any_case(
    hands: Any,
    paper: PaperDesktop,
    semantic: bool,
    settings: dict[str, Any],
    asked: bool | None,
    expected: tuple[bool, str],
) -> None:
    paper.semantic = semantic
    hands.settings.update(settings)
    seen = hands("observe", title="form", screenshot=asked)
    told = seen["visualDelivery"]
    assert (told["delivered"], told["reason"]) == expected
    assert (told["next"] is None, told["fullScreenshotPreserved"]) == (expected[0], True)
    assert seen["screenshot"]["sha256"] in hands.kept
    assert DesktopObservation.model_validate(seen).shows() is expected[0]


def test_after_a_point_was_clicked_in_a_window_without_a_tree_the_change_is_shown(
    hands: Any, paper: PaperDesktop
) -> None:
    paper.semantic = False
    hands("observe", title="form")
    lit = hands("click", x=30, y=110, state=hands.state)
    assert lit["state"]["visualDelivery"]["reason"] == "sparse-action-fallback"
    assert DesktopAction.model_validate(lit).shows() is True
    hands.settings["visual_sparse_actions"] = False
    blind = hands("click", x=30, y=80, state=hands.state)
    assert blind["state"]["visualDelivery"]["reason"] == "action-result-fast-path"
    assert DesktopAction.model_validate(blind).shows() is False


def test_a_picture_that_fits_only_when_encoded_again_is_shown_encoded_again(
    hands: Any, paper: PaperDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = bytes(random.Random(1).choices((0, 1, 255), k=400 * 3 * 200)) + bytes(400 * 3 * 100)

    def capture(_: str | Box | None = None) -> Grab:
        return Grab(noise, 400, 300, (0, 0), 1.0, "screen")

    monkeypatch.setattr(paper, "capture", capture)
    hands.settings["screenshot_bytes"] = 65_536
    seen = hands("observe", screenshot=True)
    (one,) = seen["tiles"]
    assert (one["index"], one["x"], one["y"], one["image"]["width"], one["image"]["height"]) == (1, 0, 0, 400, 300)
    assert one["image"]["bytes"] <= 65_536 < seen["screenshot"]["bytes"]
    assert [ref.sha256 for ref in DesktopObservation.model_validate(seen).images()] == [one["image"]["sha256"]]


def test_a_picture_that_was_taken_comes_in_the_tiles_a_host_takes(hands: Any, paper: PaperDesktop) -> None:
    hands.settings["screenshot_side"] = 210
    taken = DesktopScreenshot.model_validate(hands("screenshot"))
    assert [(one.x, one.y) for one in taken.tiles] == [(0, 0), (0, 150), (200, 0), (200, 150)]
    assert (taken.images(), taken.shows()) == (tuple(one.image for one in taken.tiles), True)


def test_a_claim_about_pixels_that_fit_no_message_does_not_pass(hands: Any, paper: PaperDesktop) -> None:
    hands.settings.update(screenshot_side=210, screenshot_tiles=2)
    hands("observe", screenshot=True)
    claim = hands("assert", assertion="visual", expected="a form", actual="a form", passed=True)
    assert (claim["passed"], claim["error"]["code"]) == (False, "ASSERTION_UNSEEN")

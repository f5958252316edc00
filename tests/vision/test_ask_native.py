"""A reasoning model that sees gets the pictures; one that turns out not to gets evidence."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from scripted_model import drops_image, refuses, says

from deepseekeyes.core.errors import EyesError

pytestmark = pytest.mark.service

NO_EYES = "Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text`"


def sees(desk: Any, **more: Any) -> None:
    desk.routes["thinker"] = {"inputs": ["text", "image"], **more}


def parts(desk: Any, call: int = -1) -> list[dict[str, Any]]:
    content = desk.thinker.calls[call].body["messages"][-1]["content"]
    return content if isinstance(content, list) else []


def test_the_exact_picture_is_forwarded_without_any_eye(desk: Any) -> None:
    """Item 18, item 24: no probe, no evidence, no protocol, and no eye is needed."""
    sees(desk)
    desk.routes["eye"] = {"enabled": False}
    desk.thinker.script(says("A white rectangle."))
    picture = desk.picture()
    answer = desk.ask(picture, question="What is this?")
    assert (answer.answer, answer.mode, answer.evidence) == ("A white rectangle.", "native", ())
    sent = parts(desk)
    assert [part["type"] for part in sent] == ["image_url", "text"]
    encoded = sent[0]["image_url"]["url"].removeprefix("data:image/png;base64,")
    assert base64.b64decode(encoded) == Path(picture).read_bytes()
    assert (sent[1]["text"], "protocol" in desk.told()) == ("What is this?", False)
    assert [one.sha256 for one in answer.images()] == [hashlib.sha256(Path(picture).read_bytes()).hexdigest()]
    assert (answer.usage.final.total, answer.usage.total.total, len(desk.thinker.calls)) == (15, 15, 1)
    assert desk.usage() == [("final", "success")]


def test_a_picture_that_was_seen_natively_can_be_asked_about_again(desk: Any) -> None:
    sees(desk)
    desk.thinker.script(says("white"), says("64 by 40"))
    first = desk.ask(question="Which colour?")
    desk.door.piped = json.dumps(first.to_json()).encode()
    second = desk.ask("-", question="Which size?")
    assert (second.answer, desk.thinker.calls[1].images, second.images()) == ("64 by 40", 1, first.images())


def test_a_native_turn_is_counted_as_one(desk: Any) -> None:
    sees(desk)
    desk.thinker.script(says("white"))
    desk.ask()
    app = desk.app()
    counters = app.books.ledger.rows("usage", 1)[0].body["counters"]
    app.close()
    assert (counters["visualTurns"], counters["nativeVisualTurns"]) == (1, 1)
    assert "estimatedBridgeInputTokens" not in counters


def test_v33_a_route_that_refuses_the_picture_gets_evidence_in_the_same_turn(desk: Any) -> None:
    sees(desk)
    desk.reads("Total 42")
    desk.thinker.script(refuses(400, NO_EYES), says("42"))
    answer = desk.ask()
    assert (answer.answer, answer.mode, answer.route.id) == ("42", "reasoning", "thinker")
    assert [call.images for call in desk.thinker.calls] == [1, 0]
    assert [note for note in answer.notes if "NATIVE_IMAGE_REFUSED" in note] == list(answer.notes)
    assert len(answer.notes) == 1
    assert "skipped-open-circuit" not in [one.status for one in answer.attempts]


def test_a_stored_failed_verdict_sends_the_turn_over_the_bridge_and_says_so(desk: Any) -> None:
    """DECISIONS 11."""
    sees(desk, capabilities=["text_to_text", "image_to_evidence"])
    desk.settings |= {"vision.active_probe": True, "vision.failover_attempts": 0}
    desk.thinker.script(*(drops_image() for _ in range(3)))
    with pytest.raises(EyesError, match="probe picture"):
        desk.run("vision.read", images=[desk.picture()], route="thinker")
    desk.run("vision.routes", reset=True)
    desk.settings["vision.active_probe"] = False
    probed = len(desk.thinker.calls)
    desk.reads("Total 42")
    desk.thinker.script(*(says("42") for _ in range(desk.thinker.left + 1)))
    answer = desk.ask(route="eye")
    assert (answer.mode, desk.thinker.calls[probed].images, len(answer.notes)) == ("reasoning", 0, 1)


def test_more_pictures_than_the_route_takes_go_over_the_bridge(desk: Any) -> None:
    sees(desk, limits={"max_images": 1})
    desk.reads("alpha")
    desk.reads("beta")
    desk.thinker.script(says("both"))
    answer = desk.ask(desk.picture("a.png"), desk.picture("b.png", "red"))
    assert (answer.mode, desk.thinker.calls[0].images, len(answer.notes)) == ("reasoning", 0, 1)


def test_a_seeing_route_that_is_down_lets_an_ordered_text_route_answer_from_evidence(desk: Any) -> None:
    sees(desk)
    desk.routes["second"] = desk.thinker.fields(capabilities=["text_to_text"], inputs=["text"], model="second")
    desk.settings |= {"vision.reasoning_route": "thinker", "vision.reasoning_priority": ["second"]}
    desk.reads("Total 42")
    desk.thinker.script(refuses(500), says("42"))
    answer = desk.ask()
    assert (answer.answer, answer.mode, answer.route.id, answer.route.asked) == ("42", "reasoning", "second", False)
    assert [call.images for call in desk.thinker.calls] == [1, 0]


def test_a_seeing_route_that_is_down_with_nobody_after_it_fails(desk: Any) -> None:
    sees(desk)
    desk.thinker.script(refuses(500))
    assert (desk.failure().code.name, desk.eye.calls) == ("ENGINE_SERVER_ERROR", [])

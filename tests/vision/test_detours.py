"""What people are told when another route than theirs served, and what stays on record when they gave up."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scripted_model import refuses, says

from deepseekeyes.core.errors import EyesError

pytestmark = pytest.mark.service

OTHER = "Route eye, which was asked for, {why}: spare read the picture instead."


@pytest.fixture
def spare(desk: Any) -> Any:
    """A desk with a second eye at the reasoning model's endpoint."""
    desk.routes["spare"] = desk.thinker.fields(
        capabilities=["image_to_evidence"], coordinates="normalized", model="other"
    )
    return desk


@pytest.mark.parametrize("asked", ["eye", "eye/m"])
def test_a_route_that_was_asked_for_and_failed_is_named_to_people(spare: Any, asking: Any, asked: str) -> None:
    spare.eye.script(refuses(500, "boom"))
    spare.thinker.script(says(asking.base("alpha")))
    record = spare.run("vision.read", images=[spare.picture()], route=asked)
    assert (record.route.id, spare.door.notes) == ("spare", [OTHER.format(why="failed [ENGINE_SERVER_ERROR]")])


def test_a_route_that_was_asked_for_and_rests_is_named_once_for_all_pictures(spare: Any, asking: Any) -> None:
    spare.eye.script(refuses(500, "boom"))
    spare.thinker.script(*[says(asking.base("alpha"))] * 3)
    spare.run("vision.read", images=[spare.picture()])
    assert spare.door.notes == []
    pictures = [spare.picture("b.png", "red"), spare.picture("c.png", "blue")]
    assert spare.run("vision.read", images=pictures, route="eye").succeeded == 2
    assert spare.door.notes == [OTHER.format(why="rests")]


def test_a_route_that_was_asked_for_and_serves_needs_no_word(spare: Any, asking: Any) -> None:
    spare.eye.script(says(asking.base("alpha")))
    spare.run("vision.read", images=[spare.picture()], route="eye")
    assert spare.door.notes == []


def test_a_look_that_was_given_up_tells_what_it_tried(desk: Any) -> None:
    desk.settings["vision.look_timeout_ms"] = 1000
    desk.eye.script(says("late", hold_before=True))
    with pytest.raises(EyesError) as caught:
        desk.run("vision.look", image=desk.picture(), question="What is written there?")
    details = caught.value.details
    tried = [(one["route"], one["phase"], one["status"], one["errorCode"]) for one in details["attempts"]]
    assert (caught.value.code.name, tried[-1]) == (
        "LOOK_TIMEOUT",
        ("eye", "operation", "aborted", "INVOCATION_ABORTED"),
    )
    assert [row.status for row in desk.run("vision.attempts").items if row.phase == "operation"] == ["aborted"]
    assert {row.circuit for row in desk.run("vision.routes").items} == {"closed"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking it")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_reading_that_is_interrupted_is_on_record_and_the_route_does_not_rest(
    desk: Any, home: Path, number: signal.Signals
) -> None:
    desk.eye.script(says("late", hold_before=True))
    desk.write_config()
    words = [sys.executable, "-m", "deepseekeyes", "vision", "read", desk.picture(), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        desk.eye.called.acquire()
        process.send_signal(number)
        document = json.loads(process.stdout.read())
    assert (process.returncode, document["error"]["code"]) == (130, "INTERRUPTED")
    [row] = [one for one in desk.run("vision.attempts").items if one.phase == "operation"]
    assert (row.route, row.status, row.error_code) == ("eye", "aborted", "INVOCATION_ABORTED")
    assert desk.usage() == [("base", "failed")]
    assert {one.circuit for one in desk.run("vision.routes").items} == {"closed"}

"""`vision routes`: who may serve, who rests, who is left out, and how a circuit is closed by hand."""

from __future__ import annotations

from typing import Any

import pytest
from scripted_model import refuses, says

from deepseekeyes.cli.main import run
from deepseekeyes.core.errors import EyesError

REASONING = "text_to_text"


def seen(listed: Any) -> list[tuple[str, int | None, str]]:
    return [(one.id, one.position, one.circuit) for one in listed.items]


def test_eyes_and_models_that_answer_are_listed_apart(desk: Any) -> None:
    assert seen(desk.run("vision.routes")) == [("eye", 1, "closed"), ("local", None, "closed")]
    answering = seen(desk.run("vision.routes", capability=REASONING))
    assert answering[0] == ("thinker", 1, "closed")
    assert "eye" not in [name for name, *_ in answering]


def test_the_command_line_lists_both(desk: Any, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write_config()
    for words, first in ((), "eye"), (("--reasoners",), "thinker"):
        assert run(["vision", "routes", *words, "--text"]) == 0
        assert first in capsys.readouterr().out.split("left out")[0]


def test_a_reset_closes_the_circuit_of_whatever_route_is_named(desk: Any) -> None:
    desk.reads("a")
    desk.thinker.script(refuses(500))
    desk.failure()
    assert seen(desk.run("vision.routes", capability=REASONING))[0] == ("thinker", 1, "open")
    desk.run("vision.routes", route="eye", reset=True)
    assert seen(desk.run("vision.routes", capability=REASONING))[0] == ("thinker", 1, "open")
    desk.run("vision.routes", route="thinker", reset=True)
    assert seen(desk.run("vision.routes", capability=REASONING))[0] == ("thinker", 1, "closed")


def test_a_route_that_was_named_is_listed_even_when_it_is_no_eye(desk: Any) -> None:
    listed = {one.id: one for one in desk.run("vision.routes", route="thinker").items}
    assert (listed["thinker"].position, "image_to_evidence" in listed["thinker"].reason) == (None, True)


def test_a_name_of_no_route_is_refused(desk: Any) -> None:
    with pytest.raises(EyesError) as caught:
        desk.run("vision.routes", route="nobody", reset=True)
    assert caught.value.code.name == "ROUTE_NOT_FOUND"


@pytest.mark.parametrize(
    ("pages", "health"),
    [
        ({}, "healthy, lists the model"),
        ({"/v1/models": refuses(401)}, "ENGINE_AUTH"),
        ({"/health": refuses(503, "Loading model")}, "ENGINE_LOADING"),
    ],
)
def test_a_check_asks_each_endpoint_now(desk: Any, pages: dict[str, Any], health: str) -> None:
    desk.eye.pages.update(pages)
    [row] = [one for one in desk.run("vision.routes", check=True).items if one.id == "eye"]
    assert (row.health or "").startswith(health)
    assert desk.eye.calls == []


def test_what_a_check_saw_is_still_shown_without_asking_again(desk: Any) -> None:
    desk.run("vision.routes", check=True)
    asked = len(desk.eye.requests)
    [row] = [one for one in desk.run("vision.routes").items if one.id == "eye"]
    assert (row.health, len(desk.eye.requests)) == ("up", asked)


def test_a_resting_eye_says_when_it_returns(desk: Any) -> None:
    desk.eye.script(refuses(429, headers={"retry-after": "90"}), says("never"))
    desk.failure()
    [row] = [one for one in desk.run("vision.routes").items if one.id == "eye"]
    assert (row.circuit, 80 < (row.returns_in_seconds or 0) <= 90) == ("open", True)

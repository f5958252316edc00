"""Windows of five toolkits, looked at and driven by commands: every effect is told by the program itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from desktop_driving import Hands
from desktop_session import PROGRAMS, SYSTEM_PYTHON, DesktopSession, Program, desktop_session

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]

TEXT = "Zoë 你好 😀 {x}~@"
FORCED = "--force-renderer-accessibility"


def named(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Elements of an observation by their name."""
    return [row for row in document["elements"] if row["name"] == name]


def open_form(desktop: DesktopSession, toolkit: str) -> Program:
    if toolkit == "chromium":
        return desktop.chromium(PROGRAMS / "page.html", "chromium form", FORCED)
    return desktop.run(toolkit)


def greeted(program: Program, toolkit: str, text: str) -> None:
    if toolkit != "chromium":
        program.tells("greet", value=text)


@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4", "qt6", "chromium"])
def test_a_form_is_filled_and_answers_by_its_tree(hands: Hands, toolkit: str) -> None:
    program = open_form(hands.desktop, toolkit)
    title = ("--title", f"{toolkit} form")
    state = hands("wait", "--until", "visible", *title, "--role", "push_button", "--name", "Greet")
    (field,) = [row for row in named(state, "Name") if row["editable"]]
    typed = hands("type", "--ref", field["ref"], "--state", state["stateId"], "--value", TEXT)
    assert (typed["verdict"], typed["facts"]["textLength"]) == ("verified", len(TEXT))
    clicked = hands("click", *title, "--role", "push_button", "--name", "Greet")
    greeted(program, toolkit, TEXT)
    assert clicked["verdict"] == "verified"
    ticked = hands("click", *title, "--role", "check_box", "--name", "Agree")
    (box,) = [row for row in named(ticked["state"], "Agree") if row["role"] == "check_box"]
    assert (ticked["verdict"], box["checked"]) == ("verified", True)
    hands("assert", "element_exists", *title, "--with-text", f"Hello {TEXT}")
    report = hands("report")
    assert report["summary"]["passed"]


def test_a_launched_qt_program_tells_its_tree_where_no_assistive_program_is_in_use(
    hands: Hands, tmp_path: Path
) -> None:
    script = tmp_path / "form"
    script.write_text(f"#!/bin/sh\nexec {SYSTEM_PYTHON} {PROGRAMS / 'qt6.py'} --title 'qt6 form'\n", encoding="utf-8")
    script.chmod(0o755)
    with desktop_session(assistive=False) as plain:
        plain.display.move_pointer(1000, 700)
        launched = Hands(plain, hands.home)("launch", str(script), "--allow-launch")
        assert launched["verdict"] == "verified"
        seen = Hands(plain, hands.home)("wait", "--until", "visible", "--role", "push_button", "--name", "Greet")
        assert seen["semanticStatus"]["quality"] == "available"

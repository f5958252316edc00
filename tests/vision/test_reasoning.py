"""What a reply means: an answer, a request, or neither."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.contracts.evidence import Region
from deepseekeyes.vision.reasoning import Malformed, Reply, Request, read_decision

HASH = "ab" * 32
OPEN, CLOSE = "<deepseekeyes-request>", "</deepseekeyes-request>"


def wrapped(body: Any) -> str:
    return f"{OPEN}{body if isinstance(body, str) else json.dumps(body)}{CLOSE}"


def asked(**more: Any) -> dict[str, Any]:
    return {"imageSha256": HASH, "question": "How many?", **more}


def region(*sides: float) -> dict[str, float]:
    return dict(zip(("x", "y", "width", "height"), sides, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        wrapped(asked()),
        f"\n\n  {wrapped(asked())}\n",
        wrapped(f"\n```json\n{json.dumps(asked())}\n```\n"),
        f"```\n{wrapped(asked())}\n```",
        f"<think>I need {OPEN} now</think>\n{wrapped(asked())}",
        wrapped(asked(question="  How many?  ", more="ignored")),
        wrapped(asked(region=None)),
    ],
)
def test_a_whole_reply_is_a_request(text: str) -> None:
    assert read_decision(text, [HASH]) == Request(HASH, "How many?")


def test_a_region_travels_without_its_further_keys() -> None:
    told = {**region(0.5, 0, 0.5000001, 1), "unit": "fraction"}
    assert read_decision(wrapped(asked(region=told)), [HASH]) == Request(
        HASH, "How many?", Region(x=0.5, y=0, width=0.5000001, height=1)
    )


@pytest.mark.parametrize(
    "body",
    [
        asked(imageSha256="cd" * 32),
        asked(imageSha256=None),
        asked(imageSha256=HASH.upper()),
        asked(question=""),
        asked(question=" \n"),
        asked(question="x" * 2001),
        asked(question=7),
        asked(region=[0, 0, 1, 1]),
        asked(region=region(0, 0, 1, 1.1)),
        asked(region=region(-0.1, 0, 1, 1)),
        asked(region=region(0, 0, 0, 1)),
        asked(region=region(0.6, 0, 0.5, 1)),
        asked(region={"x": 0, "y": 0, "width": 1}),
        asked(region={"x": True, "y": 0, "width": 1, "height": 1}),
        {},
    ],
)
def test_a_request_that_asks_for_nothing_usable_is_malformed(body: dict[str, Any]) -> None:
    decision = read_decision(wrapped(body), [HASH])
    assert isinstance(decision, Malformed)
    assert decision.code.name == "INVALID_VISION_REQUEST"


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"question": NaN}', "[" * 2000, "x" * 20_001])
def test_a_request_that_is_no_json_object_is_malformed_output(body: str) -> None:
    decision = read_decision(wrapped(body), [HASH])
    assert isinstance(decision, Malformed)
    assert decision.code.name == "INVALID_MODEL_OUTPUT"


@pytest.mark.parametrize(
    "text",
    [
        f"I need one more look.\n{wrapped(asked())}",
        f"{wrapped(asked())}\nThanks.",
        f"{wrapped(asked())}\n{wrapped(asked())}",
        f"{OPEN}{json.dumps(asked())}",
    ],
)
def test_words_beside_a_request_are_malformed(text: str) -> None:
    assert isinstance(read_decision(text, [HASH]), Malformed)


@pytest.mark.parametrize(
    "text",
    [
        f"The tag is `{OPEN}`.",
        f"{OPEN} is how a private request begins.",
        f"Here is one:\n```\n{wrapped(asked())}\n```\nNothing else.",
        f"It reads {wrapped(asked())} in one line.",
        f"An example:\n{wrapped(asked(imageSha256='HASH'))}",
        f"{CLOSE} closes it",
        "<DeepSeekEyes-Request>{}</DeepSeekEyes-Request>",
    ],
)
def test_a_quoted_tag_is_an_answer(text: str) -> None:
    assert read_decision(text, [HASH]) == Reply(text)


def test_thoughts_are_no_part_of_an_answer() -> None:
    assert read_decision("<think>\nhm\n</think>\n\n 42 \n", [HASH]) == Reply("42")


@given(st.text(max_size=300))
def test_every_text_without_the_tag_is_an_answer(text: str) -> None:
    assert isinstance(read_decision(text, [HASH]), Reply)


@given(st.lists(st.sampled_from([OPEN, CLOSE, "{", "}", '"', "a", "\n", "```", " "]), max_size=30))
def test_no_reply_is_beyond_understanding(pieces: list[str]) -> None:
    assert isinstance(read_decision("".join(pieces), [HASH]), Reply | Malformed)

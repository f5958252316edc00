"""What of a reply is shown while it arrives."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.vision.speech import AGAIN, Speech
from deepseekeyes.vision.thoughts import split_thoughts

REQUEST = "<deepseekeyes-request>" + json.dumps({"imageSha256": "ab" * 32, "question": "?"}) + "</deepseekeyes-request>"


def heard(text: str, *, answer: bool, size: int = 3, guarded: bool = True) -> list[str]:
    shown: list[str] = []
    speech = Speech(shown.append, guarded=guarded)
    for at in range(0, len(text), size):
        speech.hear(text[at : at + size])
    speech.end(answer=answer)
    return shown


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The total is 42.", "The total is 42."),
        ("  \n42\n", "42"),
        ("<think>private</think>\n\n42", "42"),
        ("<think>a</think><think>b</think>42", "42"),
        ("[1] is the first", "[1] is the first"),
        ("<b>bold</b>", "<b>bold</b>"),
        ("<", "<"),
        ("```json\n{}\n```", "```json\n{}\n```"),
        ("it ends with <deepseek", "it ends with <deepseek"),
        ("The tag `<deepseekeyes-request>` is private.", "The tag `<deepseekeyes-request>` is private."),
        ("<think>never ends", ""),
    ],
)
def test_an_answer_is_shown_without_its_thoughts(text: str, shown: str, size: int) -> None:
    assert "".join(heard(text, answer=True, size=size)) == shown


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("text", [REQUEST, f"\n {REQUEST}\n", f"```\n{REQUEST}\n```", f"<think>x</think>{REQUEST}"])
def test_nothing_of_a_request_is_shown(text: str, size: int) -> None:
    assert heard(text, answer=False, size=size) == []


def test_an_answer_is_shown_while_it_arrives_and_held_only_where_a_tag_may_begin() -> None:
    shown: list[str] = []
    speech = Speech(shown.append, guarded=True)
    for piece in ("The ", "sign is <", "= 3", " and <deep", "seekeyes-request> too"):
        speech.hear(piece)
    assert shown == ["The", " sign is", " <= 3", " and"]
    speech.end(answer=True)
    assert "".join(shown) == "The sign is <= 3 and <deepseekeyes-request> too"


def test_words_before_a_request_are_taken_back() -> None:
    shown = heard(f"Let me look.\n{REQUEST}", answer=False, size=1000)
    assert shown == ["Let me look.", AGAIN]


def test_a_repetition_starts_over() -> None:
    shown: list[str] = []
    speech = Speech(shown.append, guarded=True)
    speech.restart()
    speech.hear("The tot")
    speech.restart()
    speech.hear("The total is 42.")
    speech.end(answer=True)
    assert shown == ["The tot", AGAIN, "The total is 42."]


@given(st.text(alphabet="ab <>\n`", max_size=60), st.integers(1, 9))
def test_what_is_shown_is_the_text_however_it_is_cut(text: str, size: int) -> None:
    assert "".join(heard(text, answer=True, size=size)) == text.strip()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("42", "42"),
        ("<think>a</think>42", "42"),
        (" <thinking>a</thinking> 42", " 42"),
        ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>42", "42"),
        ("all of this was thought</think>42", "42"),
        ("The mark `</think>` ends it", "The mark `</think>` ends it"),
        ("42 <think>no</think>", "42 <think>no</think>"),
        ("<think>never", ""),
    ],
)
def test_thoughts_are_told_from_the_answer(text: str, answer: str) -> None:
    assert split_thoughts(text)[0] == answer

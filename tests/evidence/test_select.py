"""Finding the evidence object in what a model wrote."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples, sized

from deepseekeyes.core.errors import EyesError
from deepseekeyes.evidence.bounds import AnswerBounds
from deepseekeyes.evidence.select import select

V1 = "deepseekeyes.evidence.v1"
FINAL = '{"summary":"final"}'
DRAFT = '{"summary":"draft"}'


def chosen(text, variant="base"):
    return select(text, variant).value


def code(text, variant="base", **options):
    with pytest.raises(EyesError) as caught:
        select(text, variant, **options)
    return caught.value.code.name


@pytest.mark.parametrize(
    "text",
    [
        FINAL,
        f"\ufeff {FINAL}\n",
        f"```json\n{FINAL}\n```",
        f"```JSON\r\n{FINAL}\r\n```",
        f"```\n{FINAL}\n```",
        f"```json {FINAL}```",
        f"``` {FINAL} ```",
        f"~~~json\n{FINAL}\n~~~",
        f"```json5\n{FINAL}\n```",
        f"Here you are:\n```json\n{FINAL}\n```\nAnything else?",
        f"Sure! {FINAL} Hope this helps {{smile}}",
        f"}} {FINAL}",
        f'The 24" screen shows this: {FINAL}',
        f"It's {{ unmatched, \"quoted {FINAL}",
        f"{{not json}} {FINAL}",
        f'{{"bad": oops, "inner": {FINAL}}}',
        f"<|begin_of_box|>{FINAL}<|end_of_box|>",
        f"<answer>{FINAL}</answer><|im_end|>",
        f"[{DRAFT},{FINAL}]",
        f"{DRAFT}\n{FINAL}",
        f"{FINAL}\n{{}}",
    ],
)
def test_wrapping_does_not_hide_the_object(text):
    assert chosen(text) == {"summary": "final"}


@pytest.mark.parametrize("fence", ["```json", "```", "```JSON", "``` json"])
def test_j01_fences_are_stripped_whoever_wrote_them(fence):
    body = json.dumps({"schemaVersion": V1, "summary": "final"}, indent=2)
    assert chosen(f"{fence}\n{body}\n```") == {"schemaVersion": V1, "summary": "final"}


def test_j03_candidates_are_found_in_reasoning_prose_before_a_fence():
    text = f'First I see {{a dialog}}. My draft is {DRAFT}, but the "title" is cut.\n```json\n{FINAL}\n```'
    assert chosen(text) == {"summary": "final"}


TAGS = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<THINK>", "</Think>"),
    ('<think type="long">', "</think >"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<analysis>", "</analysis>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("<ns.x:thinking>", "</ns.x:thinking>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<unused94>thought\n", "<unused95>"),
]


@pytest.mark.parametrize(("opening", "closing"), TAGS)
def test_j07_a_closed_thought_never_wins(opening, closing):
    rich = json.dumps({"schemaVersion": V1, "summary": "draft", "ocr": [], "regions": []})
    assert chosen(f"{opening} maybe {rich} {closing}{FINAL}") == {"summary": "final"}
    assert chosen(f"{opening}{closing}{FINAL}") == {"summary": "final"}
    assert chosen(f"{FINAL}{opening}{rich}{closing}") == {"summary": "final"}


@pytest.mark.parametrize(("opening", "closing"), TAGS)
def test_j05_only_thoughts_are_no_answer(opening, closing):
    rich = json.dumps({"schemaVersion": V1, "summary": "draft"})
    assert code(f"{opening}{rich}") == "NO_ANSWER"
    assert code(f"{opening}{rich}{closing}") == "NO_ANSWER"
    assert code(f"{opening} and so on") == "NO_ANSWER"
    assert code(f"Well. {opening} {rich}") == "NO_ANSWER"


@pytest.mark.parametrize("closing", ["</think>", "</thinking>", "[/THINK]", "◁/think▷"])
def test_a_thought_whose_opening_was_part_of_the_prompt_never_wins(closing):
    assert chosen(f'I think {{"schemaVersion":"{V1}","summary":"draft"}}\n{closing}\n\n{FINAL}') == {"summary": "final"}
    assert code(f"{DRAFT}{closing}") == "NO_ANSWER"


def test_nested_thoughts_never_win():
    text = f"<think>a<reflection>b {DRAFT}</reflection> c {DRAFT}</think>{FINAL}"
    assert chosen(text) == {"summary": "final"}


@pytest.mark.parametrize("word", ["<think>", "</think>", "<|channel|>", "[/THINK]", "```", '\\"', "{", "}"])
def test_marks_inside_of_a_string_are_only_text(word):
    text = f'{{"summary":"the page shows {word} here"}}'
    assert chosen(text) == json.loads(text)
    assert chosen(f"Here: {text} done") == json.loads(text)


def test_an_empty_self_closing_mark_opens_nothing():
    assert chosen(f"<think/>{FINAL}") == {"summary": "final"}


@pytest.mark.parametrize(
    "text", ["", "  \n\t", "\ufeff", "I cannot see the picture.", "null", "[1,2]", '"x"', "{'a': 1}"]
)
def test_a_text_without_an_object_is_invalid_output(text):
    assert code(text) == "INVALID_MODEL_OUTPUT"


def test_prose_after_thoughts_is_invalid_output():
    assert code("<think>hm</think>I cannot see the picture.") == "INVALID_MODEL_OUTPUT"


# The order of choice


def test_a_whole_object_is_taken_whatever_it_holds():
    assert chosen('{"schemaVersion":"other","x":1}') == {"schemaVersion": "other", "x": 1}
    assert chosen(f'{{"result":{FINAL}}}') == {"result": {"summary": "final"}}


def test_the_last_object_with_the_version_wins_over_richer_ones():
    versioned = f'{{"schemaVersion":"{V1}"}}'
    rich = '{"summary":"s","ocr":[],"regions":[],"objects":[]}'
    later = f'{{"schemaVersion":"{V1}","summary":"later"}}'
    assert chosen(f"x {later} {versioned} {rich}") == {"schemaVersion": V1}
    assert chosen(f"x {versioned} {later} {rich}") == {"schemaVersion": V1, "summary": "later"}


def test_without_a_version_the_most_fields_win_and_the_later_among_equals():
    rich = '{"summary":"rich","ocr":[]}'
    assert chosen(f"x {rich} {FINAL}") == {"summary": "rich", "ocr": []}
    assert chosen(f"x {DRAFT} {FINAL}") == {"summary": "final"}
    assert chosen('x {"a":1} {"b":2}') == {"b": 2}


def test_the_fields_that_count_are_those_of_the_variant():
    text = 'x {"answer":"a","observations":[]} {"summary":"s","regions":[],"objects":[]}'
    assert chosen(text, "target") == {"answer": "a", "observations": []}
    assert chosen(text, "base") == {"summary": "s", "regions": [], "objects": []}


# What is cut or broken


@pytest.mark.parametrize(
    "tail",
    [
        '"ocr":[{"text":"a","bbox":[0,0,1,1],"confidence":1},{"text":"b',
        '"ocr":[{"text":"a","bbox":[0,0,1,1],"confidence":1},',
        '"ocr":[{"text":"a","bbox":[0,0,1,1],"confidence":1}]',
        '"ocr":[{"text":"a","bbox":[0,0,1,1],"confidence":0.',
        '"ocr":[{"text":"a","bbox":[0,0,1,1],"confidence":1}],"regions":nul',
        '"ocr":[{"text":"a","bbox":[0,0,1,1],"confidence":1}],"x":"\\u00',
    ],
)
@pytest.mark.parametrize("lead", ["", "Here: ", "```json\n", f"Draft {DRAFT} then ", "<think>hm</think>"])
def test_cut_json_never_yields_one_of_its_pieces(lead, tail):
    assert code(f'{lead}{{"summary":"s",{tail}') == "INVALID_MODEL_OUTPUT"


def test_a_broken_evidence_object_does_not_hand_the_word_to_a_piece_or_to_an_earlier_draft():
    broken = '{"summary":"s","note":{"summary":"inner"},oops}'
    assert code(broken) == "INVALID_MODEL_OUTPUT"
    assert code(f"Draft {DRAFT}. Final: {broken}") == "INVALID_MODEL_OUTPUT"
    assert chosen(f"Draft {broken}. Final: {FINAL}") == {"summary": "final"}


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("NaN", "NaN"),
        ("Infinity", "Infinity"),
        ("-Infinity", "-Infinity"),
        ("1e999", "1e999"),
        ("-1e999", "-1e999"),
        ("1" + "0" * 400, "finite"),
        ("9" * 5000, "finite"),
    ],
)
@pytest.mark.parametrize("wrap", ["{}", "Here: {} ok"])
def test_j09_numbers_that_are_none_are_refused_at_parse(number, reason, wrap):
    text = wrap.replace("{}", f'{{"summary":"s","ocr":[{{"text":"a","bbox":[0,0,1,1],"confidence":{number}}}]}}')
    with pytest.raises(EyesError) as caught:
        select(text, "base")
    assert caught.value.code.name == "INVALID_MODEL_OUTPUT"
    assert reason in caught.value.message
    assert len(caught.value.message) < 300


def test_nan_as_a_string_is_left_for_validation():
    assert chosen('{"summary":"s","ocr":[{"confidence":"NaN"}]}')["ocr"] == [{"confidence": "NaN"}]


@pytest.mark.parametrize("text", ['{"summary":"a","summary":"b"}', 'x {"summary":"s","ocr":[{"text":"a","text":"a"}]}'])
def test_a_key_that_stands_twice_is_refused(text):
    with pytest.raises(EyesError) as caught:
        select(text, "base")
    assert caught.value.code.name == "INVALID_MODEL_OUTPUT"
    assert "twice" in caught.value.message


def test_large_integers_keep_the_value_of_a_double():
    assert chosen('{"summary":"s","n":[9007199254740992,123456789012345678901234567890]}')["n"] == [
        9007199254740992,
        1.2345678901234568e29,
    ]


# Bounds


def test_a_text_over_the_limit_is_refused_with_the_limit():
    with pytest.raises(EyesError) as caught:
        select("x" * 101, "base", bounds=AnswerBounds(chars=100))
    assert caught.value.code.name == "MODEL_OUTPUT_TOO_LARGE"
    assert caught.value.details == {
        "limit": {"name": "characters of an answer", "value": 100, "setting": "vision.answer_max_chars"}
    }
    assert code('{"summary":"' + "x" * 20_000_000 + '"}') == "MODEL_OUTPUT_TOO_LARGE"


@pytest.mark.parametrize("depth", [40, 2000, 200_000])
@pytest.mark.parametrize("lead", ["", "x "])
def test_deep_nesting_is_refused_without_a_stack_overflow(lead, depth):
    assert code(lead + '{"summary":' + '{"a":' * depth + "1" + "}" * depth + "}") == "INVALID_MODEL_OUTPUT"
    assert code(lead + '{"summary":' + "[" * depth + "]" * depth + "}") == "INVALID_MODEL_OUTPUT"
    assert code(lead + '{"a":' * depth) == "INVALID_MODEL_OUTPUT"


SWAPPED = '{"k":' + '":{",' * sized(60_000)


@pytest.mark.parametrize(
    "text",
    [
        "{" * sized(1_000_000),
        '{"' * sized(400_000),
        '{"a":' * sized(100_000),
        '{"a":[' * sized(100_000),
        '{"a":"' * sized(150_000),
        '{"summary":"' + "{" * sized(900_000),
        '{ "x":1, ' * sized(100_000),
        '{"a":1} ' * sized(60_000) + '{"answer":',
        '{"k":"{",":":"{",' * sized(50_000),
        SWAPPED,
        "<think>" * sized(100_000),
        "<think></think>" * sized(60_000),
        "</think>" * sized(100_000),
        "<think " * sized(100_000),
        "<|channel|>analysis" * sized(50_000),
        "```" * sized(300_000),
        "{" + " " * sized(900_000) + "x",
        ("{" + " " * sized(1000)) * 900,
        '"bbox": <|det|>' + "[" * sized(500_000),
        '"bbox": <box>1' * sized(60_000),
    ],
    ids=range(20),
)
def test_hostile_texts_take_bounded_time(text):
    started = time.process_time()
    with pytest.raises(EyesError) as caught:
        select(text + " end", "target")
    assert caught.value.code.name in {"INVALID_MODEL_OUTPUT", "NO_ANSWER"}
    assert time.process_time() - started < 15


@examples(300)
@given(st.text(alphabet='{}[]":,\\ \n<>/think01eE+-.aZ`|\ufeff\ud800', max_size=60))
def test_any_text_ends_in_an_object_or_in_a_code(text):
    try:
        outcome = type(select(text, "base").value).__name__
    except EyesError as error:
        outcome = error.code.name
    assert outcome in {"dict", "INVALID_MODEL_OUTPUT", "NO_ANSWER"}


WORDS = st.text(alphabet=st.characters(exclude_characters="{}<>◁▷[]", exclude_categories=("Cs",)), max_size=40)


@examples(150)
@given(before=WORDS, after=WORDS, summary=st.text(st.characters(exclude_categories=("Cs",)), max_size=30))
def test_prose_around_an_object_never_changes_it(before, after, summary):
    document = {"schemaVersion": V1, "summary": summary}
    assert chosen(before + json.dumps(document, ensure_ascii=False) + after) == document

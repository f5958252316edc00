"""Names, selectors, risk, schemas, budgets and templates: the pure rules."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.catalog import admit
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.exposure import Source, expose
from deepseekeyes.mcp.measure import Meter, text_size, tool_bounds
from deepseekeyes.mcp.naming import public_name
from deepseekeyes.mcp.references import Unusable, for_model, has_references
from deepseekeyes.mcp.risk import classify, permitted
from deepseekeyes.mcp.selectors import content_names, decide, matches, tool_names
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.mcp.surface import estimate_tokens, visible
from deepseekeyes.mcp.templates import fits


@pytest.mark.parametrize(
    ("server", "raw", "public"),
    [
        ("git", "search", "mcp__git__search"),
        ("git", "read.file", "mcp__git__read_file_4e0f466da5e7"),
        ("git", "a b", "mcp__git__a_b_aff728b9a6bb"),
        ("git", "名前", "mcp__git_____c2e85ce4efcf"),
        ("a" * 32, "b" * 25, f"mcp__{'a' * 32}__{'b' * 25}"),
        ("a" * 32, "b" * 26, f"mcp__{'a' * 32}__{'b' * 12}_2eabdc776bec"),
    ],
)
def test_public_names_keep_their_golden_values(server, raw, public):
    assert public_name(server, raw) == public
    assert len(public) <= 64


@given(st.text(min_size=1), st.text(min_size=1))
def test_public_names_are_safe_and_only_equal_for_equal_names(one, other):
    first, second = public_name("s", one), public_name("s", other)
    assert len(first) <= 64
    assert all(letter.isascii() and (letter.isalnum() or letter in "_-") for letter in first)
    assert (first == second) == (one == other)


@pytest.mark.parametrize(
    ("selector", "text", "fit"),
    [
        ("read_*", "read_a", True),
        ("read_?", "read_ab", False),
        ("READ_*", "read_a", False),
        ("re[ad]", "read", False),
        ("re[ad]", "re[ad]", True),
        ("a*b", "a/b", True),
        ("*", "", True),
        ("?", "", False),
        ("**a", "xxa", True),
        ("a.c", "abc", False),
        ("", "", True),
    ],
)
def test_selectors_are_anchored_globs_of_two_signs(selector, text, fit):
    assert matches(selector, text) is fit


def test_a_selector_of_many_stars_is_fast():
    assert not matches("*a" * 200, "b" * 20_000)


@given(st.text(alphabet="ab*?", max_size=8), st.text(alphabet="ab", max_size=8))
def test_selectors_agree_with_a_regular_expression(selector, text):
    import re

    pattern = "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in selector)
    assert matches(selector, text) is (re.fullmatch(pattern, text, re.DOTALL) is not None)


@pytest.mark.parametrize("selector", ["read", "git/read", "Git Hub/read", "mcp__git__read", "git/mcp__git__read"])
def test_a_tool_goes_by_six_names(selector):
    assert decide(tool_names("git", "Git Hub", "read", "mcp__git__read"), [selector], []).allowed


def test_denial_wins_and_an_empty_allow_list_admits_nothing():
    assert decide(["a"], ["a"], ["a*"]).reason == "denylist"
    assert decide(["a"], [], []).reason == "not-allowlisted"
    assert decide(content_names("s", "S", "notes://a/b"), ["notes://*"], []).allowed
    assert not decide(content_names("s", "S", "notes://5"), ["notes://{id}"], []).allowed


@pytest.mark.parametrize(
    ("annotations", "risk"),
    [
        ({"destructiveHint": True, "readOnlyHint": True}, "destructive"),
        ({"readOnlyHint": True}, "read"),
        ({"readOnlyHint": True, "destructiveHint": False}, "read"),
        ({"readOnlyHint": False}, "write"),
        ({"destructiveHint": False}, "unknown-write"),
        ({"readOnlyHint": "yes"}, "unknown-write"),
        ({"readOnlyHint": 1}, "unknown-write"),
        ({}, "unknown-write"),
        (None, "unknown-write"),
        (["readOnlyHint"], "unknown-write"),
    ],
)
def test_risk_comes_from_real_booleans_only(annotations, risk):
    found = classify(annotations)
    assert (found.risk, found.requires_approval) == (risk, risk != "read")
    assert permitted("allow", found)
    assert permitted("read-only", found) is (risk == "read")


def test_only_the_four_hints_are_kept():
    found = classify({"title": "x" * 1_000_000, "openWorldHint": True, "vendor": True, "idempotentHint": 1})
    assert (found.annotations, found.open_world, found.idempotent) == ({"openWorldHint": True}, True, False)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(st.text())
def test_text_size_is_that_of_compact_json(text):
    body = json.dumps(text, ensure_ascii=False).replace("\x7f", "\x7f")
    encoded = body.encode()
    assert text_size(text) == (len(body.encode("utf-16-le")) // 2, len(encoded))


@given(JSON)
def test_the_meter_counts_what_canonical_text_holds(value):
    from deepseekeyes.core.canonical import canonical

    meter = Meter(tool_bounds(McpSettings()))
    meter.add(value)
    text = canonical(value)
    assert (meter.chars, meter.bytes) == (len(text.encode("utf-16-le")) // 2, len(text.encode()))


def test_a_lone_surrogate_counts_as_its_escape():
    assert text_size("\ud800") == (8, 8)


SCHEMAS = st.recursive(
    st.sampled_from(
        [{"type": "string"}, {"$ref": "#/$defs/A"}, {"$ref": "#"}, {"$ref": "#/nowhere"}, {"$ref": "http://x/y"}, {}]
    ),
    lambda inner: (
        st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.dictionaries(st.sampled_from(["a", "$ref", "$defs"]), inner, max_size=2),
            }
        )
        | st.fixed_dictionaries({"anyOf": st.lists(inner, max_size=2)})
        | st.fixed_dictionaries({"$ref": st.just("#/$defs/A"), "description": st.just("d"), "type": st.just("object")})
    ),
    max_leaves=6,
)


@given(SCHEMAS, SCHEMAS)
def test_m13_what_a_model_sees_has_no_reference_left(properties, definition):
    schema = {"type": "object", "properties": {"p": properties}, "$defs": {"A": definition}}
    before = json.dumps(schema)
    written = for_model(schema)
    assert not has_references(written)
    assert written["type"] == "object"
    assert json.dumps(schema) == before


def test_m11_local_references_are_written_out_and_recursion_is_cut():
    schema = {
        "properties": {"a": {"$ref": "#/$defs/Node", "description": "mine"}},
        "$defs": {
            "Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "n": {"const": {"$ref": "x"}}}}
        },
    }
    assert for_model(schema) == {
        "type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"next": {}, "n": {"const": {"$ref": "x"}}}, "description": "mine"}
        },
    }


@pytest.mark.parametrize("schema", [None, True, {}, {"type": ["object", "null"]}])
def test_a_schema_without_content_is_an_empty_object(schema):
    assert for_model(schema) == {"type": "object", "properties": {}}


@pytest.mark.parametrize("schema", [False, [], "object", 5, {"type": "string"}, {"type": "object", "properties": []}])
def test_a_schema_that_describes_no_object_is_unusable(schema):
    with pytest.raises(Unusable):
        for_model(schema)


def test_references_that_multiply_are_unusable_instead_of_endless():
    definitions = {f"D{n}": {"anyOf": [{"$ref": f"#/$defs/D{n + 1}"}] * 10} for n in range(20)}
    with pytest.raises(Unusable):
        for_model({"type": "object", "properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": definitions})


def server(**fields) -> ServerSettings:
    return ServerSettings.model_validate({"transport": "stdio", "command": "x", "allowed_tools": ["*"], **fields})


def listed(*names, **fields):
    return [{"name": name, "inputSchema": {"type": "object"}, **fields} for name in names]


def test_every_listed_tool_is_shown_or_withheld_with_a_reason():
    settings = McpSettings(max_tools=3, max_schema_tokens=0)
    sources = [
        Source("b", server(deny_tools=["z*"]), admit("b", listed("zz", "m", "a"), settings)),
        Source("a", server(risk_policy="read-only"), admit("a", listed("w"), settings)),
        Source("c", server(), admit("c", listed("x", "y"), settings), approved=lambda tool: tool.raw_name != "x"),
        Source("d", server(tools_enabled=False), admit("d", listed("off"), settings)),
        Source("e", server(), admit("e", listed("p", "q"), settings)),
    ]
    found = expose(sources, settings)
    assert [each.tool.raw_name for each in found.exposed] == ["a", "m", "y"]
    assert [(each.tool.raw_name, each.reason) for each in found.withheld] == [
        ("zz", "denylist"),
        ("w", "risk-policy-read-only"),
        ("x", "definition-changed"),
        ("p", "max-tools"),
        ("q", "max-tools"),
    ]


def test_a_tool_exactly_at_the_token_budget_fits_and_a_smaller_later_one_still_does():
    settings = McpSettings()
    catalog = admit("s", [*listed("a"), *listed("b", description="x" * 4000), *listed("c")], settings)
    whole = expose([Source("s", server(), catalog)], settings)
    cost = {each.tool.raw_name: each.shown.tokens for each in whole.exposed}
    exact = expose([Source("s", server(), catalog)], McpSettings(max_schema_tokens=cost["a"] + cost["c"]))
    assert [each.tool.raw_name for each in exact.exposed] == ["a", "c"]
    assert exact.withheld[0].reason == "schema-token-budget"
    under = expose([Source("s", server(), catalog)], McpSettings(max_schema_tokens=cost["a"] + cost["c"] - 1))
    assert [each.tool.raw_name for each in under.exposed] == ["a"]


def test_the_generic_content_tools_come_last_and_only_with_something_to_read():
    settings = McpSettings()
    source = Source("s", server(), admit("s", listed("a"), settings), resources=True)
    assert [each.name for each in expose([source], settings).content] == ["mcp__deepseekeyes__resource"]
    assert expose([source], McpSettings(max_tools=1)).content == ()


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.integers(0, 5), st.integers(256, 900))
def test_budgets_are_never_exceeded_and_the_order_of_a_listing_does_not_matter(names, most, tokens):
    settings = McpSettings(max_tools=most, max_schema_tokens=tokens)
    one, other = (
        expose([Source("s", server(), admit("s", listed(*order), settings))], settings)
        for order in (names, names[::-1])
    )
    assert one == other
    assert len(one.exposed) + len(one.withheld) == len(names)
    assert one.tokens <= tokens
    assert not most or len(one.exposed) <= most


def test_the_output_schema_of_a_server_costs_nothing():
    settings = McpSettings()
    plain, heavy = (
        expose([Source("s", server(), admit("s", listed("a", outputSchema=schema), settings))], settings).tokens
        for schema in (None, {"type": "object", "description": "x" * 100_000})
    )
    assert plain == heavy


def test_tokens_are_a_quarter_of_the_canonical_characters():
    assert estimate_tokens("n", "d", {}) == estimate_tokens("n", "d" * 5, {}) - 1


def test_what_cannot_be_seen_is_not_shown():
    assert visible("a\u200bb\u202ec\U000e0041d\x1b[0m\tok\n") == "abcd[0m\tok\n"


@pytest.mark.parametrize(
    ("template", "uri", "fit"),
    [
        ("notes://{id}", "notes://5", True),
        ("notes://{id}", "notes://a/b", False),
        ("notes://{+path}", "notes://a/b", True),
        ("notes://{id}/text", "notes://5/text", True),
        ("notes://{id}/text", "notes:///text", True),
        ("notes://{a}-{b}", "notes://x-y", True),
        ("notes://{a}{b}", "notes://xy", False),
        ("notes://{+path}", "notes://a/../b", False),
        ("notes://{id}", "notes://%2e%2e", False),
        ("notes://{id}", "notes://%252e%252e", False),
        ("db://q{?limit,page}", "db://q?limit=5&page=2", True),
        ("db://q{?limit}", "db://q", True),
        ("db://q{/x}", "db://q/5", True),
        ("db://q{#x}", "db://q#frag/ment", True),
        ("a{}b", "a{}b", False),
        ("a{x", "a{x", False),
        ("plain", "plain", True),
        ("plain", "plainer", False),
    ],
)
def test_templates_stop_at_a_slash_unless_they_say_otherwise(template, uri, fit):
    assert fits(template, uri) is fit


def test_a_template_of_many_variables_is_fast():
    assert not fits("x" + "a{v}" * 100 + "c", "x" + "a" * 8000)


@given(st.text(alphabet="ab/{}v", max_size=10), st.text(alphabet="ab/", max_size=8))
def test_templates_agree_with_a_regular_expression(shape, uri):
    import re

    template = shape.replace("{", "").replace("}", "").replace("v", "{v}")
    if "{v}{v}" in template:
        return
    pattern = "[^/?#]*".join(re.escape(part) for part in template.split("{v}"))
    assert fits(template, uri) is (re.fullmatch(pattern, uri) is not None)


def test_a_catalog_is_refused_as_a_whole():
    with pytest.raises(EyesError) as caught:
        admit("s", [*listed("a"), *listed("a")], McpSettings())
    assert caught.value.code.name == "MCP_CATALOG_DUPLICATE_TOOL"


def test_a_cached_catalog_is_equal_to_the_one_it_came_from():
    settings = McpSettings()
    catalog = admit("s", listed("b", "a.b", title="T", annotations={"readOnlyHint": True}), settings)
    assert admit("s", catalog.raw(), settings) == catalog

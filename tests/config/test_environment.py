"""Settings from the environment."""

from __future__ import annotations

from typing import Any

import pytest

from deepseekeyes.config.environment import variables

PREFIX = "DEEPSEEKEYES_"


@pytest.mark.parametrize("text", ["1", "true", "YES", " on ", "True"])
def test_words_for_yes(place: Any, text: str) -> None:
    assert place.load({f"{PREFIX}BROWSER_ENABLED": text}).settings.browser.enabled is True


@pytest.mark.parametrize("text", ["0", "false", "NO", " Off "])
def test_words_for_no(place: Any, text: str) -> None:
    place.mine("[browser]\nenabled = true\n")
    assert place.load({f"{PREFIX}BROWSER_ENABLED": text}).settings.browser.enabled is False


@pytest.mark.parametrize("text", ["y", "enabled", "2", "-1", "true false", "tru\u00e9", "\udcff"])
def test_other_words_are_no_answer(place: Any, text: str) -> None:
    assert place.problems({f"{PREFIX}BROWSER_ENABLED": text}) == [("CONFIG_VALUE", "browser.enabled")]


@pytest.mark.parametrize("text", ["1e2", "+1", "01", "1.0", "0x1", "-1", "1_0", "\u0661", "9007199254740992", "many"])
def test_whole_numbers_are_plain_decimal(place: Any, text: str) -> None:
    assert place.problems({f"{PREFIX}VISION_FAILOVER_ATTEMPTS": text}) == [("CONFIG_VALUE", "vision.failover_attempts")]


def test_numbers_out_of_range_are_refused_naming_the_variable(place: Any) -> None:
    (problem,) = place.inspect({f"{PREFIX}VISION_FAILOVER_ATTEMPTS": "9"}).problems
    assert problem.origin == f"env {PREFIX}VISION_FAILOVER_ATTEMPTS"
    assert problem.sentence == (
        f"{PREFIX}VISION_FAILOVER_ATTEMPTS: vision.failover_attempts must be a whole number from 0 to 8, not 9."
    )


def test_nested_settings_have_a_variable_of_their_own(place: Any) -> None:
    loaded = place.load({f"{PREFIX}VISION_LIMITS_MAX_BYTES": "4096", f"{PREFIX}BROWSER_VIEWPORT_WIDTH": "640"})
    assert loaded.settings.vision.limits.max_bytes == 4096
    assert loaded.settings.browser.viewport.width == 640
    assert loaded.origin("vision.limits.max_bytes") == f"env {PREFIX}VISION_LIMITS_MAX_BYTES"


@pytest.mark.parametrize("name", ["BROWSER_ENABLED", "VISION_FAILOVER_ATTEMPTS", "VISION_ROUTE_PRIORITY"])
@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_switch_number_or_list_counts_as_unset(place: Any, name: str, text: str) -> None:
    assert dict(place.load({PREFIX + name: text}).origins) == {}


@pytest.mark.parametrize("name", ["VISION_ROUTE", "SERVE_UPSTREAM_ROUTE", "BROWSER_ARTIFACTS_DIR", "LEDGER_PATH"])
def test_an_empty_text_or_path_is_an_error(place: Any, name: str) -> None:
    (problem,) = place.inspect({PREFIX + name: ""}).problems
    assert problem.code.name == "CONFIG_VALUE"


def test_false_turns_a_folder_off_and_a_list_is_split_at_commas_and_lines(place: Any) -> None:
    environ = {
        f"{PREFIX}BROWSER_ARTIFACTS_DIR": "False",
        f"{PREFIX}MCP_ARTIFACT_DIR": "false",
        f"{PREFIX}VISION_ROUTE_PRIORITY": "a/b, c\nd,,",
        f"{PREFIX}OUTPUT_FORMAT": "JSON",
        f"{PREFIX}DESKTOP_VISUAL_MODE": "Always",
    }
    settings = place.load(environ).settings
    assert (settings.browser.artifacts_dir, settings.mcp.artifact_dir) == (False, False)
    assert settings.vision.route_priority == ("a/b", "c", "d")
    assert (settings.output.format, settings.desktop.visual_mode) == ("json", "always")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("UPSTREAM_PROVIDER", "SERVE_UPSTREAM_ROUTE"),
        ("UPSTREAM_MODEL", "SERVE_UPSTREAM_ROUTE"),
        ("CACHE_DIR", "STORE_CACHE_DIR"),
        ("USAGE_STATS", "LEDGER_USAGE"),
        ("USAGE_STATS_PATH", "LEDGER_PATH"),
        ("VISION_ATTEMPT_LOG_PATH", "LEDGER_PATH"),
        ("BROWSER_EXECUTABLE_PATH", "BROWSER_EXECUTABLE"),
    ],
)
def test_a_variable_of_an_earlier_tool_is_refused_with_the_new_one_named(place: Any, old: str, new: str) -> None:
    (problem,) = place.inspect({PREFIX + old: "x"}).problems
    assert (problem.code.name, problem.candidates) == ("CONFIG_ENV_RENAMED", (PREFIX + new,))


@pytest.mark.parametrize(
    "name",
    [
        "VISION_PROVIDER",
        "VISION_MODEL",
        "VISION_ROUTE_PRIORITY",
        "BROWSER_ENABLED",
        "BROWSER_HEADLESS",
        "BROWSER_CHANNEL",
        "BROWSER_ARTIFACTS_DIR",
        "DESKTOP_ENABLED",
        "DESKTOP_VISUAL_MODE",
        "DESKTOP_SEMANTIC",
        "DESKTOP_ARTIFACTS_DIR",
        "MCP_ENABLED",
        "MCP_MAX_TOOLS",
        "MCP_MAX_SCHEMA_TOKENS",
        "MCP_MAX_RESULT_CHARS",
        "MCP_MAX_EXTERNAL_CALLS_PER_RUN",
        "MCP_TOOL_CALL_TIMEOUT_MS",
        "MCP_AUDIT",
        "MCP_ARTIFACT_DIR",
    ],
)
def test_variables_that_fit_the_rule_kept_their_names(name: str) -> None:
    assert PREFIX + name in variables()


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("VISON_ROUTE", "VISION_ROUTE"),
        ("VISION_FAILOVER_ATEMPTS", "VISION_FAILOVER_ATTEMPTS"),
        ("vision_route", "VISION_ROUTE"),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_named(place: Any, name: str, meant: str) -> None:
    (problem,) = place.inspect({PREFIX + name: "x"}).problems
    assert (problem.code.name, problem.candidates) == ("CONFIG_ENV_UNKNOWN", (PREFIX + meant,))


def test_servers_and_routes_never_come_from_the_environment(place: Any) -> None:
    environ = {
        f"{PREFIX}MCP_SERVERS": '[{"id":"x","command":"rm"}]',
        f"{PREFIX}ROUTES_X_BASE_URL": "http://evil.invalid",
    }
    loaded = place.load(environ)
    assert (loaded.settings.mcp.servers, loaded.settings.routes, dict(loaded.origins)) == ({}, {}, {})
    assert len(loaded.warnings) == 2


def test_reserved_names_and_named_secrets_are_no_settings(place: Any) -> None:
    place.mine('[serve]\ntoken = { env = "DEEPSEEKEYES_MY_OWN" }\n')
    environ = {f"{PREFIX}HOME": "/x", f"{PREFIX}EVAL_API_KEY": "k", f"{PREFIX}SESSION": "s", f"{PREFIX}MY_OWN": "v"}
    assert dict(place.load(environ).origins) == {"serve.token": f"file {place.home / 'config.toml'}"}


def test_a_secret_cannot_be_given_by_the_variable_of_its_setting(place: Any) -> None:
    assert place.problems({f"{PREFIX}SERVE_TOKEN": "value"}) == [("CONFIG_ENV_UNKNOWN", "")]


def test_every_setting_has_a_variable_that_no_other_setting_shares() -> None:
    from deepseekeyes.config.fields import leaves
    from deepseekeyes.config.settings import SECTIONS, section_type

    names = [leaf.variable for name in SECTIONS for leaf in leaves(section_type(name), (name,)) if leaf.variable]
    assert len(names) == len(set(names))
    assert len(names) > 80

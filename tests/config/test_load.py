"""Precedence, origins, and what a configuration may not say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import SecretRef


def test_without_any_source_every_section_has_its_defaults(place: Any) -> None:
    loaded = place.load()
    settings = loaded.settings
    assert (dict(loaded.origins), loaded.warnings) == ({}, ())
    assert (settings.vision.failover_attempts, settings.browser.enabled, settings.mcp.enabled) == (2, False, False)
    assert loaded.origin("vision.failover_attempts") == "default"
    assert settings.vision.limits.max_bytes == 64 * 1024 * 1024


def test_the_highest_source_that_speaks_decides_and_is_named(place: Any) -> None:
    home = place.mine('[vision]\nroute = "home"\nfailover_attempts = 1\nhistory_images = 1\nsummary_chars = 100\n')
    folder = place.folder('[vision]\nroute = "folder"\nfailover_attempts = 3\nhistory_images = 3\n')
    environ = {"DEEPSEEKEYES_VISION_ROUTE": "environment", "DEEPSEEKEYES_VISION_FAILOVER_ATTEMPTS": "4"}
    loaded = place.load(environ, flags={"vision.route": "flag", "vision.model": None})
    vision = loaded.settings.vision
    assert (vision.route, vision.failover_attempts, vision.history_images, vision.summary_chars) == ("flag", 4, 3, 100)
    assert dict(loaded.origins) == {
        "vision.route": "flag",
        "vision.failover_attempts": "env DEEPSEEKEYES_VISION_FAILOVER_ATTEMPTS",
        "vision.history_images": f"file {folder}",
        "vision.summary_chars": f"file {home}",
    }


def test_tables_merge_and_lists_replace(place: Any) -> None:
    place.mine('[vision]\nroute_priority = ["a", "b"]\n[vision.limits]\nmax_side = 100\nmax_bytes = 1000\n')
    place.folder('[vision]\nroute_priority = ["c"]\nlimits.max_side = 50\n')
    vision = place.load().settings.vision
    assert (vision.route_priority, vision.limits.max_side, vision.limits.max_bytes) == (("c",), 50, 1000)


def test_a_named_file_stands_in_the_place_of_both_files_and_needs_no_trust(place: Any, tmp_path: Path) -> None:
    place.mine("[vision]\nfailover_attempts = 1\n")
    place.folder("[vision]\nhistory_images = 1\n")
    named = tmp_path / "other.toml"
    named.write_text("[browser]\nenabled = true\n")
    loaded = place.load(config_file=named)
    assert dict(loaded.origins) == {"browser.enabled": f"file {named}"}
    assert loaded.settings.vision.failover_attempts == 2


def test_a_relative_named_file_is_taken_from_the_working_folder(place: Any) -> None:
    (place.cwd / "x.toml").write_text("[output]\npretty = true\n")
    assert place.load(config_file=Path("x.toml")).settings.output.pretty is True


def test_routes_stay_the_tables_that_were_written(place: Any) -> None:
    place.mine('[routes.local]\nenabled = false\n[routes."qwen2.5-vl"]\nengine = "openai_chat"\nkey = { env = "K" }\n')
    loaded = place.load()
    assert loaded.settings.routes == {
        "local": {"enabled": False},
        "qwen2.5-vl": {"engine": "openai_chat", "key": {"env": "K"}},
    }
    assert 'routes."qwen2.5-vl".key' in loaded.origins


def test_every_problem_is_found_with_its_key_and_line(place: Any) -> None:
    path = place.mine(
        "[vision]\nfailover_attempts = 9\nrute = 'x'\n\n[vision.limits]\nmax_byte = 1\n"
        "[brwser]\n[mcp]\nenabled = 'yes'\n"
    )
    found = place.inspect().problems
    assert {(problem.code.name, problem.path, problem.line, problem.candidates) for problem in found} == {
        ("CONFIG_VALUE", ("vision", "failover_attempts"), 2, ()),
        ("CONFIG_UNKNOWN_KEY", ("vision", "rute"), 3, ("vision.route",)),
        ("CONFIG_UNKNOWN_KEY", ("vision", "limits", "max_byte"), 6, ("vision.limits.max_bytes",)),
        ("CONFIG_UNKNOWN_KEY", ("brwser",), 7, ("browser",)),
        ("CONFIG_VALUE", ("mcp", "enabled"), 9, ()),
    }
    with pytest.raises(EyesError) as caught:
        place.load()
    assert (caught.value.code.name, caught.value.kind, caught.value.exit_code) == ("CONFIG_VALUE", "input", 3)
    assert caught.value.details["path"] == "/vision/failover_attempts"
    assert caught.value.message.startswith(
        f"{path} line 2: vision.failover_attempts must be a whole number from 0 to 8"
    )
    assert "4 more" in caught.value.message


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[vision]\nfailover_attempts = true\n", "vision.failover_attempts"),
        ("[vision]\nfailover_attempts = 2.0\n", "vision.failover_attempts"),
        ("[vision]\nfailover_attempts = '2'\n", "vision.failover_attempts"),
        ("[vision]\nauto_detect = 1\n", "vision.auto_detect"),
        ("[vision]\nroute = 3\n", "vision.route"),
        ("[vision]\nroute = ''\n", "vision.route"),
        ("[vision]\nroute = '  '\n", "vision.route"),
        ("[vision]\nroute = 2026-01-01\n", "vision.route"),
        ("[vision]\nlimits = 3\n", "vision.limits"),
        ("[vision]\nroute_priority = [1]\n", "vision.route_priority"),
        ("[vision]\nbase_max_tokens = 511\n", "vision.base_max_tokens"),
        ("[automation]\ncontext_max_tokens = 4095\n", "automation.context_max_tokens"),
        ("[routing]\nhealth_ttl_ms = 999\n", "routing.health_ttl_ms"),
        ("[browser]\nviewport = { width = 319 }\n", "browser.viewport.width"),
        ("[browser]\nartifacts_dir = true\n", "browser.artifacts_dir"),
        ("[browser]\nartifacts_dir = ''\n", "browser.artifacts_dir"),
        ("[browser]\ndeny = ['a', 'a']\n", "browser.deny"),
        ("[desktop]\nvisual_mode = 'sometimes'\n", "desktop.visual_mode"),
        ("[mcp]\nmax_schema_tokens = 255\n", "mcp.max_schema_tokens"),
        ("[serve]\nport = 65536\n", "serve.port"),
        ("[serve]\nport = nan\n", "serve.port"),
        ("vision = 3\n", "vision"),
        ("routes = [1]\n", "routes"),
        ("[routes]\nqwen = 1\n", "routes"),
        ("[[vision]]\nroute = 'a'\n", "vision"),
    ],
)
def test_types_and_ranges_are_strict(place: Any, text: str, key: str) -> None:
    place.mine(text)
    assert place.problems() == [("CONFIG_VALUE", key)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[vision]\nbase_max_tokens = 0\n", {"base_max_tokens": 0}),
        ("[vision]\nbase_max_tokens = 512\n", {"base_max_tokens": 512}),
        (
            "[vision]\ntarget_max_tokens = 256\nfailover_attempts = 8\n",
            {"target_max_tokens": 256, "failover_attempts": 8},
        ),
        ('[vision]\nroute_priority = "a, b/c\\n b/c"\n', {"route_priority": ("a", "b/c")}),
        ("[vision]\nroute = ' padded '\n", {"route": "padded"}),
        (
            "[vision]\nroute_priority = [{ provider = 'p', model = 'm/1' }, 'p/m/1', 'x']\n",
            {"route_priority": ("p/m/1", "x")},
        ),
    ],
)
def test_values_at_the_edges_are_taken(place: Any, text: str, expected: dict[str, Any]) -> None:
    place.mine(text)
    vision = place.load().settings.vision
    assert {name: getattr(vision, name) for name in expected} == expected


def test_a_model_needs_its_provider_and_one_name_for_the_eye_is_enough(place: Any) -> None:
    place.mine('[vision]\nmodel = "m"\n')
    assert place.problems() == [("CONFIG_VALUE", "vision")]
    place.mine('[vision]\nprovider = "p"\nroute = "r"\n')
    assert place.problems() == [("CONFIG_VALUE", "vision")]
    place.mine('[vision]\nprovider = "p"\nmodel = "a/b"\n')
    assert place.load().settings.vision.eye == "p/a/b"
    place.mine('[vision]\nprovider = "p"\n')
    assert place.load().settings.vision.eye == "p"


def test_the_gateway_is_not_its_own_upstream(place: Any) -> None:
    place.mine('[serve]\nupstream_route = "deepseekeyes/x"\n')
    assert place.problems() == [("CONFIG_VALUE", "serve")]
    place.mine('[serve]\nupstream_route = "deepseekeyes-2/x"\n')
    assert place.problems() == []


@pytest.mark.parametrize(
    ("old", "new"),
    [("visionProvider", "vision.provider"), ("mcpServers", "mcp.servers"), ("cacheDir", "store.cache_dir")],
)
def test_a_key_of_an_earlier_tool_is_refused_with_the_new_one_named(place: Any, old: str, new: str) -> None:
    place.mine(f'{old} = "x"\n')
    (problem,) = place.inspect().problems
    assert (problem.code.name, problem.candidates) == ("CONFIG_RENAMED_KEY", (new,))


def test_every_new_name_of_an_old_one_exists() -> None:
    from deepseekeyes.config.environment import variables
    from deepseekeyes.config.renamed import OLD_KEYS, OLD_VARIABLES

    known = {*variables().values(), "mcp.servers"}
    assert sorted({*OLD_KEYS.values(), *OLD_VARIABLES.values()} - known) == []


def test_a_secret_written_out_is_refused_and_never_repeated(place: Any) -> None:
    secret = "plain-looking-value-31337"
    place.mine(
        f'[serve]\ntoken = "{secret}"\n[mcp.servers.a]\ntransport = "stdio"\ncommand = "x"\n'
        f'env = {{ KEY = "{secret}" }}\n'
    )
    assert sorted(place.problems()) == [
        ("CONFIG_SECRET_LITERAL", "mcp.servers.a.env.KEY"),
        ("CONFIG_SECRET_LITERAL", "serve.token"),
    ]
    with pytest.raises(EyesError) as caught:
        place.load()
    shown = f"{caught.value.message} {caught.value.hint} {caught.value.details}"
    assert secret not in shown
    assert '{ env = "NAME" }' in caught.value.hint


@pytest.mark.parametrize(
    ("written", "code", "key"),
    [
        ('login = "hunter2"', "CONFIG_SECRET_LITERAL", "login"),
        ('login = { value = "hunter2" }', "CONFIG_SECRET_LITERAL", "login.value"),
        ('login = { origins = ["https://a.example"] }', "CONFIG_VALUE", "login.value"),
        ('login = { value = { env = "X" }, origins = ["a.example"] }', "CONFIG_VALUE", "login.origins"),
        ('login = { value = { env = "X" }, origin = ["https://a.example"] }', "CONFIG_UNKNOWN_KEY", "login.origin"),
        ('"A b" = { env = "X" }', "CONFIG_VALUE", '"A b"'),
    ],
)
def test_a_named_secret_is_judged_by_the_form_it_was_meant_to_have(
    place: Any, written: str, code: str, key: str
) -> None:
    place.mine(f"[automation.secrets]\n{written}\n")
    assert place.problems() == [(code, f"automation.secrets.{key}")]
    [problem] = place.inspect().problems
    assert "pattern" not in problem.sentence
    assert "hunter2" not in problem.sentence


def test_a_text_in_a_wrong_place_is_never_repeated(place: Any) -> None:
    place.mine(
        '[vision]\nfailover_attempts = "hunter2-hunter2"\nroute_priority = [3]\n[serve]\ntoken = { env = "no name" }\n'
    )
    assert "hunter2" not in " ".join(problem.sentence for problem in place.inspect().problems)


def test_a_named_secret_is_kept_as_its_name_and_known_to_the_redactor(
    place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deepseekeyes.core.redact import redact
    from deepseekeyes.core.secrets import known_values

    monkeypatch.setenv("ODD_NAME", "zq-value-9")
    place.mine('[serve]\ntoken = { env = "ODD_NAME" }\n')
    assert place.load().settings.serve.token == SecretRef("ODD_NAME")
    assert redact("it said zq-value-9 twice", known_values()) == "it said [REDACTED] twice"


def test_relative_paths_count_from_the_file_that_says_them(place: Any) -> None:
    place.mine('[ledger]\npath = "books.sqlite3"\n[browser]\nexecutable = "bin/chrome"\n[store]\ncache_dir = false\n')
    place.folder('[browser]\nartifacts_dir = "runs"\n')
    settings = place.load({"DEEPSEEKEYES_DESKTOP_ARTIFACTS_DIR": "seen", "HOME": "/nowhere"}).settings
    assert settings.ledger.path == str(place.home / "books.sqlite3")
    assert settings.browser.executable == place.home / "bin/chrome"
    assert settings.browser.artifacts_dir == place.cwd / "runs"
    assert settings.desktop.artifacts_dir == place.cwd / "seen"
    assert settings.store.cache_dir is False


def test_a_reference_is_one_value_and_replaces_what_lies_below(place: Any) -> None:
    place.mine('[serve]\ntoken = { env = "BELOW" }\n')
    named = place.home / "n.toml"
    named.write_text('[serve]\ntoken = { env = "ABOVE" }\n')
    assert place.load(config_file=named).settings.serve.token == SecretRef("ABOVE")


def test_headers_alone_build_nothing_and_change_nothing(place: Any) -> None:
    place.mine("[vision]\n[vision.limits]\n[mcp]\n")
    loaded = place.load()
    assert loaded.settings.vision.route is None
    assert dict(loaded.origins) == {}

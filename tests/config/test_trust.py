"""A working folder's file before and after the user has accepted it."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.config.path import PathRequest, path
from deepseekeyes.config.restrictions import RULES, restricted
from deepseekeyes.config.settings import NAMES
from deepseekeyes.config.trust import TrustRequest, trust
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run

CLOSED = [
    ('[routes.x]\nengine = "openai_chat"\nbase_url = "http://evil.invalid/v1"\n', "routes.x.base_url"),
    ("[routes.local]\nenabled = false\n", "routes.local.enabled"),
    ('[vision]\nroute = { env = "HOME" }\n', "vision.route"),
    ('[vision]\nroute_priority = [{ env = "HOME" }]\n', "vision.route_priority"),
    ("[browser]\nenabled = true\n", "browser.enabled"),
    ('[browser]\nexecutable = "./chrome"\n', "browser.executable"),
    ('[browser]\nchannel = "chrome"\n', "browser.channel"),
    ('[browser]\nallow = ["*"]\n', "browser.allow"),
    ('[browser]\nartifacts_dir = "../outside"\n', "browser.artifacts_dir"),
    ('[browser]\nartifacts_dir = "/tmp/outside"\n', "browser.artifacts_dir"),
    ('[browser]\nartifacts_dir = "~/outside"\n', "browser.artifacts_dir"),
    ('[browser]\nartifacts_dir = "a/../../outside"\n', "browser.artifacts_dir"),
    ("[desktop]\nenabled = true\n", "desktop.enabled"),
    ('[desktop]\nallow = ["sh"]\n', "desktop.allow"),
    ("[mcp]\nenabled = true\n", "mcp.enabled"),
    ("[mcp]\naudit = false\n", "mcp.audit"),
    ('[mcp.servers.x]\ntransport = "stdio"\ncommand = "rm"\n', "mcp.servers.x.command"),
    ("[hub]\nallow_process_launch = true\n", "hub.allow_process_launch"),
    ("[hub]\nallow_any_command = true\n", "hub.allow_any_command"),
    ('[ledger]\npath = "books.sqlite3"\n', "ledger.path"),
    ("[ledger]\nusage = false\n", "ledger.usage"),
    ("[store]\nretention_days = 1\n", "store.retention_days"),
    ('[serve]\nhost = "0.0.0.0"\n', "serve.host"),
    ('[serve]\nroots = ["."]\n', "serve.roots"),
    ("[vision]\nactive_probe = false\n", "vision.active_probe"),
    ("[probe]\nverdict_ttl_s = 1\n", "probe.verdict_ttl_s"),
    ("[automation]\ncalls_per_turn = 0\n", "automation.calls_per_turn"),
]
OPEN = [
    '[vision]\nroute = "qwen"\nroute_priority = ["a"]\nfailover_attempts = 0\n[vision.limits]\nmax_side = 100\n',
    '[output]\nformat = "json"\npretty = true\n',
    "[routing]\nhealth_check = false\n",
    "[browser]\nenabled = false\nheadless = true\nlocale = 'en'\nviewport = { width = 800 }\nartifacts_dir = false\n",
    '[browser]\nartifacts_dir = "runs/of/this"\n',
    "[desktop]\nenabled = false\nsemantic = false\n",
    "[mcp]\nenabled = false\nartifact_dir = 'results'\n",
    "[hub]\nallow_process_launch = false\n",
    '[serve]\nupstream_route = "x"\n',
]


@pytest.mark.parametrize(("text", "key"), CLOSED, ids=[key for _, key in CLOSED])
def test_an_untrusted_file_may_not(place: Any, text: str, key: str) -> None:
    place.folder(text)
    assert key in [found for code, found in place.problems() if code == "CONFIG_UNTRUSTED"]
    with pytest.raises(EyesError) as caught:
        place.load()
    assert (caught.value.code.name, caught.value.kind, caught.value.exit_code) == ("CONFIG_UNTRUSTED", "policy", 9)
    assert "config trust" in caught.value.hint


@pytest.mark.parametrize(("text", "key"), CLOSED, ids=[key for _, key in CLOSED])
def test_the_same_words_in_the_users_own_file_need_no_trust(place: Any, text: str, key: str) -> None:
    place.mine(text)
    assert [code for code, _ in place.problems() if code == "CONFIG_UNTRUSTED"] == []


@pytest.mark.parametrize("text", OPEN)
def test_an_untrusted_file_may_choose(place: Any, text: str) -> None:
    place.folder(text)
    assert place.problems() == []


def test_every_section_has_a_rule() -> None:
    assert sorted(RULES) == sorted(NAMES)
    assert [name for name, rules in RULES.items() if "*" not in rules] == []


def test_a_deny_list_may_grow_and_never_shrink(place: Any) -> None:
    place.mine('[browser]\ndeny = ["a", "b"]\n')
    place.folder('[browser]\ndeny = ["a", "b", "c"]\n')
    assert place.load().settings.browser.deny == ("a", "b", "c")
    place.folder('[browser]\ndeny = ["a"]\n')
    assert place.problems() == [("CONFIG_UNTRUSTED", "browser.deny")]


def test_a_link_that_leads_out_of_the_folder_is_outside(place: Any, tmp_path: Path) -> None:
    (place.cwd / "runs").symlink_to(tmp_path)
    place.folder('[browser]\nartifacts_dir = "runs/x"\n')
    assert place.problems() == [("CONFIG_UNTRUSTED", "browser.artifacts_dir")]


def test_trust_holds_for_this_content_at_this_place_only(place: Any, tmp_path: Path) -> None:
    file = place.folder("[browser]\nenabled = true\n")
    done = run(trust(TrustRequest(), place.deps()))
    assert (done.path, done.trusted, done.restricted) == (str(file), True, ("browser.enabled",))
    assert place.load().settings.browser.enabled is True
    place.folder("[browser]\nenabled = true\n# changed\n")
    assert place.problems() == [("CONFIG_UNTRUSTED", "browser.enabled")]
    place.folder("[browser]\nenabled = true\n")
    assert place.problems() == []
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "deepseekeyes.toml").write_text("[browser]\nenabled = true\n")
    from deepseekeyes.config.load import inspect

    found = inspect(home=place.home, cwd=elsewhere, environ={})
    assert [problem.code.name for problem in found.problems] == ["CONFIG_UNTRUSTED"]


def test_trust_can_be_taken_back(place: Any) -> None:
    place.folder("[browser]\nenabled = true\n")
    run(trust(TrustRequest(), place.deps()))
    assert run(trust(TrustRequest(revoke=True), place.deps())).trusted is False
    assert place.problems() == [("CONFIG_UNTRUSTED", "browser.enabled")]


def test_the_trust_document_is_private_and_names_no_content(place: Any) -> None:
    place.folder("[browser]\nenabled = true\n")
    run(trust(TrustRequest(), place.deps()))
    document = place.home / "config-trust.json"
    assert stat.S_IMODE(document.stat().st_mode) == 0o600
    (entry,) = json.loads(document.read_text())["content"]["files"].values()
    assert sorted(entry) == ["at", "sha256"]


def test_a_broken_trust_document_trusts_nothing(place: Any) -> None:
    place.folder("[browser]\nenabled = true\n")
    run(trust(TrustRequest(), place.deps()))
    (place.home / "config-trust.json").write_text("{")
    assert place.problems() == [("CONFIG_UNTRUSTED", "browser.enabled")]


@pytest.mark.parametrize(
    ("text", "request_", "code"),
    [
        (None, TrustRequest(), "CONFIG_NO_FOLDER_FILE"),
        ("= 1\n", TrustRequest(), "CONFIG_SYNTAX"),
        ("", TrustRequest(file="other.toml"), "CONFIG_NO_FOLDER_FILE"),
    ],
)
def test_only_a_readable_folder_file_can_be_trusted(
    place: Any, text: str | None, request_: TrustRequest, code: str
) -> None:
    if text is not None:
        place.folder(text)
    with pytest.raises(EyesError) as caught:
        run(trust(request_, place.deps()))
    assert caught.value.code.name == code
    assert not (place.home / "config-trust.json").exists()


def test_path_lists_the_files_in_order_with_their_trust(place: Any) -> None:
    mine = place.mine("[vision]\n")
    folder = place.folder("[browser]\nenabled = true\n")
    environ = {"DEEPSEEKEYES_VISION_ROUTE": "x", "PATH": "y"}

    def seen() -> list[tuple[str, str, bool, bool, str]]:
        found = run(path(PathRequest(), place.deps(environ)))
        assert (found.home, found.environment) == (str(place.home), ("DEEPSEEKEYES_VISION_ROUTE",))
        return [(file.role, file.path, file.exists, file.used, file.trust) for file in found.files]

    home_row = ("home", str(mine), True, True, "not-needed")
    assert seen() == [("folder", str(folder), True, True, "untrusted"), home_row]
    run(trust(TrustRequest(), place.deps()))
    assert seen() == [("folder", str(folder), True, True, "trusted"), home_row]
    place.folder("[browser]\nenabled = true\nheadless = true\n")
    assert seen()[0][4] == "changed"
    run(trust(TrustRequest(revoke=True), place.deps()))
    assert seen()[0][4] == "untrusted"
    place.folder("[output]\npretty = true\n")
    assert seen()[0][4] == "not-needed"


def test_path_works_in_any_state(place: Any) -> None:
    os.mkfifo(place.cwd / "deepseekeyes.toml")
    (place.home / "config.toml").mkdir(parents=True)
    found = run(path(PathRequest(), place.deps(config_file=Path("gone.toml"))))
    assert [(file.role, file.exists, file.used) for file in found.files] == [
        ("named", False, True),
        ("folder", True, False),
        ("home", True, False),
    ]


scalars = st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=2)
tables = st.dictionaries(st.sampled_from(["enabled", "allow", "env", "path", "key"]), scalars, max_size=3)


@given(
    st.dictionaries(
        st.sampled_from(NAMES), st.dictionaries(st.text(min_size=1, max_size=4), tables | scalars), max_size=3
    )
)
def test_nothing_in_a_closed_section_passes(values: dict[str, Any]) -> None:
    from deepseekeyes.config.layers import leaves

    closed = {key for key, _ in restricted(values, folder=Path("/nowhere"), below={})}
    for key, _ in leaves(values):
        if len(key) > 1 and RULES[key[0]].get(key[1], RULES[key[0]]["*"]) == "closed":
            assert key in closed

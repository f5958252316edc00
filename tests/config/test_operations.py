"""`config show`, `validate`, `schema`, `init`."""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.config import path as config_path
from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.init import InitRequest, init
from deepseekeyes.config.schema import SchemaRequest, config_schema, schema
from deepseekeyes.config.settings import SECTIONS
from deepseekeyes.config.show import ShowRequest, show
from deepseekeyes.config.starter import starter
from deepseekeyes.config.validate import ValidateRequest, validate
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run

ROOT = Path(__file__).resolve().parents[2]


def _shown(place: Any, key: str | None, environ: dict[str, str] | None = None) -> list[dict[str, Any]]:
    document = run(show(ShowRequest(key=key), place.deps(environ))).to_json()
    assert document["schema"] == "deepseekeyes.config-list.v1"
    return list(document["items"])


def test_show_prints_value_and_origin_of_one_setting(place: Any) -> None:
    environ = {"DEEPSEEKEYES_VISION_FAILOVER_ATTEMPTS": "1"}
    (item,) = _shown(place, "vision.failover_attempts", environ)
    assert item.pop("description")
    assert item == {
        "key": "vision.failover_attempts",
        "value": 1,
        "origin": "env DEEPSEEKEYES_VISION_FAILOVER_ATTEMPTS",
        "default": 2,
        "env": "DEEPSEEKEYES_VISION_FAILOVER_ATTEMPTS",
    }


def test_show_prints_every_setting_once_with_words_for_people(place: Any) -> None:
    items = _shown(place, None)
    keys = [item["key"] for item in items]
    assert len(keys) == len(set(keys)) > 80
    assert {key.split(".")[0] for key in keys} == set(SECTIONS)
    assert [item["key"] for item in items if not item["description"]] == []
    assert {item["origin"] for item in items} == {"default"}
    assert [item["key"] for item in items if item["value"] != item["default"]] == []


def test_show_takes_a_section_and_names_what_tables_hold(place: Any) -> None:
    mine = place.mine(
        '[routes.q]\nbase_url = "https://u:hunter22hunter22@example.invalid/v1"\nkey = { env = "QK" }\ntags = ["a"]\n'
    )
    assert [(item["key"], item["value"], item["origin"]) for item in _shown(place, "routes", {"QK": "v"})] == [
        ("routes.q.base_url", "https://[REDACTED]@example.invalid/v1", f"file {mine}"),
        ("routes.q.key", {"env": "QK", "set": True}, f"file {mine}"),
        ("routes.q.tags", ["a"], f"file {mine}"),
    ]
    assert _shown(place, "routes.q.key")[0]["value"] == {"env": "QK", "set": False}
    assert [item["key"] for item in _shown(place, "vision.limits")][:2] == [
        "vision.limits.max_bytes",
        "vision.limits.max_side",
    ]


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("vision.failover", "vision.failover_attempts"),
        ("visionProvider", "vision.provider"),
        ("vison", "vision"),
        ("zzz", None),
    ],
)
def test_show_of_an_unknown_setting_names_the_nearest(place: Any, key: str, meant: str | None) -> None:
    with pytest.raises(EyesError) as caught:
        run(show(ShowRequest(key=key), place.deps()))
    assert caught.value.code.name == "CONFIG_SETTING_UNKNOWN"
    assert caught.value.details.get("candidates") == ([meant] if meant else None)


def test_show_of_an_empty_table_is_an_empty_list(place: Any) -> None:
    assert (_shown(place, "routes"), _shown(place, "mcp.servers")) == ([], [])


def test_show_refuses_a_broken_configuration(place: Any) -> None:
    place.mine("[vision]\nrute = 1\n")
    with pytest.raises(EyesError) as caught:
        run(show(ShowRequest(), place.deps()))
    assert caught.value.code.name == "CONFIG_UNKNOWN_KEY"


def test_validate_says_yes_and_names_its_sources(place: Any) -> None:
    mine = place.mine("[vision]\nfailover_attempts = 1\n")
    verdict = run(validate(ValidateRequest(), place.deps({"DEEPSEEKEYES_OUTPUT_PRETTY": "1"})))
    assert (verdict.valid, verdict.problems, verdict.outcome()) == (True, (), None)
    assert verdict.sources == (str(mine), "env DEEPSEEKEYES_OUTPUT_PRETTY")


def test_validate_lists_every_problem_of_a_named_file_without_the_environment(place: Any) -> None:
    (place.cwd / "deepseekeyes.toml").write_text(
        "[vision]\nrute = 1\nfailover_attempts = 9\n[browser]\nenabled = true\n"
    )
    deps = place.deps({"DEEPSEEKEYES_NONSENSE": "1"})
    verdict = run(validate(ValidateRequest(file="deepseekeyes.toml"), deps))
    assert (verdict.valid, verdict.outcome()) == (False, "verdict")
    assert sorted((problem.code, problem.key, problem.line) for problem in verdict.problems) == [
        ("CONFIG_UNKNOWN_KEY", "vision.rute", 2),
        ("CONFIG_VALUE", "vision.failover_attempts", 3),
    ]


def test_validate_names_the_line_of_a_syntax_error(place: Any) -> None:
    place.mine("[vision]\n\nroute = = 1\n")
    (problem,) = run(validate(ValidateRequest(), place.deps())).problems
    assert (problem.code, problem.line) == ("CONFIG_SYNTAX", 3)


def test_validate_checks_routes_over_the_entries_below_them(place: Any) -> None:
    place.mine(
        '[routes.local]\nenabled = false\n[routes.q]\nengine = "openai"\nmodel = "m"\n'
        'capabilities = ["image_to_evidence"]\n'
        '[routes.r]\nengine = "openai_chat"\n'
    )
    verdict = run(validate(ValidateRequest(), place.deps()))
    keys = {problem.key for problem in verdict.problems}
    assert "routes.q.engine" in keys
    assert {problem.line for problem in verdict.problems if problem.key == "routes.q.engine"} == {4}
    assert not any(key.startswith("routes.local") for key in keys if key)
    assert verdict.valid is False


@pytest.mark.parametrize(
    ("catalog", "message"),
    [
        ("nope", "catalog.json is not valid JSON"),
        ('{"schema": "deepseekeyes.catalog.v1", "routes": {"x": {"engine": "banana"}}}', "routes.x.engine: 'banana'"),
        ('{"schema": "deepseekeyes.catalog.v1", "entries": []}', "catalog.json: 'entries' is no known key"),
        ("{}", 'catalog.json must say "schema": "deepseekeyes.catalog.v1"; it says nothing.'),
    ],
)
def test_validate_judges_the_catalog_of_the_home_as_well(place: Any, catalog: str, message: str) -> None:
    place.mine("[vision]\nfailover_attempts = 1\n")
    path = place.home / "catalog.json"
    path.write_text(catalog, encoding="utf-8")
    found = run(validate(ValidateRequest(), place.deps())).problems
    assert {(problem.code, problem.origin) for problem in found} == {("CATALOG_INVALID", f"file {path}")}
    assert found[0].message.startswith(message)
    assert run(validate(ValidateRequest(file=str(place.home / "config.toml")), place.deps())).valid


def test_validate_cannot_judge_what_is_not_there(place: Any) -> None:
    with pytest.raises(EyesError) as caught:
        run(validate(ValidateRequest(file="gone.toml"), place.deps()))
    assert (caught.value.code.name, caught.value.exit_code) == ("CONFIG_NOT_FOUND", 3)


def test_init_writes_a_private_file_that_is_valid_and_changes_nothing(place: Any) -> None:
    done = run(init(InitRequest(), place.deps()))
    path = place.home / "config.toml"
    assert (done.path, done.replaced, done.backup) == (str(path), False, None)
    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(place.home.stat().st_mode)) == (0o600, 0o700)
    assert dict(place.load().origins) == {}
    assert not (place.cwd / "deepseekeyes.toml").exists()


def test_init_never_overwrites_without_force_and_keeps_the_old_file_with_it(place: Any) -> None:
    path = place.mine("# mine\n")
    with pytest.raises(EyesError) as caught:
        run(init(InitRequest(), place.deps()))
    assert (caught.value.code.name, path.read_text()) == ("CONFIG_EXISTS", "# mine\n")
    done = run(init(InitRequest(force=True), place.deps()))
    assert done.replaced is True
    assert done.backup is not None
    assert Path(done.backup).read_text() == "# mine\n"
    assert path.read_text() == starter()


def test_every_line_of_the_starter_is_right_once_its_mark_is_removed(place: Any) -> None:
    from deepseekeyes.config.fields import leaves
    from deepseekeyes.config.settings import section_type

    text = re.sub(r"^# (?=[a-z_]+ = (?!\.\.\.)|\[)", "", starter(), flags=re.MULTILINE)
    values = tomllib.loads(text)
    place.mine(text)
    assert place.problems() == []
    assert sorted(values["routes"]) == ["qwen"]
    assert sorted(values["mcp"]["servers"]) == ["files"]
    written = {
        leaf.path
        for name in SECTIONS
        for leaf in leaves(section_type(name), (name,))
        if leaf.default is not None and leaf.path != ("mcp", "servers")
    }
    found = set()
    for path in written:
        here: Any = values
        for part in path:
            here = here.get(part, {}) if isinstance(here, dict) else {}
        if here != {}:
            found.add(path)
    assert written - found == set()


def test_the_published_schema_is_the_sections_own_and_both_copies_are_equal() -> None:
    made = json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"
    for place in ("schemas", "deepseekeyes/schemas"):
        assert (ROOT / place / "config.schema.json").read_text(encoding="utf-8") == made, (
            "run: python scripts/schemas.py"
        )


def test_schema_prints_the_bare_document(place: Any) -> None:
    printed = run(schema(SchemaRequest(), place.deps())).to_json()
    assert printed == config_schema()
    assert "schema" not in printed


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("", True),
        ('[vision]\nroute = "a"\n[vision.limits]\nmax_side = 5\n', True),
        ("[vision]\nrute = 1\n", False),
        ("[vision]\nfailover_attempts = 9\n", False),
        ("[nowhere]\n", False),
        ("[browser]\nartifacts_dir = false\n", True),
        ("[browser]\nartifacts_dir = true\n", False),
        ('[serve]\ntoken = { env = "A" }\n', True),
        ('[serve]\ntoken = "a"\n', False),
        ('[routes.q]\nengine = "openai_chat"\nkey = { env = "A" }\n', True),
        ('[routes.q]\nengine = "openai_chat"\nkey = "a"\n', False),
        ('[mcp.servers.s]\ntransport = "stdio"\ncommand = "x"\n', True),
        ('[mcp.servers.s]\ntransport = "stdio"\ncommand = "x"\nenv = { A = "b" }\n', False),
        ("[mcp]\nmax_tools = 'x'\n", False),
    ],
)
def test_schema_and_loader_agree(place: Any, text: str, valid: bool) -> None:
    import jsonschema

    problems = list(jsonschema.Draft202012Validator(config_schema()).iter_errors(tomllib.loads(text)))
    place.mine(text)
    verdict = run(validate(ValidateRequest(), place.deps()))
    assert (
        not problems,
        not [
            p for p in verdict.problems if "needs an endpoint" not in p.message and "required" not in p.message.lower()
        ],
    ) == (valid, valid)


@pytest.mark.skipif(os.name != "posix", reason="permissions by user are POSIX")
def test_path_answers_for_a_home_that_may_not_be_entered(tmp_path: Path) -> None:
    """As an unprivileged user where the tests run as root, since root may enter everything."""
    closed = tmp_path / "closed"
    (closed / "home").mkdir(parents=True)
    (tmp_path / "cwd").mkdir()
    closed.chmod(0o000)
    user = os.geteuid()
    deps = ConfigDeps(home=closed / "home", cwd=tmp_path / "cwd", environ={}, config_file=None)
    try:
        if user == 0:
            os.seteuid(65534)
        found = run(config_path.path(config_path.PathRequest(), deps))
    finally:
        os.seteuid(user)
        closed.chmod(0o700)
    assert (found.home_exists, [file.exists for file in found.files]) == (False, [False, False])

"""Secrets typed by name."""

from __future__ import annotations

import pytest

from deepseekeyes.automation.named import check_origin, named, origin, origins_of
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import known_values

SECRETS = AutomationSettings.model_validate({"secrets": {"login": {"env": "LOGIN_PASSWORD"}}}).secrets


def test_a_named_secret_is_the_value_of_its_variable_and_known_to_the_redactor() -> None:
    assert named("login", SECRETS, {"LOGIN_PASSWORD": "typed-by-name-1"}.get) == "typed-by-name-1"
    assert "typed-by-name-1" in known_values()


@pytest.mark.parametrize(
    ("name", "variables", "candidates"), [("logim", {"LOGIN_PASSWORD": "x"}, ["login"]), ("login", {}, ["login"])]
)
def test_a_name_without_a_value_is_refused_with_the_names_there_are(
    name: str, variables: dict[str, str], candidates: list[str]
) -> None:
    with pytest.raises(EyesError) as refused:
        named(name, SECRETS, variables.get)
    assert refused.value.code.name == "SECRET_UNKNOWN"
    assert refused.value.details == {"dispatched": "no", "candidates": candidates}


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://site.example/login?next=/", True),
        ("https://SITE.example:443/", True),
        ("https://site.example:8443/", False),
        ("http://site.example/", False),
        ("https://site.example.evil.example/", False),
        ("https://site.example@evil.example/", False),
        ("about:blank", False),
        ("data:text/html,x", False),
        ("https://[bad", False),
    ],
)
def test_a_secret_is_typed_into_its_own_sites_only(url: str, allowed: bool) -> None:
    if allowed:
        check_origin("login", ("https://site.example",), url)
    else:
        with pytest.raises(EyesError) as refused:
            check_origin("login", ("https://site.example",), url)
        assert refused.value.code.name == "SECRET_ELSEWHERE"
    check_origin("login", (), url)


def test_the_origin_of_a_user_in_the_address_is_the_host() -> None:
    assert origin("http://a@b.example:80/c") == origin("http://b.example") == "http://b.example:80"


@pytest.mark.parametrize(
    "wrong",
    [
        {"Login": {"env": "X"}},
        {"login": {"env": "not a name"}},
        {"login": "plain"},
        {"login": {"value": {"env": "X"}, "origins": ["https://a.example/path"]}},
        {"login": {"value": {"env": "X"}, "origins": ["*"]}},
        {"login": {"origins": ["https://a.example"]}},
    ],
)
def test_only_references_and_whole_origins_are_accepted(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="secrets"):
        AutomationSettings.model_validate({"secrets": wrong})


def test_both_forms_are_read_and_only_one_of_them_names_sites() -> None:
    given = {"a": {"env": "A"}, "b": {"value": {"env": "B"}, "origins": ["https://b.example"]}}
    secrets = AutomationSettings.model_validate({"secrets": given}).secrets
    assert [origins_of(name, secrets) for name in ("a", "b", "c")] == [(), ("https://b.example",), ()]
    assert named("b", secrets, {"B": "of-b-1234"}.get) == "of-b-1234"

"""Which addresses may be opened, and how they are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.browser.urls import Policy, is_private, normal, shown
from deepseekeyes.core.errors import EyesError


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://example.org/", True),
        ("http://127.0.0.1:8080/", True),
        ("http://localhost/", True),
        ("http://[::1]/", True),
        ("about:blank", True),
        ("http://10.1.2.3/", False),
        ("http://192.168.0.1/", False),
        ("http://169.254.169.254/latest/meta-data", False),
        ("http://0xa9fea9fe/", False),
        ("http://2852039166/", False),
        ("http://[::ffff:10.0.0.1]/", False),
        ("http://[fe80::1]/", False),
        ("http://metadata.google.internal/", False),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("chrome://settings", False),
        ("http://[broken/", False),
    ],
)
def test_public_hosts_and_loopback_are_open_and_everything_else_is_asked_for(url: str, allowed: bool) -> None:
    assert (Policy().refusal(url) is None) is allowed


def test_private_hosts_and_files_open_when_they_were_asked_for() -> None:
    wide = Policy(private=True, files=True)
    assert [wide.refusal(url) for url in ("http://10.0.0.1/", "file:///tmp/x")] == [None, None]


@pytest.mark.parametrize(
    ("policy", "url", "allowed"),
    [
        (Policy(allow=("example.org",)), "https://example.org/", True),
        (Policy(allow=("example.org",)), "https://sub.example.org/", False),
        (Policy(allow=("*.example.org",)), "https://sub.example.org/", True),
        (Policy(allow=("*.example.org",)), "https://badexample.org/", False),
        (Policy(allow=("example.org:8443",)), "https://example.org/", False),
        (Policy(allow=("https://example.org",)), "https://EXAMPLE.org./x", True),
        (Policy(allow=("*",), deny=("example.org",)), "https://example.org/", False),
        (Policy(allow=("example.org", "example.com"), narrower=("example.com",)), "https://example.org/", False),
        (Policy(allow=("example.com",)), "https://example.com@evil.example/", False),
    ],
)
def test_lists_hold_for_whole_hosts_and_deny_wins(policy: Policy, url: str, allowed: bool) -> None:
    assert (policy.refusal(url) is None) is allowed


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("example.org", "https://example.org"),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("127.0.0.1:8123", "http://127.0.0.1:8123"),
        (" https://example.org/a ", "https://example.org/a"),
        ("about:blank", "about:blank"),
    ],
)
def test_what_people_type_becomes_an_address(typed: str, url: str) -> None:
    assert normal(typed) == url


@pytest.mark.parametrize("typed", ["", "http://", "https:///x", "exa\nmple.org", "not an address"])
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(EyesError) as refused:
        normal(typed)
    assert refused.value.code.name == "BROWSER_URL_INVALID"


def test_a_shown_address_has_neither_user_nor_password_nor_credentials_in_its_query() -> None:
    text = shown("https://ada:pass@example.org/a?page=2&token=abcdef123456&q=x")
    assert ("ada" in text, "pass" in text, "abcdef123456" in text, "page=2" in text) == (False, False, False, True)


@given(st.integers(min_value=0, max_value=2**32 - 1))
def test_every_spelling_of_an_address_is_judged_alike(number: int) -> None:
    from ipaddress import IPv4Address

    plain = str(IPv4Address(number))
    assert is_private(str(number)) == is_private(plain) == is_private(hex(number))

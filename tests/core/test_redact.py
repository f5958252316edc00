"""The redactor: what must go, what must stay, and how long it may take."""

from __future__ import annotations

import base64
import json
import string
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laws import sized

from deepseekeyes.core import secrets
from deepseekeyes.core.redact import CODE_LIMIT, REDACTED, clip, redact, surface

WORDY = string.ascii_letters + string.digits
TOKENS = st.text(WORDY + "-_", min_size=16, max_size=60).filter(lambda text: text.isascii())
PASSWORDS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=("Cs", "Cc")), min_size=4)

READABLE = [
    "token budget=8192",
    "password authentication failed",
    "secret-name=x",
    "api-key-name=X",
    "max_tokens: 5, total_tokens=8",
    "Basic authentication required",
    "Basic scheme is not supported",
    "the Bearer token is missing",
    "WWW-Authenticate: Basic realm=eyes",
    "cannot open /home/user/my-secret-project/token/image.png",
    "[E_CODE] the tokenizer failed",
    "see https://example.org/docs?page=2&max_tokens=5#keys",
    "mail user@example.org about http://localhost:8080/a",
    "risk-assessment and task-skills",
    "compass=1, monkey=2",
    "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '{"code":"OK","message":"no credentials are configured"}',
    "钥匙在桌上",
    "export EXAMPLE_API_KEY=...",
    "Set it first: export A_TOKEN=... adds a model; so does B_SECRET=...",
]


@pytest.mark.parametrize("text", READABLE)
def test_words_about_credentials_stay_readable(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("https://user:pa55@host/x", "https://[REDACTED]@host/x"),
        ("postgres://u:p%40ss@db:5432/n", "postgres://[REDACTED]@db:5432/n"),
        ("https://a@b@c/", "https://[REDACTED]@c/"),
        ("GET /v1?key=abc&page=2&X-Amz-Signature=dead#x", "GET /v1?key=[REDACTED]&page=2&X-Amz-Signature=[REDACTED]#x"),
        ("wss://h/?auth[token]=abc", "wss://h/?auth[token]=[REDACTED]"),
        ("https://h/cb#access_token=abc&state=1", "https://h/cb#access_token=[REDACTED]&state=1"),
        ("export EXAMPLE_API_KEY=...abc", "export EXAMPLE_API_KEY=[REDACTED]"),
        ("export EXAMPLE_API_KEY=....", "export EXAMPLE_API_KEY=[REDACTED]"),
        ("Cookie: a=b; c=d\nHost: h", "Cookie: [REDACTED]\nHost: h"),
        ("set-cookie: sid=1; Path=/", "set-cookie: [REDACTED]"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer [REDACTED]"),
        ("authorization: Basic dTpw", "authorization: Basic [REDACTED]"),
        ('Proxy-Authorization: Digest username="u", response="r"\nHost: h', "Proxy-Authorization: [REDACTED]\nHost: h"),
        ("X-API-Key: abc next", "X-API-Key: [REDACTED] next"),
        ('"x-goog-api-key": "abc", "a": 1', '"x-goog-api-key": "[REDACTED]", "a": 1'),
        ("got Bearer abcd from h", "got Bearer [REDACTED] from h"),
        ("bearer x", "bearer x"),
        ("tried Basic dXNlcjpwYXNz", "tried Basic [REDACTED]"),
        ("api_key=abc rest", "api_key=[REDACTED] rest"),
        ("API-KEY: abc", "API-KEY: [REDACTED]"),
        ("apiKey='a b c' rest", "apiKey='[REDACTED]' rest"),
        ('{"password":"a\\"b","n":1}', '{"password":"[REDACTED]","n":1}'),
        (r'"{\"client_secret\":\"abc\",\"n\":1}"', r'"{\"client_secret\":\"[REDACTED]\",\"n\":1}"'),
        ('password="cut off here', 'password="[REDACTED]'),
        ("DB_PASSWORD=hunter2 HOST=h", "DB_PASSWORD=[REDACTED] HOST=h"),
        ("userPassword: hunter2", "userPassword: [REDACTED]"),
        ("refresh_token => abc", "refresh_token => [REDACTED]"),
        ("used sk-proj-abcdefgh1234", "used [REDACTED_TOKEN]"),
        ("used sk_live_abcdefgh", "used [REDACTED_TOKEN]"),
        ("ghp_abcdefgh, npm_abcdefgh", "[REDACTED_TOKEN], [REDACTED_TOKEN]"),
        ("AKIAABCDEFGHIJKLMNOP", "[REDACTED_TOKEN]"),
        ("SG.abcdefgh.ijklmnop", "[REDACTED_TOKEN]"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[REDACTED_TOKEN]"),
        (
            "a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b -----BEGIN PRIVATE KEY-----\ncut",
            "a [REDACTED] b [REDACTED]",
        ),
    ],
)
def test_credentials_go_and_the_rest_stays(text: str, clean: str) -> None:
    assert redact(text) == clean
    assert redact(clean) == clean


SHAPES = [
    "Authorization: Bearer {}",
    "Authorization: Token {}\nHost: h",
    '{{"Authorization": "Bearer {}"}}',
    "curl -H 'X-API-Key: {}' https://h",
    "x-goog-api-key: {}",
    "Bearer {}",
    "https://user:{}@host/path",
    "https://{}@host",
    "https://h/?access_token={}&x=1",
    "https://h/?x=1&api-key={}",
    "Cookie: session={}; theme=dark",
    "password={}",
    "OPENAI_API_KEY={}",
    'api_key="{}"',
    "{{'client_secret': '{}'}}",
    '"{{\\"token\\":\\"{}\\"}}"',
    "passphrase: {}",
    "sk-{}",
    "ghp_{}",
    "sk_live_{}",
    "hf_{}",
    "eyJ{}.abcdefgh.ijklmnop",
]


@pytest.mark.parametrize("shape", SHAPES)
@given(
    token=TOKENS, before=st.sampled_from(["", "failed: ", "[E_X] (", "\n\t"]), after=st.sampled_from(["", " end", "\n"])
)
def test_no_plaintext_is_left_whatever_the_token(shape: str, token: str, before: str, after: str) -> None:
    assume(token.strip("-_"))
    assert token not in redact(before + shape.format(token) + after)


@given(password=PASSWORDS)
def test_quoted_and_escaped_passwords_go_whatever_they_hold(password: str) -> None:
    assume(not set(password) <= set(REDACTED + ' "\\:,{}@/'))
    as_json = json.dumps({"x": 1, "password": password}, ensure_ascii=False)
    inner = json.dumps(password, ensure_ascii=False)[1:-1]
    assert inner not in redact(as_json).partition("password")[2]
    in_url = f"smtp://user:{quote(password, safe='')}@host.invalid"
    assert redact(in_url) == "smtp://[REDACTED]@host.invalid"


@given(secret=st.text(min_size=4), before=st.text(), after=st.text())
def test_known_values_go_wherever_they_stand(secret: str, before: str, after: str) -> None:
    assume(secret not in REDACTED and REDACTED not in secret)
    text = before + secret + after
    clean = redact(text, [secret])
    assert REDACTED in clean
    assert clean.count(secret) <= (before + REDACTED + after).count(secret)


@given(secret=st.text(st.characters(exclude_categories=("Cs",)), min_size=4))
def test_known_values_go_in_their_quoted_forms_too(secret: str) -> None:
    assume(not set(secret) & set(REDACTED))
    for form in (quote(secret, safe=""), json.dumps(secret), json.dumps(secret, ensure_ascii=False)):
        clean = redact(f"<{form}>", [secret])
        assert secret not in clean
        assert form.strip('"') not in clean


def test_longer_known_values_go_before_the_shorter_ones_in_them() -> None:
    assert redact("abcd-efgh abcd", ["abcd", "abcd-efgh"]) == "[REDACTED] [REDACTED]"


def test_known_values_under_four_characters_stay() -> None:
    assert redact("a cat", ["cat", ""]) == "a cat"


@given(st.text(alphabet=WORDY + " \t\n:=\"'\\&?#/@.-_[]{}"))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "unit",
    [
        "sk-", "eyJ-", "eyJ.", "eyJ", "SG.aaaaaaaa", "://", "://a@", "://a", 'password="', "password='", "bearer  ",
        "basic ", "token ", "token:", "-----BEGIN PRIVATE KEY-----", "-", "a", "?token_", "?_", "[?&_", "cookie: ",
        "cookie ", "authorization", "authorization ", "x-", "x-api-", '\\"', "token\\", 'password=\\"', "=:", "\t",
        "%5D[", "AIza", "ya29.", "password:\\", "A", "Password",
    ],
)  # fmt: skip
def test_adversarial_text_takes_linear_time(unit: str) -> None:
    text = unit * (sized(200_000) // len(unit))
    assert len(redact(text)) <= 5 * len(text)


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a bcd", 3, "a…"), ("abc", 1, "…"), ("abc", 0, ""), ("", 0, "")],
)
def test_a_clipped_text_ends_in_an_ellipsis_that_counts(text: str, limit: int, short: str) -> None:
    assert clip(text, limit) == short


@given(st.text(), st.integers(0, 40))
def test_clipping_never_exceeds_the_limit_and_keeps_what_fits(text: str, limit: int) -> None:
    assert len(clip(text, limit)) <= limit
    assert clip(clip(text, limit), limit) == clip(text, limit)


class MuteError(Exception):
    """An exception that cannot tell what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no")


def test_surfaced_text_is_one_clean_line_of_bounded_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_revealed", {"known-value": None})
    assert surface("  a\n\n b\tknown-value Bearer abcd ") == "a b [REDACTED] Bearer [REDACTED]"
    assert surface(ValueError("password=x")) == "password=[REDACTED]"
    assert surface(MuteError()) == "unknown error"
    assert len(surface("x y " * 10_000)) <= 500
    assert len(surface("x" * 10_000, CODE_LIMIT)) == 100


@given(position=st.integers(1900, 2010))
def test_a_known_value_across_the_input_cut_leaves_no_part(position: int) -> None:
    secret = base64.b64encode(b"0123456789abcdefghij").decode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "_revealed", {secret: None})
        assert secret[:4] not in surface("." * position + secret, 4000)

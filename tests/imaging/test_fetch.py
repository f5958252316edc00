"""Pictures over http and https: from public addresses only, each hop checked."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.imaging.addresses import is_public
from deepseekeyes.imaging.inputs import InputDeps, Loaded, load
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.store.blobs import Blobs

pytestmark = pytest.mark.service

DATA = b"\x89PNG\r\n\x1a\n some bytes"


def deps(**changes: Any) -> InputDeps:
    blobs = Blobs(None)
    blobs.put(DATA)
    return InputDeps(**{"limits": IntakeLimits(max_bytes=1_000), "blobs": blobs, **changes})


def code_of(text: str, given: InputDeps) -> str:
    with pytest.raises(EyesError) as caught:
        run(load(text, given))
    assert "{" not in caught.value.hint
    return caught.value.code.name


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "100.100.100.200", "168.63.129.16", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:c0a8:101::", "::7f00:1",
        "2001:db8::1", "localhost", "",
    ],
)  # fmt: skip
def test_no_address_inside_is_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::101:101"])
def test_addresses_of_the_open_internet_are_public(address):
    assert is_public(address)


class Site:
    """A small web server on loopback; `answers` maps a path to (status, headers, body)."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {"/a.png": (200, {}, DATA)}
        self.seen: list[tuple[str, str]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.seen.append((self.headers["host"], self.path))
                status, headers, body = site.answers.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    if value:
                        self.send_header(name, value)
                self.end_headers()
                if body:
                    self.wfile.write(body)

            def log_message(self, *args: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]

    def url(self, path: str = "/a.png", host: str = "pictures.example") -> str:
        return f"http://{host}:{self.port}{path}"


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


def resolver(*addresses: str) -> Callable[..., Any]:
    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve


def online(**changes: Any) -> InputDeps:
    return deps(
        **{"allow_url": True, "resolve": resolver("127.0.0.1"), "address_allowed": lambda address: True, **changes}
    )


def test_a_url_needs_permission(site):
    assert code_of(site.url(), deps()) == "URL_NOT_ALLOWED"
    assert site.seen == []


def test_a_picture_is_fetched_from_the_checked_address_under_its_own_name(site):
    loaded = run(load(site.url("/a.png"), online()))

    assert loaded == Loaded(DATA, site.url("/a.png"), "url")
    assert site.seen == [(f"pictures.example:{site.port}", "/a.png")]


def test_the_next_address_is_tried_when_one_does_not_answer(site):
    assert run(load(site.url(), online(resolve=resolver("::1", "127.0.0.1")))).data == DATA


def test_an_address_inside_is_refused_before_anything_is_sent(site):
    for host in ("127.0.0.1", "localhost", "2130706433"):
        assert code_of(site.url(host=host), deps(allow_url=True)) == "URL_ADDRESS_REFUSED"
    assert code_of(site.url(), online(address_allowed=is_public)) == "URL_ADDRESS_REFUSED"
    mixed = online(resolve=resolver("93.184.216.34", "10.0.0.1"), address_allowed=is_public)
    assert code_of(site.url(), mixed) == "URL_ADDRESS_REFUSED"
    assert site.seen == []


def test_a_name_that_changes_its_answer_is_asked_once_per_hop(site):
    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    loaded = run(load(site.url(), online(resolve=resolve, address_allowed=lambda address: address == "127.0.0.1")))

    assert (loaded.data, asked) == (DATA, ["pictures.example"])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed(site, status):
    site.answers["/old.png"] = (status, {"location": "/a.png"}, b"")

    assert run(load(site.url("/old.png"), online())).data == DATA


def test_every_redirect_is_checked_like_the_first_address(site):
    async def resolve(host: str, port: int) -> list[str]:
        return ["10.0.0.1"] if host == "inside.example" else ["127.0.0.1"]

    given = online(resolve=resolve, address_allowed=lambda address: address == "127.0.0.1")
    for location, code in [
        ("http://inside.example/a.png", "URL_ADDRESS_REFUSED"),
        ("http://u:p@pictures.example/", "URL_INVALID"),
        ("file:///etc/passwd", "URL_INVALID"),
        ("http://[bad", "URL_UNREACHABLE"),
        ("/r.png", "URL_REDIRECT_REFUSED"),
    ]:
        site.answers["/r.png"] = (302, {"location": location}, b"")
        assert code_of(site.url("/r.png"), given) == code


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((404, {}, b"gone"), "URL_STATUS"),
        ((204, {}, b""), "URL_STATUS"),
        ((500, {}, b""), "URL_STATUS"),
        ((302, {}, b""), "URL_STATUS"),
        ((200, {"content-encoding": "gzip"}, b"\x1f\x8b"), "URL_STATUS"),
        ((200, {"content-length": "999999999"}, b""), "IMAGE_TOO_MANY_BYTES"),
        ((200, {"content-length": ""}, bytes(2_000)), "IMAGE_TOO_MANY_BYTES"),
        ((200, {"content-length": "500"}, b"short"), "URL_UNREACHABLE"),
    ],
)
def test_an_answer_that_is_no_picture_has_its_own_code(site, answer, code):
    site.answers["/x"] = answer

    assert code_of(site.url("/x"), online()) == code


def test_a_host_that_is_not_there_is_unavailable(site):
    async def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "unknown")

    assert code_of(site.url(), online(resolve=unknown)) == "URL_UNREACHABLE"
    assert code_of(site.url(), online(resolve=resolver())) == "URL_UNREACHABLE"
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert code_of(f"http://h.example:{closed.getsockname()[1]}/", online()) == "URL_UNREACHABLE"


def test_a_server_that_never_answers_runs_into_the_time_limit():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        limits = IntakeLimits(url_timeout_ms=100)

        with pytest.raises(EyesError) as caught:
            run(load(f"http://h.example:{silent.getsockname()[1]}/", online(limits=limits)))
    assert caught.value.code.name == "URL_UNREACHABLE"
    assert caught.value.kind == "unavailable"


@pytest.mark.parametrize(
    "text", ["http://", "https:///a.png", "http://bob:pw@h.example/a.png", "http://[::1", "http://h:99999/"]
)
def test_a_malformed_url_is_refused_without_echoing_it(text):
    with pytest.raises(EyesError) as caught:
        run(load(text, online()))
    assert caught.value.code.name == "URL_INVALID"
    assert "pw" not in caught.value.message


def test_https_is_verified_against_the_name_and_not_the_address(tmp_path: Path, monkeypatch):
    import ssl

    import certifi

    certificate = self_signed(tmp_path, "pictures.example")
    made = Site()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    made.server.socket = context.wrap_socket(made.server.socket, server_side=True)
    monkeypatch.setattr(certifi, "where", lambda: str(certificate))
    monkeypatch.setattr(made.server, "handle_error", lambda *_: None)
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        assert run(load(f"https://pictures.example:{made.port}/a.png", online())).data == DATA
        assert code_of(f"https://other.example:{made.port}/a.png", online()) == "URL_UNREACHABLE"
        made.answers["/down"] = (302, {"location": f"http://pictures.example:{made.port}/a.png"}, b"")
        assert code_of(f"https://pictures.example:{made.port}/down", online()) == "URL_REDIRECT_REFUSED"
    finally:
        made.server.shutdown()
        made.server.server_close()
        thread.join()


def self_signed(folder: Path, name: str) -> Path:
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    place = folder / "server.pem"
    place.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return place

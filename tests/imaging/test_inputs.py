"""Where pictures come from."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.imaging.addresses import is_public
from deepseekeyes.imaging.inputs import CarriedError, Failed, InputDeps, Loaded, expand, load, load_many
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.store.blobs import Blobs

DATA = b"\x89PNG\r\n\x1a\n some bytes"
SHA = hashlib.sha256(DATA).hexdigest()


def deps(**changes: Any) -> InputDeps:
    blobs = Blobs(None)
    blobs.put(DATA)
    return InputDeps(**{"limits": IntakeLimits(max_bytes=1_000), "blobs": blobs, **changes})


def code_of(text: str, given: InputDeps) -> str:
    with pytest.raises(EyesError) as caught:
        run(load(text, given))
    assert "{" not in caught.value.hint
    return caught.value.code.name


async def gathered(texts: tuple[str, ...], given: InputDeps) -> list[Loaded | Failed]:
    return [entry async for entry in load_many(texts, given)]


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.png", "no extension", "漢字.png", "sha1:odd.png", "-dash.png"])
def test_a_file_is_read_whatever_its_name(tmp_path: Path, monkeypatch, name):
    (tmp_path / name).write_bytes(DATA)
    monkeypatch.chdir(tmp_path)

    assert run(load(name, deps())) == Loaded(DATA, name, "file")


def test_a_link_to_a_file_is_followed(tmp_path: Path):
    (tmp_path / "real.png").write_bytes(DATA)
    (tmp_path / "link.png").symlink_to(tmp_path / "real.png")

    assert run(load(str(tmp_path / "link.png"), deps())).data == DATA


def test_a_file_needs_no_event_loop(tmp_path: Path):
    (tmp_path / "a.png").write_bytes(DATA)
    code = (
        "import sys; from deepseekeyes.core.eventloop import run; from deepseekeyes.imaging.inputs import *; "
        "from deepseekeyes.imaging.settings import IntakeLimits; "
        "deps = InputDeps(limits=IntakeLimits(), blobs=None); "
        "print(len(run(load(sys.argv[1], deps)).data), 'asyncio' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.png")], capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == [str(len(DATA)), "False"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("missing.png", "INPUT_MISSING"),
        ("file.png/inside.png", "INPUT_MISSING"),
        ("", "INPUT_MISSING"),
        (".", "INPUT_DIRECTORY"),
        ("/dev/null", "INPUT_NOT_REGULAR"),
        ("/dev/zero", "INPUT_NOT_REGULAR"),
        ("x" * 5_000, "INPUT_UNREADABLE"),
        ("a\x00b", "INPUT_UNREADABLE"),
    ],
)
def test_what_is_no_readable_file_has_a_code_of_its_own(tmp_path: Path, monkeypatch, name, code):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.png").write_bytes(DATA)

    assert code_of(name, deps()) == code


def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")

    assert code_of(str(tmp_path / "pipe"), deps()) == "INPUT_NOT_REGULAR"


def test_a_socket_is_refused(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        assert code_of("s", deps()) == "INPUT_NOT_REGULAR"


def test_a_missing_file_names_the_one_that_was_meant(tmp_path: Path):
    (tmp_path / "chart.png").write_bytes(DATA)

    with pytest.raises(EyesError) as caught:
        run(load(str(tmp_path / "chrat.png"), deps()))
    assert caught.value.details == {"candidates": [str(tmp_path / "chart.png")]}


def test_a_file_without_permission_has_its_own_code(tmp_path: Path):
    secret = tmp_path / "secret.png"
    secret.write_bytes(DATA)
    secret.chmod(0)
    tmp_path.chmod(0o755)
    if os.geteuid() != 0:
        assert code_of(str(secret), deps()) == "INPUT_PERMISSION"
        return
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        for parent in reversed(secret.parents):
            with_access = parent.stat().st_mode | 0o011
            if parent.is_relative_to("/tmp") and parent != Path("/tmp"):
                parent.chmod(with_access)
        os.setuid(65_534)
        try:
            run(load(str(secret), deps()))
        except EyesError as error:
            os.write(write, error.code.name.encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    assert os.read(read, 100) == b"INPUT_PERMISSION"
    os.close(read)


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path):
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(1 << 40)

    assert code_of(str(tmp_path / "huge.png"), deps()) == "IMAGE_TOO_MANY_BYTES"


def test_a_door_may_refuse_paths_or_hold_them_to_folders(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(DATA)
    (tmp_path / "out.png").write_bytes(DATA)
    (tmp_path / "in" / "link.png").symlink_to(tmp_path / "out.png")
    roots = deps(roots=(tmp_path / "in",))

    assert run(load(str(tmp_path / "in" / "a.png"), roots)).data == DATA
    for name in ("out.png", "in/../out.png", "in/link.png", "nowhere.png"):
        assert code_of(str(tmp_path / name), roots) == "INPUT_PATH_REFUSED"
    assert code_of(str(tmp_path / "in" / "a.png"), deps(allow_paths=False)) == "INPUT_PATH_REFUSED"
    assert run(load(f"sha256:{SHA}", deps(allow_paths=False))).data == DATA


# --- store, data URLs -----------------------------------------------------------------------------------------------


def test_a_stored_picture_is_named_by_its_hash():
    assert run(load(f"sha256:{SHA}", deps())) == Loaded(DATA, f"sha256:{SHA}", "store")


@pytest.mark.parametrize(
    "text", ["sha256:", "sha256:abc", f"sha256:{SHA.upper()}", f"sha256:{SHA}\n", f"sha256:{SHA}0"]
)
def test_a_hash_is_written_in_one_way(text):
    assert code_of(text, deps()) == "INPUT_HASH_INVALID"


def test_a_hash_that_is_not_stored_is_not_found():
    assert code_of(f"sha256:{'0' * 64}", deps()) == "BLOB_NOT_FOUND"


def packed(data: bytes = DATA) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    "text",
    [
        f"data:image/png;base64,{packed()}",
        f"data:text/plain;charset=utf-8;base64,{packed()}",
        f"DATA:image/jpeg;BASE64,{packed()}",
        f"data:;base64,{packed().rstrip('=')}",
        f"data:image/png;base64,{packed()[:10]}\n  {packed()[10:]}",
        f"data:image/png;base64,{quote(packed(), safe='')}",
        f"data:image/png,{quote(DATA)}",
    ],
)
def test_a_data_url_is_read_and_its_declared_type_ignored(text):
    loaded = run(load(text, deps()))

    assert (loaded.data, loaded.origin) == (DATA, "data-url")
    assert len(loaded.label) < 100


@pytest.mark.parametrize("text", ["data:", "data:image/png;base64", "data:image/png;base64,*!", "data:;base64,A"])
def test_a_broken_data_url_has_its_own_code(text):
    assert code_of(text, deps()) == "INPUT_DATA_URL_INVALID"


@pytest.mark.parametrize(
    "text", [f"data:;base64,{packed(bytes(1_001))}", "data:," + "a" * 1_001, "data:," + "a" * 10_000]
)
def test_a_data_url_is_held_to_the_byte_limit(text):
    assert code_of(text, deps()) == "IMAGE_TOO_MANY_BYTES"


@pytest.mark.parametrize("text", ["ftp://h/a.png", "file:///etc/passwd", "javascript:alert(1)", "s3://bucket/a.png"])
def test_other_addresses_are_refused(text):
    assert code_of(text, deps(allow_url=True)) == "INPUT_SCHEME_UNSUPPORTED"


# --- standard input -------------------------------------------------------------------------------------------------


def observed(*hashes: str) -> bytes:
    shots = [{"sha256": sha, "mediaType": "image/png", "bytes": 1, "width": 1, "height": 1} for sha in hashes]
    return json.dumps({"schema": "deepseekeyes.browser-observation.v1", "screenshots": shots}).encode()


def test_raw_bytes_on_standard_input_are_the_picture():
    assert run(load("-", deps(stdin=DATA))) == Loaded(DATA, "-", "stdin")


def test_a_document_on_standard_input_stands_for_its_picture():
    assert run(load("-", deps(stdin=observed(SHA)))) == Loaded(DATA, f"sha256:{SHA}", "store")


@pytest.mark.parametrize(
    ("stdin", "code"),
    [
        (None, "STDIN_ABSENT"),
        (b"", "STDIN_EMPTY"),
        (b"a.png\n", "STDIN_BARE_PATH"),
        (observed(), "STDIN_NO_PICTURE"),
        (observed(SHA, "0" * 64), "STDIN_SEVERAL_PICTURES"),
        (observed("0" * 64), "BLOB_NOT_FOUND"),
        (bytes(1_001), "IMAGE_TOO_MANY_BYTES"),
        ("a.png".encode("utf-16"), "INPUT_UTF16"),
    ],
)
def test_standard_input_that_is_no_picture_has_its_own_code(stdin, code):
    assert code_of("-", deps(stdin=stdin)) == code


def test_a_broken_pipe_keeps_its_first_cause():
    document = {
        "schema": "deepseekeyes.error.v1",
        "error": {"code": "NO_SESSION", "kind": "input", "message": "m", "hint": "h", "details": {}},
    }

    with pytest.raises(CarriedError) as caught:
        run(load("-", deps(stdin=json.dumps(document).encode())))
    assert caught.value.document == document


def test_many_inputs_keep_their_order_and_a_failure_stops_nothing(tmp_path: Path):
    good = tmp_path / "a.png"
    good.write_bytes(DATA)

    entries = run(gathered((str(good), "missing.png", "-", f"sha256:{SHA}"), deps(stdin=observed(SHA, "1" * 64))))

    assert [getattr(entry, "error", None) and entry.error.code.name for entry in entries] == [
        None,
        "INPUT_MISSING",
        None,
        "BLOB_NOT_FOUND",
        None,
    ]
    assert [entry.label for entry in entries] == [
        str(good),
        "missing.png",
        f"sha256:{SHA}",
        f"sha256:{'1' * 64}",
        f"sha256:{SHA}",
    ]


def test_expanding_names_every_picture_without_loading_it():
    given = deps(stdin=observed(SHA, "1" * 64))

    assert expand(("a.png", "-"), given) == ("a.png", f"sha256:{SHA}", f"sha256:{'1' * 64}")


def test_labels_of_failures_show_no_credentials():
    entries = run(gathered(("https://bob:hunter2@h.example/a.png?token=abc#x",), deps()))

    assert [(entry.label, entry.error.code.name) for entry in entries] == [
        ("https://h.example/a.png", "URL_NOT_ALLOWED")
    ]


# --- URLs -----------------------------------------------------------------------------------------------------------


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

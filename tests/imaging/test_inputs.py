"""Where pictures come from: files, the store, data URLs, standard input."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.imaging.inputs import Failed, InputDeps, Loaded, expand, load, load_many
from deepseekeyes.imaging.piped import CarriedError
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
        ("loop.png", "PATH_LOOP"),
        ("loop.png/inside.png", "PATH_LOOP"),
        ("x" * 5_000, "INPUT_UNREADABLE"),
        ("a\x00b", "INPUT_UNREADABLE"),
    ],
)
def test_what_is_no_readable_file_has_a_code_of_its_own(tmp_path: Path, monkeypatch, name, code):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.png").write_bytes(DATA)
    (tmp_path / "loop.png").symlink_to("loop.png")

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


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder that everyone may enter, and file access without root's rights while the test runs."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        user = os.geteuid()
        try:
            if user == 0:
                os.seteuid(65_534)
            yield Path(name)
        finally:
            if user == 0:
                os.seteuid(0)


def test_a_file_without_permission_has_its_own_code(unprivileged: Path):
    effective = os.geteuid()
    secret = unprivileged / "secret.png"
    for mode in (0o644, 0):
        os.seteuid(os.getuid())
        secret.write_bytes(DATA)
        secret.chmod(mode)
        os.seteuid(effective)
        if mode:
            assert run(load(str(secret), deps())).data == DATA
        else:
            assert code_of(str(secret), deps()) == "INPUT_PERMISSION"


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

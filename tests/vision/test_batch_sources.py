"""Which pictures a folder, a pattern and a list stand for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepseekeyes.vision.batch_sources import Entry, is_list, lines, listed, natural


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def names(source: Path | str, top: Path, *, recursive: bool = False) -> list[str]:
    return [str(Path(entry.text).relative_to(top)) for entry in listed(str(source), recursive=recursive)]


def read(text: str, folder: Path | None = None) -> list[tuple[str, object, str | None]]:
    found = lines(text.encode("utf-8", "surrogateescape"), "list.jsonl", folder)
    return [(entry.text or entry.label, entry.frame, entry.error and entry.error.code.name) for entry in found]


def test_a_folder_gives_its_pictures_in_natural_order_without_hidden_and_other_files(tmp_path: Path) -> None:
    touch(*(tmp_path / name for name in ("p10.png", "p2.PNG", "p1.jpeg", "notes.txt", ".hidden.png", "q.heic")))
    touch(tmp_path / "inner" / "a.png", tmp_path / "folder.png" / "b.webp")
    assert names(tmp_path, tmp_path) == ["p1.jpeg", "p2.PNG", "p10.png", "q.heic"]
    whole = ["p1.jpeg", "p2.PNG", "p10.png", "q.heic", "folder.png/b.webp", "inner/a.png"]
    assert names(tmp_path, tmp_path, recursive=True) == whole


def test_links_are_followed_but_no_folder_is_entered_twice(tmp_path: Path) -> None:
    touch(tmp_path / "a" / "1.png", tmp_path / "b" / "2.png")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "b" / "self").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "round").symlink_to("round")
    (tmp_path / "c").symlink_to(tmp_path / "a")
    (tmp_path / "d.png").symlink_to(tmp_path / "b" / "2.png")
    assert names(tmp_path, tmp_path, recursive=True) == ["d.png", "a/1.png", "b/2.png"]


def test_a_folder_that_may_not_be_read_is_a_failure_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "open" / "1.png", tmp_path / "shut" / "2.png")
    scan = __import__("os").scandir

    def guarded(path: Path) -> object:
        if Path(path).name == "shut":
            raise PermissionError(13, "shut")
        return scan(path)

    monkeypatch.setattr("deepseekeyes.vision.batch_sources.os.scandir", guarded)
    entries = list(listed(str(tmp_path), recursive=True))
    assert [(Path(entry.label).name, entry.error and entry.error.code.name) for entry in entries] == [
        ("1.png", None),
        ("shut", "BATCH_FOLDER_UNREADABLE"),
    ]


def test_a_pattern_gives_every_file_that_fits_and_ends_where_links_run_in_circles(tmp_path: Path) -> None:
    touch(*(tmp_path / name for name in ("a10.png", "a9.png", "a.txt", "x/a1.png", ".a2.png")))
    (tmp_path / "x" / "up").symlink_to(tmp_path)
    assert names(f"{tmp_path}/a*.png", tmp_path) == ["a9.png", "a10.png"]
    assert names(f"{tmp_path}/**/*.png", tmp_path) == ["a9.png", "a10.png", "x/a1.png"]
    assert names(f"{tmp_path}/*", tmp_path) == ["a9.png", "a10.png", "a.txt"]
    assert names(f"{tmp_path}/?", tmp_path, recursive=True) == ["x/a1.png", "x/up/a9.png", "x/up/a10.png"]
    assert names(f"{tmp_path}/[", tmp_path) == []


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    touch(tmp_path / "a[1].png", tmp_path / "a1.png")
    assert names(tmp_path / "a[1].png", tmp_path) == ["a[1].png"]


@pytest.mark.parametrize("text", ["-", "sha256:" + "0" * 64, "data:image/png;base64,*", "https://x.example/*.png"])
def test_addresses_are_never_patterns(text: str) -> None:
    assert [entry.text for entry in listed(text, recursive=True)] == [text]


def test_a_list_has_paths_texts_and_objects_and_starts_from_its_own_folder(tmp_path: Path) -> None:
    text = 'a.png\r\n\n"b c.png"\n{"image": "/x/d.png", "frame": 2}\n{"image": "e.gif", "frame": "sheet"}\n'
    here = str(tmp_path)
    assert read(text, tmp_path) == [
        (f"{here}/a.png", None, None),
        (f"{here}/b c.png", None, None),
        ("/x/d.png", 2, None),
        (f"{here}/e.gif", "sheet", None),
    ]
    assert read("a.png") == [("a.png", None, None)]
    assert read("https://x.example/a.png?key=1") == [("https://x.example/a.png?key=1", None, None)]
    assert next(lines(b"https://x.example/a.png?key=1", "l", None)).label == "https://x.example/a.png"


@pytest.mark.parametrize(
    "line",
    [
        "[1]", "{", '"', '{"image": 1}', "{}", '{"image": "a", "frame": -1}', '{"image": "a", "frame": true}',
        '{"image": "a", "frame": 1.5}', '{"image": "a", "imgae": 1}', '{"image": ""}', "-", '"-"', '"a\\u0000b"',
        "\udcff.png", "[" * 100_000,
    ],
)  # fmt: skip
def test_a_bad_line_fails_alone_and_names_its_number(line: str) -> None:
    assert read(f"a.png\n{line}\nb.png") == [
        ("a.png", None, None),
        ("list.jsonl:2", None, "BATCH_LINE_INVALID"),
        ("b.png", None, None),
    ]


def test_only_an_existing_file_with_that_ending_is_a_list(tmp_path: Path) -> None:
    touch(tmp_path / "a.jsonl", tmp_path / "b.NDJSON", tmp_path / "c.json", tmp_path / "d.jsonl" / "x")
    found = [is_list(str(tmp_path / name)) for name in ("a.jsonl", "b.NDJSON", "c.json", "d.jsonl", "e.jsonl")]
    assert found == [True, True, False, False, False]


@settings(deadline=None)
@given(st.lists(st.text(max_size=12), max_size=12))
def test_natural_order_is_total(texts: list[str]) -> None:
    assert sorted(sorted(texts), key=natural) == sorted(sorted(texts, reverse=True), key=natural)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_list_of_some_kind(data: bytes) -> None:
    assert all(isinstance(entry, Entry) for entry in lines(data, "l", None))


@settings(deadline=None)
@given(st.text(min_size=1, max_size=40).filter(lambda text: text != "-" and "\x00" not in text))
def test_every_name_survives_as_json_text(name: str) -> None:
    [entry] = lines(json.dumps(name).encode(), "l", None)
    assert (entry.text, entry.error) == (name, None)

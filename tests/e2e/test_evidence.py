"""Evidence from the shell: real processes, the real local eye, one home."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "examples" / "images"
EYES = [sys.executable, "-m", "deepseekeyes"]


@pytest.fixture(autouse=True)
def without_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEKEYES_VISION_ACTIVE_PROBE", "false")


def eyes(*words: str, stdin: bytes | None = None) -> tuple[int, Any]:
    done = subprocess.run([*EYES, *words, "--json"], input=stdin, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


def words(size: tuple[int, int], text: str, path: Path) -> Path:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).text((10, 10), text, fill="black", font=ImageFont.load_default(size=24))
    picture.save(path)
    return path


def skipped(verification: Any) -> list[str]:
    assert {check["status"] for check in verification["checks"]} <= {"ok", "skipped"}
    return [check["id"] for check in verification["checks"] if check["status"] == "skipped"]


def leftovers(home: Path) -> list[str]:
    return [path.name for path in home.rglob("*") if "tmp" in path.name]


def test_a_picture_becomes_evidence_and_the_second_reading_is_the_stored_one(home: Path) -> None:
    status, first = eyes("vision", "read", str(PICTURES / "error-dialog.png"))
    again, second = eyes("vision", "read", str(PICTURES / "error-dialog.png"))
    texts = [entry["text"] for entry in first["evidence"]["ocr"]]
    assert (status, again) == (0, 0)
    assert "Error BK-4107: checksum mismatch in volume 3 of 8" in texts
    assert (first["cacheHit"], second["cacheHit"]) == (False, True)
    assert second["recordSha256"] == first["recordSha256"]
    assert [attempt["status"] for attempt in second["run"]["attempts"]] == ["cache-hit"]
    assert eyes("vision", "cache", "verify")[1]["valid"] is True


def test_several_inputs_are_a_batch_in_argument_order_and_partial_is_10(tmp_path: Path) -> None:
    a, b = words((200, 60), "alpha", tmp_path / "a.png"), words((200, 60), "beta", tmp_path / "b.png")
    status, batch = eyes("vision", "read", str(a), str(b), str(tmp_path / "missing.png"))
    assert (status, batch["succeeded"], batch["failed"]) == (10, 2, 1)
    assert [item["input"] for item in batch["items"]] == [str(a), str(b), str(tmp_path / "missing.png")]
    assert [item["record"]["evidence"]["ocr"][0]["text"] for item in batch["items"][:2]] == ["alpha", "beta"]
    assert batch["items"][2]["error"]["code"] == "INPUT_MISSING"


def test_a_batch_without_any_success_ends_with_the_first_failures_code(tmp_path: Path) -> None:
    status, batch = eyes("vision", "read", str(tmp_path / "x.png"), str(tmp_path / "y.png"))
    assert (status, batch["succeeded"], batch["failed"]) == (3, 0, 2)


def test_stages_chain_through_pipes_and_a_failure_keeps_its_first_cause(tmp_path: Path) -> None:
    picture = words((260, 60), "total 42", tmp_path / "a.png")
    _, record = eyes("vision", "read", str(picture))
    piped = json.dumps(record).encode()
    assert eyes("vision", "read", "-", stdin=piped)[1]["recordSha256"] == record["recordSha256"]
    status, answer = eyes("vision", "look", "-", "What is the total?", stdin=piped)
    assert (status, answer["kind"], answer["evidence"]["answer"]) == (0, "target", "total 42")
    by_hash = eyes("vision", "look", record["source"]["sha256"], "What is the total?")[1]
    assert by_hash["recordSha256"] == answer["recordSha256"]
    broken, error = eyes("vision", "read", str(tmp_path / "none.png"))
    passed_on = eyes("vision", "look", "-", "What?", stdin=json.dumps(error).encode())
    assert passed_on == (broken, error)


def test_fresh_supersedes_and_a_lookup_takes_the_latest(tmp_path: Path) -> None:
    picture = words((200, 60), "gamma", tmp_path / "a.png")
    _, first = eyes("vision", "read", str(picture))
    _, fresh = eyes("vision", "read", str(picture), "--fresh")
    _, latest = eyes("vision", "read", str(picture))
    assert (fresh["readId"], fresh["supersedes"]) == (2, first["recordSha256"])
    assert latest["recordSha256"] == fresh["recordSha256"]


def test_a_third_person_can_recheck_a_record_with_and_without_the_picture(tmp_path: Path, home: Path) -> None:
    picture = words((200, 60), "delta", tmp_path / "a.png")
    _, record = eyes("vision", "read", str(picture))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    elsewhere = ["--home", str(tmp_path / "elsewhere")]
    status, bare = eyes("vision", "validate", str(file), *elsewhere)
    assert status == 0
    assert skipped(bare) == ["record.key", "record.source-hash", "record.source-facts", "record.rendition"]
    status, whole = eyes("vision", "validate", str(file), "--image", str(picture), *elsewhere)
    assert (status, skipped(whole)) == (0, ["record.key"])
    record["evidence"]["ocr"][0]["text"] = "forged"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert eyes("vision", "validate", str(file), *elsewhere)[0] == 1


def test_text_in_the_answer_is_selected_and_each_repair_is_listed() -> None:
    answer = b'<think>{"summary":"draft"}</think>{"summary":"x","ocr":null}'
    status, judged = eyes(
        "vision", "validate", "-", "--variant", "base", "--width", "100", "--height", "100", stdin=answer
    )
    assert (status, judged["selected"]) == (0, {"summary": "x", "ocr": None})
    assert [repair["path"] for repair in judged["repairs"]][:2] == ["/schemaVersion", "/ocr"]


def test_eight_processes_read_the_same_and_different_pictures_at_once(tmp_path: Path, home: Path) -> None:
    same = words((160, 50), "same", tmp_path / "same.png")
    own = [words((160, 50), f"own {index}", tmp_path / f"{index}.png") for index in range(8)]
    running = [
        subprocess.Popen(
            [*EYES, "vision", "read", str(same), str(own[index]), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for index in range(8)
    ]
    results = [(process, *process.communicate(timeout=110)) for process in running]
    assert [(process.returncode, err) for process, _, err in results] == [(0, b"")] * 8
    batches = [json.loads(out) for _, out, _ in results]
    assert len({batch["items"][0]["record"]["recordSha256"] for batch in batches}) == 1
    assert {json.dumps(batch["items"][0]["record"]["persistence"]) for batch in batches} == {
        '{"healthy": true, "code": null}'
    }
    assert len(list((home / "evidence").rglob("*.json"))) == 9
    assert leftovers(home) == []
    assert eyes("vision", "cache", "verify")[1]["valid"] is True


@pytest.mark.parametrize("moment", [0.2, 0.6, 1.0, 1.6])
def test_a_process_killed_half_way_leaves_a_usable_home(moment: float, tmp_path: Path, home: Path) -> None:
    picture = words((160, 50), "killed", tmp_path / "a.png")
    process = subprocess.Popen(
        [*EYES, "vision", "read", str(picture), "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(timeout=moment)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    status, record = eyes("vision", "read", str(picture))
    assert (status, record["evidence"]["ocr"][0]["text"]) == (0, "killed")
    assert eyes("vision", "cache", "verify")[1]["valid"] is True
    assert [check for check in eyes("doctor")[1]["checks"] if check["status"] == "failed"] == []

"""Batches from the shell: real processes, real interruptions, a real cluster."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

EYES = [sys.executable, "-m", "deepseekeyes"]
PATIENCE = 110.0


@pytest.fixture(autouse=True)
def without_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEKEYES_VISION_ACTIVE_PROBE", "false")


def pictures(folder: Path, count: int) -> Path:
    from PIL import Image, ImageDraw, ImageFont

    folder.mkdir()
    for index in range(count):
        picture = Image.new("RGB", (150, 44), "white")
        ImageDraw.Draw(picture).text((8, 8), f"page {index}", fill="black", font=ImageFont.load_default(size=22))
        picture.save(folder / f"{index}.png")
    return folder


def started(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*EYES, "vision", "batch", *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def finished(process: subprocess.Popen[bytes]) -> tuple[int, list[Any], bytes]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, [json.loads(line) for line in out.splitlines()], err


def first_line(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    line: dict[str, Any] = json.loads(process.stdout.readline())
    return line


def workers(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    children = psutil.Process(process.pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def gone(processes: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(processes, timeout=60)[1]


def texts(lines: list[Any]) -> dict[str, str]:
    return {
        Path(line["input"]).name: line["record"]["evidence"]["ocr"][0]["text"]
        for line in lines
        if line.get("record") is not None
    }


def test_a_folder_is_read_by_processes_and_the_second_run_is_answered_from_the_store(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "shots", 3)
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "notes.txt").write_text("not a picture", encoding="utf-8")
    status, lines, err = finished(started(str(folder), "--jobs", "2"))
    again, second, _ = finished(started(str(folder), "--jobs", "2"))
    summary = lines[-1]
    assert (status, again, err) == (10, 10, b"")
    assert sorted(line["index"] for line in lines[:-1]) == [0, 1, 2, 3]
    assert texts(lines) == {"0.png": "page 0", "1.png": "page 1", "2.png": "page 2"}
    assert (summary["schema"], summary["place"]) == ("deepseekeyes.evidence-batch-summary.v1", "processes")
    assert (summary["total"], summary["succeeded"], summary["failed"], summary["cached"]) == (4, 3, 1, 0)
    assert [(one["index"], one["error"]["code"]) for one in summary["failures"]] == [(3, "IMAGE_TRUNCATED")]
    assert (second[-1]["succeeded"], second[-1]["cached"]) == (3, 3)
    assert {line["record"]["recordSha256"] for line in lines[:-1] if line["record"]} == {
        line["record"]["recordSha256"] for line in second[:-1] if line["record"]
    }


def test_an_interrupted_batch_keeps_what_is_done_leaves_no_process_and_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "shots", 12)
    process = started(str(folder), "--jobs", "2")
    first = first_line(process)
    children = workers(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    shown = [first, *(json.loads(line) for line in out.splitlines())]
    assert process.returncode == 130
    assert shown[-1]["error"]["code"] == "INTERRUPTED"
    assert b"Traceback" not in err
    assert len(children) >= 1
    assert gone(children)
    status, lines, _ = finished(started(str(folder), "--jobs", "2"))
    assert (status, lines[-1]["succeeded"]) == (0, 12)
    assert 12 > lines[-1]["cached"] >= len(shown) - 1


def test_a_reader_that_dies_loses_no_picture(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "shots", 8)
    process = started(str(folder), "--jobs", "2")
    first = first_line(process)
    workers(process)[0].kill()
    status, lines, err = finished(process)
    assert (status, err) == (0, b"")
    assert lines[-1]["succeeded"] == 8
    assert texts([first, *lines]) == {f"{index}.png": f"page {index}" for index in range(8)}


def test_readers_end_when_the_process_that_started_them_is_killed(tmp_path: Path) -> None:
    process = started(str(pictures(tmp_path / "shots", 12)), "--jobs", "2")
    first_line(process)
    children = workers(process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert gone(children)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers of one thread, as an operator would start them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    environ = {**os.environ, "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "false"}
    dask = [sys.executable, "-m", "distributed.cli.dask_worker"]
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port)]
    worker = [*dask, address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path)]
    running: list[subprocess.Popen[bytes]] = []
    try:
        running.extend(
            subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for command in ([*scheduler, "--no-dashboard"], worker, worker)
        )
        yield address, running
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.timeout(240)
def test_a_cluster_reads_and_a_worker_that_is_lost_loses_nothing(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPSEEKEYES_VISION_BATCH_CLUSTER_WAIT_MS", "90000")
    address, (_, doomed, _) = cluster
    folder = pictures(tmp_path / "shots", 8)
    process = started(str(folder), "--cluster", address)
    first = first_line(process)
    doomed.kill()
    status, lines, err = finished(process)
    assert (status, lines[-1]["place"], lines[-1]["succeeded"]) == (0, "cluster", 8), err
    assert texts([first, *lines]) == {f"{index}.png": f"page {index}" for index in range(8)}
    assert (
        subprocess.run([*EYES, "vision", "cache", "verify", "--json"], check=False, capture_output=True).returncode == 0
    )


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEKEYES_VISION_BATCH_CLUSTER_WAIT_MS", "300")
    folder = pictures(tmp_path / "shots", 1)
    status, lines, _ = finished(started(str(folder), "--cluster", "tcp://127.0.0.1:9"))
    assert (status, lines[-1]["error"]["code"]) == (5, "CLUSTER_UNREACHABLE")

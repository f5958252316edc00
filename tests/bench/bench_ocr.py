"""The local eye against rapidocr called directly with its classifier off, over the example pictures, in one run.

    python tests/bench/bench_ocr.py [--rounds 3] [--json FILE] [PICTURE...]

Both read every picture in turn, interleaved, the best of the rounds counts; what matters are the ratios of one run, so
other work on the machine hits both. Exits 1 unless mean accuracy is at least rapidocr's, no picture is more than a
point below it, the time is at most 0.85 of its time (goal 0.65), and the layer above reading (order, groups, codes,
colours, shapes, wording) costs at most 0.10 of its time. Peak memory is measured in a process of its own for each.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ocr_score import accuracy

IMAGES = Path(__file__).parents[2] / "examples" / "images"
TIME_LIMIT, TIME_GOAL, LAYER_LIMIT, POINT = 0.85, 0.65, 0.10, 0.01


@dataclass
class Timed:
    """Best wall and processor seconds over the rounds, and the last result."""

    wall: float = float("inf")
    cpu: float = float("inf")
    result: Any = None

    def take(self, work: Callable[[], Any]) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        self.result = work()
        self.wall = min(self.wall, time.perf_counter() - wall)
        self.cpu = min(self.cpu, time.process_time() - cpu)


@dataclass
class Row:
    """One picture: rapidocr, the eye as a whole, and the eye's layer above reading alone."""

    name: str
    truth: dict[str, Any]
    theirs: Timed = field(default_factory=Timed)
    ours: Timed = field(default_factory=Timed)
    layer: Timed = field(default_factory=Timed)
    scores: tuple[float, float] = (0.0, 0.0)


def pixels(name: str) -> Any:
    """BGR pixels of an example, upright."""
    import numpy as np
    from PIL import Image, ImageOps

    with Image.open(IMAGES / name) as opened:
        upright = ImageOps.exif_transpose(opened).convert("RGB")
    return np.ascontiguousarray(np.asarray(upright)[:, :, ::-1])


def rapidocr() -> Callable[[Any], list[tuple[list[float], str]]]:
    """The engine called directly: bundled small weights, classifier off, everything else as it comes."""
    from rapidocr import RapidOCR

    from deepseekeyes.routing.adapters.local.identity import weights

    found = weights()
    paths = {"Det.model_path": str(found.detection), "Rec.model_path": str(found.recognition)}
    engine = RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False, **paths})

    def read(picture: Any) -> list[tuple[list[float], str]]:
        answer = engine(picture)
        lines = []
        for quad, text in zip(answer.boxes if answer.boxes is not None else (), answer.txts or (), strict=True):
            (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
            lines.append(([float(left), float(top), float(right - left), float(bottom - top)], text))
        return lines

    return read


def measured(names: list[str], rounds: int) -> list[Row]:
    """Every picture read by both, interleaved."""
    from deepseekeyes.routing.adapters.local.base_document import base_document
    from deepseekeyes.routing.adapters.local.engine import LocalEye
    from deepseekeyes.routing.adapters.local.lines import Found
    from deepseekeyes.routing.adapters.local.scene import arranged

    eye, theirs = LocalEye(), rapidocr()
    rows = [Row(name, json.loads((IMAGES / f"{Path(name).stem}.truth.json").read_text("utf-8"))) for name in names]
    for _ in range(rounds):
        for row in rows:
            picture = pixels(row.name)
            row.theirs.take(lambda picture=picture: theirs(picture))
            row.ours.take(lambda picture=picture: (scene := eye.see(picture), base_document(scene)))
            scene = row.ours.result[0]
            found = Found(scene.lines, scene.illegible, scene.omitted)
            row.layer.take(lambda picture=picture, found=found: base_document(arranged(picture, found)))
    for row in rows:
        lines = [(list(line.box), line.text) for line in row.ours.result[0].lines]
        row.scores = (accuracy(row.truth, row.theirs.result), accuracy(row.truth, lines))
    return rows


def peak(who: str, names: list[str]) -> float:
    """Peak resident MB of a process in which only `who` reads the pictures."""
    command = [sys.executable, __file__, "--peak", who, *names]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def peak_here(who: str, names: list[str]) -> float:
    """The same, in this process."""
    if who == "theirs":
        read = rapidocr()
    else:
        from deepseekeyes.routing.adapters.local.engine import LocalEye

        read = LocalEye().see  # type: ignore[assignment]
    for name in names:
        read(pixels(name))
    return resident_peak()


def resident_peak() -> float:
    """Peak resident MB of this program; what its parent held before it was started does not count."""
    status = Path("/proc/self/status")
    if status.exists():
        peak = next(line for line in status.read_text("utf-8").splitlines() if line.startswith("VmHWM"))
        return int(peak.split()[1]) * 1024 / 1_000_000
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000_000


def summed(rows: list[Row], names: list[str]) -> dict[str, Any]:
    """The figures that are judged."""
    theirs = sum(row.theirs.wall for row in rows)
    return {
        "accuracyTheirs": round(sum(row.scores[0] for row in rows) / len(rows), 4),
        "accuracyOurs": round(sum(row.scores[1] for row in rows) / len(rows), 4),
        "worstDifference": round(min(row.scores[1] - row.scores[0] for row in rows), 4),
        "secondsTheirs": round(theirs, 2),
        "secondsOurs": round(sum(row.ours.wall for row in rows), 2),
        "timeRatio": round(sum(row.ours.wall for row in rows) / theirs, 3),
        "processorRatio": round(sum(row.ours.cpu for row in rows) / sum(row.theirs.cpu for row in rows), 3),
        "layerRatio": round(sum(row.layer.wall for row in rows) / theirs, 3),
        "peakMegabytesTheirs": round(peak("theirs", names)),
        "peakMegabytesOurs": round(peak("ours", names)),
    }


def failures(total: dict[str, Any]) -> list[str]:
    """What is not as demanded."""
    found = []
    if total["accuracyOurs"] < total["accuracyTheirs"]:
        found.append("mean accuracy is below rapidocr's")
    if total["worstDifference"] < -POINT:
        found.append("a picture is more than a point below rapidocr")
    if total["timeRatio"] > TIME_LIMIT:
        found.append(f"time is above {TIME_LIMIT} of rapidocr's")
    if total["layerRatio"] > LAYER_LIMIT:
        found.append(f"the layer costs more than {LAYER_LIMIT} of rapidocr's time")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="*", help="names in examples/images; all when absent")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--peak", choices=("ours", "theirs"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    names = given.pictures or [
        json.loads(path.read_text("utf-8"))["picture"] for path in sorted(IMAGES.glob("*.truth.json"))
    ]
    if given.peak:
        print(peak_here(given.peak, names))
        return 0
    rows = measured(names, given.rounds)
    print(f"{'picture':20} {'rapidocr':>9} {'ours':>7} {'seconds':>8} {'ours':>6} {'ratio':>6} {'layer ms':>9}")
    for row in rows:
        ratio = row.ours.wall / row.theirs.wall
        print(
            f"{row.name:20} {row.scores[0]:9.4f} {row.scores[1]:7.4f} {row.theirs.wall:8.2f} {row.ours.wall:6.2f} "
            f"{ratio:6.2f} {row.layer.wall * 1000:9.0f}"
        )
    total = summed(rows, names)
    print(json.dumps(total, indent=1))
    if given.json:
        given.json.write_text(json.dumps(total, indent=1) + "\n", "utf-8")
    print(f"goal of {TIME_GOAL} reached" if total["timeRatio"] <= TIME_GOAL else f"goal of {TIME_GOAL} not reached")
    found = failures(total)
    for failure in found:
        print(f"FAILED: {failure}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

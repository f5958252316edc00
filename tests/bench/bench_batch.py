"""A batch over both cores against the text engine called directly, on one thread and as it comes, in one run.

    python tests/bench/bench_batch.py [--count 24] [--cores 2] [--json FILE]

The pictures are the examples, each copy marked so that none is answered from the store; `--count 200` is the full
measurement. The batch is the command as it is typed, start-up, evidence, validation and storing included; the engine
is rapidocr with its classifier off, which only finds and reads lines. The engine's turns lie around the batch, so that
other work on the machine hits both. Processor seconds are printed, too: one thread's over the batch's share of each
core is what the first ratio comes to on a machine with nothing else to do. Exits 1 unless the batch is at least 1.8
times as fast as one thread and 1.3 times as fast as the engine's defaults.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

IMAGES = Path(__file__).parents[2] / "examples" / "images"
ONE_THREAD, DEFAULTS = 1.8, 1.3


def copies(folder: Path, count: int) -> list[Path]:
    """Marked copies of the example pictures."""
    from PIL import Image, ImageDraw, ImageOps

    sources = sorted(path for path in IMAGES.iterdir() if path.suffix in (".png", ".jpg"))
    made = []
    for index in range(count):
        with Image.open(sources[index % len(sources)]) as opened:
            picture = ImageOps.exif_transpose(opened).convert("RGB")
        ImageDraw.Draw(picture).rectangle((0, 0, 3, 3), fill=(index % 256, index // 256, 128))
        path = folder / f"{index:04d}.png"
        picture.save(path, compress_level=1)
        made.append(path)
    return made


def engine(threads: int | None) -> Callable[[Path], Any]:
    """rapidocr called directly, its networks loaded."""
    import numpy as np
    from PIL import Image
    from rapidocr import RapidOCR

    from deepseekeyes.routing.adapters.local.identity import weights

    found = weights()
    parameters = {
        "Global.log_level": "critical",
        "Global.use_cls": False,
        "Det.model_path": str(found.detection),
        "Rec.model_path": str(found.recognition),
    }
    if threads is not None:
        parameters["EngineConfig.onnxruntime.intra_op_num_threads"] = threads
        parameters["EngineConfig.onnxruntime.inter_op_num_threads"] = threads
    reader = RapidOCR(params=parameters)

    def read(path: Path) -> Any:
        with Image.open(path) as opened:
            return reader(np.ascontiguousarray(np.asarray(opened.convert("RGB"))[:, :, ::-1]))

    return read


class Spent(NamedTuple):
    """Wall and processor seconds."""

    wall: float
    cpu: float

    def __add__(self, other: Any) -> Spent:
        return Spent(self.wall + other.wall, self.cpu + other.cpu)


def engine_time(threads: int | None, paths: Sequence[Path]) -> Spent:
    """Seconds for the pictures, loading left out."""
    read = engine(threads)
    wall, cpu = time.perf_counter(), time.process_time()
    for path in paths:
        read(path)
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def children() -> float:
    """Processor seconds of every ended child."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def batch_time(folder: Path, home: Path, cores: int) -> Spent:
    """Seconds for the whole command in an empty home."""
    command = [sys.executable, "-m", "deepseekeyes", "vision", "batch", str(folder), "--jobs", str(cores), "--json"]
    environ = {**os.environ, "DEEPSEEKEYES_HOME": str(home)}
    wall, cpu = time.perf_counter(), children()
    done = subprocess.run(command, env=environ, check=True, capture_output=True)
    spent = Spent(time.perf_counter() - wall, children() - cpu)
    summary = json.loads(done.stdout.splitlines()[-1])
    assert summary["failed"] == summary["cached"] == 0
    return spent


def measured(count: int, cores: int) -> dict[str, float]:
    """Seconds of the three, and the two ratios."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "pictures"
        folder.mkdir()
        paths = copies(folder, count)
        halves = paths[: count // 2], paths[count // 2 :]
        one, usual = engine_time(1, halves[0]), engine_time(None, halves[0])
        batch = batch_time(folder, Path(place) / "home", cores)
        usual += engine_time(None, halves[1])
        one += engine_time(1, halves[1])
    return {
        "pictures": count,
        "cores": cores,
        "engineOneThreadSeconds": round(one.wall, 2),
        "engineDefaultsSeconds": round(usual.wall, 2),
        "batchSeconds": round(batch.wall, 2),
        "engineOneThreadCpu": round(one.cpu, 2),
        "batchCpu": round(batch.cpu, 2),
        "overOneThreadIfIdle": round(one.cpu * cores / batch.cpu, 2),
        "overOneThread": round(one.wall / batch.wall, 2),
        "overDefaults": round(usual.wall / batch.wall, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = measured(options.count, options.cores)
    for name, value in found.items():
        print(f"{name:24} {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    good = found["overOneThread"] >= ONE_THREAD and found["overDefaults"] >= DEFAULTS
    print("passed" if good else f"failed: wanted {ONE_THREAD} and {DEFAULTS}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

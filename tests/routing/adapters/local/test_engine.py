"""The local eye as an engine: what it takes, what it refuses, and that it stays out of the way."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.evidence.validate import problems
from deepseekeyes.routing.adapters.local.engine import EyeLimits, LocalEye
from deepseekeyes.routing.adapters.local.identity import identity
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import Message, Picture

ROUTE = Route(id="local", engine="local", model="any", capabilities=("image_to_evidence",))


def test_a_reading_is_valid_evidence_and_names_who_read(eye, written, picture_of, asked):
    reply = run(eye.run(ROUTE, asked(picture_of(written("Save changes before closing?")))))

    assert reply.served_model == identity()
    assert not problems(reply.document, "base")
    assert [entry["text"] for entry in reply.document["ocr"]] == ["Save changes before closing?"]


def test_a_question_is_answered_with_valid_target_evidence(eye, written, picture_of, asked):
    picture = picture_of(written("Invoice 2207", "Total due 18.40", "Thank you"))

    reply = run(eye.run(ROUTE, asked(picture, "What is the total?")))

    assert not problems(reply.document, "target")
    assert reply.document["answer"] == "Total due 18.40"


def test_the_event_loop_goes_on_while_a_picture_is_read(written, picture_of, asked):
    going = threading.Event()

    class Slow(LocalEye):
        def see(self, pixels):
            assert going.wait(30)
            return super().see(pixels)

    async def both():
        reading = asyncio.ensure_future(Slow(threads=1).run(ROUTE, asked(picture_of(written("still here")))))
        while not reading.done():
            going.set()
            await asyncio.sleep(0.01)
        return await reading

    assert asyncio.run(both()).document["ocr"][0]["text"] == "still here"


def test_pictures_read_at_once_give_what_each_gives_alone(eye, written, picture_of, asked):
    pictures = [picture_of(written(text, size=(300, 70))) for text in ("first page 1", "other page 2", "last page 3")]
    alone = [eye.read(picture, asked(picture)) for picture in pictures]

    async def at_once():
        return await asyncio.gather(*(eye.run(ROUTE, asked(picture)) for picture in pictures))

    assert [reply.document for reply in asyncio.run(at_once())] == alone


@pytest.mark.parametrize("change", [{"messages": ()}, {"messages": (Message("user", "no picture"),)}])
def test_a_request_without_a_picture_is_refused(eye, written, picture_of, asked, change):
    request = replace(asked(picture_of(written("x"))), **change)

    with pytest.raises(EyesError) as refused:
        run(eye.run(ROUTE, request))

    assert refused.value.code.name == "LOCAL_EYE_PICTURE"


def test_two_pictures_and_undecodable_bytes_and_other_capabilities_are_refused(eye, written, picture_of, asked):
    picture = picture_of(written("x"))
    request = asked(picture)
    broken = Picture(b"no picture at all", "image/png", 10, 10, "0" * 64)
    cases = {
        "LOCAL_EYE_PICTURE": replace(request, messages=(Message("user", "", (picture, picture)),)),
        "LOCAL_EYE_CAPABILITY": replace(request, capability="text_to_text"),
    }
    codes = {}
    for expected, case in [*cases.items(), ("LOCAL_EYE_PICTURE", asked(broken))]:
        with pytest.raises(EyesError) as refused:
            run(eye.run(ROUTE, case))
        codes[expected] = refused.value.code.name

    assert codes == {name: name for name in cases}


def test_lines_beyond_the_limit_are_counted_and_the_largest_are_kept(written, picture_of, asked):
    picture = picture_of(written("a rather long first line", "short", "another long line of text"))

    document = LocalEye(limits=EyeLimits(max_lines=2)).read(picture, asked(picture))

    assert [entry["text"] for entry in document["ocr"]] == ["a rather long first line", "another long line of text"]
    assert any(doubt.startswith("1 further line was not read") for doubt in document["uncertainties"])


OFFLINE = """
import sys
def hook(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request", "subprocess.Popen"):
        raise SystemExit(f"reached out: {event} {args}")
sys.addaudithook(hook)
import io, pathlib
from PIL import Image, ImageDraw
from deepseekeyes.routing.adapters.local.engine import LocalEye
from deepseekeyes.routing.adapters.local.identity import weights
folder = weights().detection.parent
before = sorted(path.name for path in folder.iterdir())
image = Image.new("RGB", (400, 120), "white")
ImageDraw.Draw(image).text((20, 30), "OFFLINE 42", fill="black", font_size=40)
import numpy as np
scene = LocalEye(threads=1).see(np.ascontiguousarray(np.asarray(image)[:, :, ::-1]))
assert sorted(path.name for path in folder.iterdir()) == before
print([line.text for line in scene.lines], sorted({"rapidocr", "requests", "omegaconf"} & set(sys.modules)))
"""


def test_a_fresh_process_reads_without_reaching_out_and_without_the_heavy_half_of_rapidocr():
    done = subprocess.run([sys.executable, "-c", OFFLINE], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "['OFFLINE 42'] []\n", "")

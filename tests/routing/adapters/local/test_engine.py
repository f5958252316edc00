"""The local eye as an engine: what it takes, what it refuses, and that it stays out of the way."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.evidence.validate import problems
from deepseekeyes.routing.adapters.local.engine import LocalEye
from deepseekeyes.routing.adapters.local.identity import identity
from deepseekeyes.routing.adapters.local.stopping import ReadingStopped, Stop
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import Message, Picture

pytestmark = pytest.mark.service

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
        def see(self, *what):
            assert going.wait(30)
            return super().see(*what)

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


def test_lines_beyond_the_limit_are_counted_and_the_largest_are_kept(eye, written, picture_of, asked):
    picture = picture_of(written("a rather long first line", "short", "another long line of text"))

    narrow = ROUTE.model_copy(update={"options": {"max_lines": 2}})
    document = run(eye.run(narrow, asked(picture))).document

    assert [entry["text"] for entry in document["ocr"]] == ["a rather long first line", "another long line of text"]
    told = [doubt for doubt in document["uncertainties"] if "`vision.local.max_lines`" in doubt]
    assert [doubt.partition(" not read")[0] for doubt in told] == ["1 further place was"]


@pytest.mark.parametrize("options", [{"max_lines": 0}, {"max_lines": 5001}, {"lines": 3}, {"strip_pixels": "many"}])
def test_options_that_are_no_bounds_are_refused_before_anything_is_read(picture_of, written, asked, options):
    route = ROUTE.model_copy(update={"options": options})

    with pytest.raises(EyesError) as refused:
        run(LocalEye().run(route, asked(picture_of(written("x")))))

    assert refused.value.code.name == "LOCAL_EYE_OPTIONS"
    assert refused.value.details["path"] == f"/routes/local/options/{next(iter(options))}"


def test_lists_say_which_setting_cut_them(eye, example, asked):
    picture, _ = example("dark-settings")
    route = ROUTE.model_copy(update={"options": {"max_objects": 1, "max_regions": 1}})

    document = run(eye.run(route, asked(picture))).document

    assert (len(document["objects"]), len(document["regions"])) == (1, 1)
    for name in ("max_objects", "max_regions"):
        assert sum(f"`vision.local.{name}`" in doubt for doubt in document["uncertainties"]) == 1


def test_codes_beyond_the_limit_are_counted(eye, asked, picture_of):
    import zxingcpp

    sheet = Image.new("L", (700, 260), 255)
    for place, text in enumerate(("first", "second", "third")):
        code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode).to_image(scale=6)
        sheet.paste(Image.fromarray(np.asarray(code)), (20 + 220 * place, 20))
    route = ROUTE.model_copy(update={"options": {"max_codes": 2}})

    document = run(eye.run(route, asked(picture_of(sheet)))).document

    assert sum(item["name"] == "code" for item in document["objects"]) == 2
    assert any(doubt.startswith("1 further QR or bar code is not listed") for doubt in document["uncertainties"])


def test_a_cancelled_reading_ends_before_its_next_line(written, picture_of, asked):
    read, begun = [], threading.Event()

    class Counting:
        def __init__(self, session):
            self.session = session

        def get_inputs(self):
            return self.session.get_inputs()

        def run(self, names, feed, options):
            read.append(feed)
            begun.set()
            while not options.terminate:
                begun.wait(0.01)
            return self.session.run(names, feed)

    eye = LocalEye(threads=1)
    tools = eye.load()
    tools.recogniser._session = Counting(tools.recogniser._session)

    async def broken_off():
        reading = asyncio.ensure_future(
            eye.run(ROUTE, asked(picture_of(written("one line", "and another", "and a third"))))
        )
        await asyncio.to_thread(begun.wait, 60)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(broken_off())

    assert len(read) == 1


def test_a_network_that_is_running_stops_when_it_is_asked_to(eye):
    stop = Stop()
    session = eye.load().detector._session
    feed = {session.get_inputs()[0].name: np.zeros((1, 3, 32, 32), np.float32)}
    stop.run(session, feed)
    asked_later = threading.Timer(0.2, stop.ask)
    asked_later.start()

    def busy():
        for _ in range(200):
            stop.run(session, {name: np.zeros((1, 3, 1024, 1024), np.float32) for name in feed})

    with pytest.raises(ReadingStopped):
        busy()
    asked_later.join()

    with pytest.raises(ReadingStopped):
        stop.run(session, feed)


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


def test_a_reading_that_is_stopped_while_the_networks_load_loads_no_more_and_the_next_one_reads(
    written, picture_of, asked
):
    eye, stop = LocalEye(threads=1), Stop()
    stop.ask()

    with pytest.raises(ReadingStopped):
        eye.load(stop)

    picture = picture_of(written("read after all"))
    assert eye.read(picture, asked(picture))["ocr"][0]["text"] == "read after all"

"""Answers with images that are too many, too large together, or none at all."""

import base64
import struct
import sys
import zlib

import wire


def png(width, height, pad=0):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\x00" + b"\x80" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body + b"\x00" * pad


def block(data):
    return {"type": "image", "mimeType": "image/png", "data": base64.b64encode(data).decode()}


KINDS = {
    "eight": [block(png(8, 8 + index)) for index in range(8)],
    "nine": [block(png(8, 8 + index)) for index in range(9)],
    "heavy": [block(png(8, 8, 11_000_000)), block(png(8, 9, 11_000_000))],
    "fake": [block(b"<html>not a picture</html>")],
    "empty": [{"type": "image", "mimeType": "image/png", "data": ""}],
    "bomb": [block(png(60_000, 1)[:16] + struct.pack(">II", 60_000, 60_000) + png(60_000, 1)[24:])],
}
wire.serve({"tools/call": lambda request: wire.answer(request, {"content": KINDS[sys.argv[1]]})})

"""Failure codes of image intake, renditions and drawing."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

_RAISE = "set vision.limits.{limit} in config.toml (deepseekeyes config path names the file)"

IMAGE_EMPTY = Code("IMAGE_EMPTY", "input", "check the command that should have written the picture: it wrote nothing")
IMAGE_TOO_MANY_BYTES = Code("IMAGE_TOO_MANY_BYTES", "input", f"give a smaller file, or {_RAISE}")
IMAGE_SIDE_TOO_LONG = Code("IMAGE_SIDE_TOO_LONG", "input", f"cut the picture into parts, or {_RAISE}")
IMAGE_TOO_MANY_PIXELS = Code("IMAGE_TOO_MANY_PIXELS", "input", f"scale the picture down, or {_RAISE}")
IMAGE_TOO_MANY_FRAMES = Code("IMAGE_TOO_MANY_FRAMES", "input", f"save the frame you need as a PNG, or {_RAISE}")
IMAGE_BOMB = Code(
    "IMAGE_BOMB", "input", "do not open this file: a few bytes unpack to gigabytes; ask its sender for a plain PNG"
)
IMAGE_ZERO_SIZE = Code("IMAGE_ZERO_SIZE", "input", "save the picture again: its header declares a side of zero pixels")
IMAGE_TOO_SMALL = Code(
    "IMAGE_TOO_SMALL", "input", f"give a larger picture (a tracking pixel shows nothing), or {_RAISE}"
)
IMAGE_TRUNCATED = Code("IMAGE_TRUNCATED", "input", "download or copy the file again: its end is missing")
IMAGE_CORRUPT = Code("IMAGE_CORRUPT", "input", "open the picture in a viewer and save it again as PNG")
IMAGE_UNKNOWN = Code("IMAGE_UNKNOWN", "input", "give a PNG, JPEG, WebP, GIF, BMP, TIFF or AVIF picture")
IMAGE_HEIC = Code("IMAGE_HEIC", "input", "convert it first: heif-convert photo.heic photo.jpg")
IMAGE_SVG = Code("IMAGE_SVG", "input", "draw it to pixels first: rsvg-convert drawing.svg -o drawing.png")
IMAGE_PDF = Code("IMAGE_PDF", "input", "draw its pages to pixels first: pdftoppm -png -r 150 file.pdf page")
IMAGE_FORMAT_UNSUPPORTED = Code("IMAGE_FORMAT_UNSUPPORTED", "input", "convert it to PNG, JPEG or WebP first")
IMAGE_DECODER_MISSING = Code(
    "IMAGE_DECODER_MISSING", "input", "pip install --upgrade pillow, or convert the picture to PNG first"
)
INPUT_NOT_IMAGE = Code("INPUT_NOT_IMAGE", "input", "give a picture: PNG, JPEG, WebP, GIF, BMP, TIFF or AVIF")
INPUT_UTF16 = Code(
    "INPUT_UTF16",
    "input",
    "your shell rewrote the pipe as UTF-16; pass a file name, or in PowerShell use 7.4 or newer, or cmd /c",
)
FRAME_OUT_OF_RANGE = Code("FRAME_OUT_OF_RANGE", "input", "use --frame with a number from 0 to {last}")
ANIMATION_TOO_LONG = Code("ANIMATION_TOO_LONG", "input", f"choose an earlier frame, or {_RAISE}")

INPUT_MISSING = Code("INPUT_MISSING", "input", "check the path: ls -l {parent}")
INPUT_DIRECTORY = Code("INPUT_DIRECTORY", "input", "name the files in it: {path}/*.png")
INPUT_PERMISSION = Code("INPUT_PERMISSION", "input", "make it readable: chmod u+r {path}")
INPUT_NOT_REGULAR = Code("INPUT_NOT_REGULAR", "input", "pipe it in instead: cat {path} | deepseekeyes vision read -")
INPUT_UNREADABLE = Code("INPUT_UNREADABLE", "input", "check the path and the disk it is on")
INPUT_PATH_REFUSED = Code(
    "INPUT_PATH_REFUSED",
    "policy",
    "send the picture as a data: URL or name it by sha256:, or add its folder to the roots",
)
INPUT_HASH_INVALID = Code("INPUT_HASH_INVALID", "input", "write sha256: followed by 64 lowercase hexadecimal digits")
INPUT_DATA_URL_INVALID = Code("INPUT_DATA_URL_INVALID", "input", "write data:image/png;base64,<base64 of the file>")
INPUT_SCHEME_UNSUPPORTED = Code(
    "INPUT_SCHEME_UNSUPPORTED", "input", "give a file path, sha256:<hex>, data:, http or https"
)

STDIN_ABSENT = Code("STDIN_ABSENT", "input", "pipe a picture or a document: cat a.png | deepseekeyes vision read -")
STDIN_EMPTY = Code("STDIN_EMPTY", "input", "run the command before the pipe alone and look at its exit code")
STDIN_BARE_PATH = Code("STDIN_BARE_PATH", "input", "pass it as an argument: deepseekeyes vision read {path}")
STDIN_TEXT_OUTPUT = Code("STDIN_TEXT_OUTPUT", "input", "add --json to the previous command")
STDIN_DOCUMENT_INVALID = Code(
    "STDIN_DOCUMENT_INVALID", "input", "run the previous command again: its document is cut or changed"
)
STDIN_DOCUMENT_FOREIGN = Code(
    "STDIN_DOCUMENT_FOREIGN", "input", "pipe a picture, or a document whose schema starts with deepseekeyes."
)
STDIN_NO_PICTURE = Code("STDIN_NO_PICTURE", "input", "pipe a document that names a picture: a record or an observation")
STDIN_SEVERAL_PICTURES = Code(
    "STDIN_SEVERAL_PICTURES", "input", "name one of them: deepseekeyes vision read sha256:{first}"
)

URL_NOT_ALLOWED = Code("URL_NOT_ALLOWED", "policy", "add --allow-url, or download the picture yourself")
URL_ADDRESS_REFUSED = Code(
    "URL_ADDRESS_REFUSED", "policy", "download the picture yourself: addresses that are not public are never fetched"
)
URL_REDIRECT_REFUSED = Code("URL_REDIRECT_REFUSED", "policy", "give the final address of the picture itself")
URL_INVALID = Code("URL_INVALID", "input", "give a plain http or https URL without a user name or password")
URL_STATUS = Code("URL_STATUS", "input", "open the address in a browser and check that it shows the picture itself")
URL_UNREACHABLE = Code("URL_UNREACHABLE", "unavailable", "try again, or download the picture yourself")

RENDITION_IMPOSSIBLE = Code(
    "RENDITION_IMPOSSIBLE", "input", "choose another route: deepseekeyes vision routes shows what each accepts"
)
REGION_INVALID = Code("REGION_INVALID", "input", "give x,y,width,height as fractions of the picture, each from 0 to 1")
DRAWING_FORMAT_UNSUPPORTED = Code(
    "DRAWING_FORMAT_UNSUPPORTED", "input", "use --out with a name that ends in .png or .html"
)

"""Failure codes of image intake, renditions and drawing."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

_RAISE = "set vision.limits.{limit} in config.toml (deepseekeyes config path names the file)"

IMAGE_EMPTY = Code("IMAGE_EMPTY", "input", "Check the command that should have written the picture: it wrote nothing")
IMAGE_TOO_MANY_BYTES = Code("IMAGE_TOO_MANY_BYTES", "input", f"Give a smaller file, or {_RAISE}")
IMAGE_SIDE_TOO_LONG = Code("IMAGE_SIDE_TOO_LONG", "input", f"Cut the picture into parts, or {_RAISE}")
IMAGE_TOO_MANY_PIXELS = Code("IMAGE_TOO_MANY_PIXELS", "input", f"Scale the picture down, or {_RAISE}")
IMAGE_TOO_MANY_FRAMES = Code("IMAGE_TOO_MANY_FRAMES", "input", f"Save the frame you need as a PNG, or {_RAISE}")
IMAGE_BOMB = Code(
    "IMAGE_BOMB", "input", "Do not open this file: a few bytes unpack to gigabytes; ask its sender for a plain PNG"
)
IMAGE_ZERO_SIZE = Code("IMAGE_ZERO_SIZE", "input", "Save the picture again: its header declares a side of zero pixels")
IMAGE_TOO_SMALL = Code(
    "IMAGE_TOO_SMALL", "input", f"Give a larger picture (a tracking pixel shows nothing), or {_RAISE}"
)
IMAGE_TRUNCATED = Code("IMAGE_TRUNCATED", "input", "Download or copy the file again: its end is missing")
IMAGE_CORRUPT = Code("IMAGE_CORRUPT", "input", "Open the picture in a viewer and save it again as PNG")
IMAGE_UNKNOWN = Code("IMAGE_UNKNOWN", "input", "Give a PNG, JPEG, WebP, GIF, BMP, TIFF or AVIF picture")
IMAGE_HEIC = Code("IMAGE_HEIC", "input", "Convert it first: heif-convert photo.heic photo.jpg")
IMAGE_SVG = Code("IMAGE_SVG", "input", "Draw it to pixels first: rsvg-convert drawing.svg -o drawing.png")
IMAGE_PDF = Code("IMAGE_PDF", "input", "Draw its pages to pixels first: pdftoppm -png -r 150 file.pdf page")
IMAGE_FORMAT_UNSUPPORTED = Code("IMAGE_FORMAT_UNSUPPORTED", "input", "Convert it to PNG, JPEG or WebP first")
IMAGE_DECODER_MISSING = Code(
    "IMAGE_DECODER_MISSING", "input", "Pip install --upgrade pillow, or convert the picture to PNG first"
)
INPUT_NOT_IMAGE = Code("INPUT_NOT_IMAGE", "input", "Give a picture: PNG, JPEG, WebP, GIF, BMP, TIFF or AVIF")
INPUT_UTF16 = Code(
    "INPUT_UTF16",
    "input",
    "Your shell rewrote the pipe as UTF-16; pass a file name, or in PowerShell use 7.4 or newer, or cmd /c",
)
FRAME_OUT_OF_RANGE = Code("FRAME_OUT_OF_RANGE", "input", "Use --frame with a number from 0 to {last}")
ANIMATION_TOO_LONG = Code("ANIMATION_TOO_LONG", "input", f"Choose an earlier frame, or {_RAISE}")

INPUT_MISSING = Code("INPUT_MISSING", "input", "Check the path: ls -l {parent}")
INPUT_DIRECTORY = Code("INPUT_DIRECTORY", "input", "Name the files in it: {path}/*.png")
INPUT_PERMISSION = Code("INPUT_PERMISSION", "input", "Make it readable: chmod u+r {path}")
INPUT_NOT_REGULAR = Code("INPUT_NOT_REGULAR", "input", "Pipe it in instead: cat {path} | deepseekeyes vision read -")
INPUT_UNREADABLE = Code("INPUT_UNREADABLE", "input", "Check the path and the disk it is on")
INPUT_PATH_REFUSED = Code(
    "INPUT_PATH_REFUSED",
    "policy",
    "Send the picture as a data: URL or name it by sha256:, or add its folder to the roots",
)
INPUT_HASH_INVALID = Code("INPUT_HASH_INVALID", "input", "Write sha256: followed by 64 lowercase hexadecimal digits")
INPUT_DATA_URL_INVALID = Code("INPUT_DATA_URL_INVALID", "input", "Write data:image/png;base64,<base64 of the file>")
INPUT_SCHEME_UNSUPPORTED = Code(
    "INPUT_SCHEME_UNSUPPORTED", "input", "Give a file path, sha256:<hex>, data:, http or https"
)

STDIN_ABSENT = Code("STDIN_ABSENT", "input", "Pipe a picture or a document: cat a.png | deepseekeyes vision read -")
STDIN_EMPTY = Code("STDIN_EMPTY", "input", "Run the command before the pipe alone and look at its exit code")
STDIN_BARE_PATH = Code("STDIN_BARE_PATH", "input", "Pass it as an argument: deepseekeyes vision read {path}")
STDIN_TEXT_OUTPUT = Code("STDIN_TEXT_OUTPUT", "input", "Add --json to the previous command")
STDIN_DOCUMENT_INVALID = Code(
    "STDIN_DOCUMENT_INVALID", "input", "Run the previous command again: its document is cut or changed"
)
STDIN_DOCUMENT_FOREIGN = Code(
    "STDIN_DOCUMENT_FOREIGN", "input", "Pipe a picture, or a document of this release: deepseekeyes --version"
)
STDIN_NO_PICTURE = Code("STDIN_NO_PICTURE", "input", "Pipe a document that names a picture: a record or an observation")
STDIN_SEVERAL_PICTURES = Code(
    "STDIN_SEVERAL_PICTURES", "input", "Name one of them: deepseekeyes vision read sha256:{first}"
)

URL_NOT_ALLOWED = Code("URL_NOT_ALLOWED", "policy", "Add --allow-url, or download the picture yourself")
URL_ADDRESS_REFUSED = Code(
    "URL_ADDRESS_REFUSED", "policy", "Download the picture yourself: addresses that are not public are never fetched"
)
URL_REDIRECT_REFUSED = Code("URL_REDIRECT_REFUSED", "policy", "Give the final address of the picture itself")
URL_INVALID = Code("URL_INVALID", "input", "Give a plain http or https URL without a user name or password")
URL_STATUS = Code("URL_STATUS", "input", "Open the address in a browser and check that it shows the picture itself")
URL_UNREACHABLE = Code("URL_UNREACHABLE", "unavailable", "Try again, or download the picture yourself")

RENDITION_IMPOSSIBLE = Code(
    "RENDITION_IMPOSSIBLE", "input", "Choose another route: deepseekeyes vision routes shows what each accepts"
)
REGION_INVALID = Code("REGION_INVALID", "input", "Give x,y,width,height as fractions of the picture, each from 0 to 1")
DRAWING_FORMAT_UNSUPPORTED = Code(
    "DRAWING_FORMAT_UNSUPPORTED", "input", "Use --out with a name that ends in .png or .html"
)
DRAWING_EXISTS = Code("DRAWING_EXISTS", "input", "Choose another name with --out, or add --force to replace the file")
DRAWING_OVER_SOURCE = Code(
    "DRAWING_OVER_SOURCE", "input", "Choose another name with --out: originals are never replaced"
)
DRAWING_FOLDER_MISSING = Code("DRAWING_FOLDER_MISSING", "input", "Create the folder first: mkdir -p {folder}")
DRAWING_RECORD_INVALID = Code(
    "DRAWING_RECORD_INVALID", "input", "Look at what is wrong with it: deepseekeyes vision validate {record}"
)
DRAWING_SEVERAL_RECORDS = Code("DRAWING_SEVERAL_RECORDS", "input", "Show one of them: deepseekeyes vision show {first}")
DRAWING_PICTURE_MISSING = Code(
    "DRAWING_PICTURE_MISSING", "input", "Read the picture again: deepseekeyes vision read IMAGE, then show the record"
)

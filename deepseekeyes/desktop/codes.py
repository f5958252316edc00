"""Failure codes of the desktop package."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

DESKTOP_DISABLED = Code(
    "DESKTOP_DISABLED",
    "policy",
    "Allow it once with --enable, or for good: DEEPSEEKEYES_DESKTOP_ENABLED=true, or enabled = true under [desktop].",
)
DESKTOP_EXTRA_MISSING = Code("DESKTOP_EXTRA_MISSING", "input", "pip install 'deepseekeyes[desktop]'")
DESKTOP_PLATFORM_UNSUPPORTED = Code(
    "DESKTOP_PLATFORM_UNSUPPORTED", "input", "Run it on a system with a backend: {backends}"
)
DESKTOP_DISPLAY_MISSING = Code(
    "DESKTOP_DISPLAY_MISSING",
    "input",
    "Name the display (export DISPLAY=:0), or make one: xvfb-run -a deepseekeyes desktop ...",
)
DESKTOP_WAYLAND_ONLY = Code(
    "DESKTOP_WAYLAND_ONLY",
    "input",
    "Set desktop.backend to auto or wayland; for all that X11 offers, run the program under: xvfb-run -a ...",
)
DESKTOP_UNSUPPORTED_HERE = Code("DESKTOP_UNSUPPORTED_HERE", "input", "{instead}")
DESKTOP_PORTAL_MISSING = Code(
    "DESKTOP_PORTAL_MISSING",
    "input",
    "Install xdg-desktop-portal with the part for this compositor (-gnome, -kde, -wlr), then see: deepseekeyes doctor",
)
DESKTOP_PORTAL_DENIED = Code(
    "DESKTOP_PORTAL_DENIED", "policy", "Allow it in the dialog that the desktop shows, or in its privacy settings."
)
DESKTOP_PORTAL_FAILED = Code("DESKTOP_PORTAL_FAILED", "unavailable", "See what the portals say: deepseekeyes doctor")
DESKTOP_PORTAL_CLOSED = Code(
    "DESKTOP_PORTAL_CLOSED", "unavailable", "Observe again; the next input asks the desktop for leave once more."
)
DESKTOP_FOREGROUND_UNKNOWN = Code(
    "DESKTOP_FOREGROUND_UNKNOWN",
    "refused-stale",
    "Put the text in without keys (deepseekeyes desktop set-value), or click into the window yourself.",
)
DESKTOP_POINT_UNKNOWN = Code(
    "DESKTOP_POINT_UNKNOWN", "refused-stale", "Act without the pointer: deepseekeyes desktop invoke"
)
DESKTOP_PERMISSION_MISSING = Code("DESKTOP_PERMISSION_MISSING", "auth", "{fix}")
DESKTOP_DISPLAY_LOST = Code(
    "DESKTOP_DISPLAY_LOST", "unavailable", "See that the display still runs, then observe again: deepseekeyes doctor"
)
DESKTOP_DISPLAY_BUSY = Code(
    "DESKTOP_DISPLAY_BUSY", "unavailable", "Another session acts on this display; try again in a moment."
)
DESKTOP_TIMEOUT = Code("DESKTOP_TIMEOUT", "unavailable", "Observe again, or raise desktop.timeout_ms.")
DESKTOP_NATIVE_ACTION_FAILED = Code(
    "DESKTOP_NATIVE_ACTION_FAILED", "unavailable", "Observe again: deepseekeyes desktop observe"
)
DESKTOP_LAUNCH_FAILED = Code("DESKTOP_LAUNCH_FAILED", "input", "Give a program on the PATH, or its whole path.")
DESKTOP_SCREENSHOT_MISSING = Code(
    "DESKTOP_SCREENSHOT_MISSING", "unavailable", "See what the display can do: deepseekeyes doctor"
)

DESKTOP_STATE_MISSING = Code(
    "DESKTOP_STATE_MISSING", "refused-stale", "Take stateId from the newest document and give it: --state ID"
)
DESKTOP_STATE_STALE = Code(
    "DESKTOP_STATE_STALE", "refused-stale", "Look at the state in this document, then act with its stateId."
)
DESKTOP_WINDOW_REF_NOT_FOUND = Code(
    "DESKTOP_WINDOW_REF_NOT_FOUND", "refused-stale", "Take a ref from the newest state."
)
DESKTOP_ELEMENT_REF_NOT_FOUND = Code(
    "DESKTOP_ELEMENT_REF_NOT_FOUND", "refused-stale", "Take a ref from the newest state."
)
DESKTOP_WINDOW_GONE = Code("DESKTOP_WINDOW_GONE", "refused-stale", "See the windows: deepseekeyes desktop windows")
DESKTOP_WINDOW_NOT_VIEWABLE = Code(
    "DESKTOP_WINDOW_NOT_VIEWABLE", "refused-stale", "Bring it up first: deepseekeyes desktop focus"
)
DESKTOP_TARGET_CHANGED = Code(
    "DESKTOP_TARGET_CHANGED", "refused-stale", "Look at the state in this document and choose again."
)
DESKTOP_TARGET_MOVED = Code(
    "DESKTOP_TARGET_MOVED", "refused-stale", "Wait until it stands still, then act on the new state."
)
DESKTOP_TARGET_BOUNDS_MISSING = Code(
    "DESKTOP_TARGET_BOUNDS_MISSING", "refused-stale", "Act on it without the pointer: deepseekeyes desktop invoke"
)
DESKTOP_POINT_OBSCURED = Code(
    "DESKTOP_POINT_OBSCURED", "refused-stale", "Close or move what covers it, then act on the new state."
)
DESKTOP_COORDINATE_OUT_OF_BOUNDS = Code(
    "DESKTOP_COORDINATE_OUT_OF_BOUNDS", "refused-stale", "Give a point inside the newest screenshot."
)
DESKTOP_MODAL_TARGET_BLOCKED = Code(
    "DESKTOP_MODAL_TARGET_BLOCKED", "refused-stale", "Answer the dialog first; it is in the new state."
)
TARGET_FOCUS_MISMATCH = Code(
    "TARGET_FOCUS_MISMATCH", "refused-stale", "Look at the new state; something else has the focus."
)
DESKTOP_INPUT_GRABBED = Code(
    "DESKTOP_INPUT_GRABBED", "refused-stale", "Close the menu or the lock screen that holds the input, then observe."
)
DESKTOP_KEYS_HELD = Code("DESKTOP_KEYS_HELD", "refused-stale", "Let go of the keys and buttons, then try again.")
DESKTOP_ACTION_INTERRUPTED = Code(
    "DESKTOP_ACTION_INTERRUPTED", "unresolved", "See what it did: deepseekeyes desktop observe"
)
DESKTOP_HUMAN_INPUT = Code(
    "DESKTOP_HUMAN_INPUT", "refused-stale", "Somebody uses the display; observe again when it is free."
)
DESKTOP_KEY_UNKNOWN = Code("DESKTOP_KEY_UNKNOWN", "usage", "Write keys such as CTRL+SHIFT+S, ENTER, F5 or a letter.")
DESKTOP_TEXT_UNSENDABLE = Code(
    "DESKTOP_TEXT_UNSENDABLE", "input", "Leave the character out, or put the text in: deepseekeyes desktop set-value"
)
DESKTOP_TYPE_TARGET_NOT_EDITABLE = Code(
    "DESKTOP_TYPE_TARGET_NOT_EDITABLE", "refused-stale", "Choose an element that is editable."
)
DESKTOP_ACTION_NOT_EXPOSED = Code("DESKTOP_ACTION_NOT_EXPOSED", "refused-stale", "Choose one of: {choices}")
DESKTOP_SEMANTIC_UNAVAILABLE = Code(
    "DESKTOP_SEMANTIC_UNAVAILABLE", "unavailable", "Act by coordinates of the newest screenshot instead."
)

DESKTOP_SESSION_CLOSED = Code("DESKTOP_SESSION_CLOSED", "input", "Begin anew: deepseekeyes desktop observe")
DESKTOP_TARGET_REQUIRED = Code(
    "DESKTOP_TARGET_REQUIRED", "usage", "Give --ref REF --state ID, --x X --y Y --state ID, or --role and --name."
)
DESKTOP_WINDOW_REQUIRED = Code(
    "DESKTOP_WINDOW_REQUIRED", "usage", "Name the window: --window REF --state ID, --app NAME, or --title TEXT."
)
DESKTOP_ARGUMENT_INVALID = Code("DESKTOP_ARGUMENT_INVALID", "usage", "See the command's --help for what it takes.")
DESKTOP_NO_MATCH = Code("DESKTOP_NO_MATCH", "refused-stale", "See what there is: deepseekeyes desktop observe")
DESKTOP_MANY_MATCHES = Code(
    "DESKTOP_MANY_MATCHES", "refused-stale", "Say which: --ref REF or --window REF with --state ID, or --nth N."
)
DESKTOP_TARGET_DISABLED = Code("DESKTOP_TARGET_DISABLED", "refused-stale", "Do first what the window asks for.")
DESKTOP_TYPE_TARGET_MISMATCH = Code(
    "DESKTOP_TYPE_TARGET_MISMATCH", "refused-stale", "Name the window that the element lies in, or none."
)
DESKTOP_TYPE_WINDOW_REQUIRED = Code(
    "DESKTOP_TYPE_WINDOW_REQUIRED", "refused-stale", "Observe the window first: deepseekeyes desktop observe --app NAME"
)
DESKTOP_COORDINATE_SPACE_MISMATCH = Code(
    "DESKTOP_COORDINATE_SPACE_MISMATCH",
    "refused-stale",
    "Observe the window that is meant, and give a point of that screenshot.",
)
DESKTOP_TYPE_COORDINATE_OUTSIDE_WINDOW = Code(
    "DESKTOP_TYPE_COORDINATE_OUTSIDE_WINDOW", "refused-stale", "Give a point inside the window."
)
DESKTOP_APPLICATION_DENIED = Code(
    "DESKTOP_APPLICATION_DENIED", "policy", "Leave it alone; see deny and apps under [desktop]."
)
DESKTOP_LAUNCH_DENIED = Code("DESKTOP_LAUNCH_DENIED", "policy", "{fix}")
DESKTOP_ABORTED = Code(
    "DESKTOP_ABORTED", "policy", "Move the pointer out of the {corner} corner to go on (desktop.abort_corner)."
)
DESKTOP_WAIT_TIMEOUT = Code("DESKTOP_WAIT_TIMEOUT", "unavailable", "Wait longer: --timeout MS")
DESKTOP_SCREENSHOT_LIMIT = Code(
    "DESKTOP_SCREENSHOT_LIMIT", "contract", "Observe a window instead of the whole desktop, or raise {setting}."
)
DESKTOP_RUN_UNREADABLE = Code(
    "DESKTOP_RUN_UNREADABLE", "input", "Name a run: deepseekeyes desktop report --verify --run ID"
)

"""Failure codes of the browser package."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

BROWSER_DISABLED = Code(
    "BROWSER_DISABLED",
    "policy",
    "Allow it once with --enable, or for good: DEEPSEEKEYES_BROWSER_ENABLED=true, or enabled = true under [browser].",
)
BROWSER_EXTRA_MISSING = Code("BROWSER_EXTRA_MISSING", "input", "pip install 'deepseekeyes[browser]'")
BROWSER_LAUNCH_FAILED = Code(
    "BROWSER_LAUNCH_FAILED",
    "input",
    "Install a browser, or name one: DEEPSEEKEYES_BROWSER_EXECUTABLE=/path/to/chromium",
)
BROWSER_NOT_OPEN = Code("BROWSER_NOT_OPEN", "input", "deepseekeyes browser open URL")
BROWSER_STATE_MISSING = Code(
    "BROWSER_STATE_MISSING", "refused-stale", "Take stateId from the newest document and give it: --state ID"
)
BROWSER_STATE_STALE = Code(
    "BROWSER_STATE_STALE", "refused-stale", "Look at the state in this document, then act with its stateId."
)
BROWSER_TARGET_CHANGED = Code(
    "BROWSER_TARGET_CHANGED", "refused-stale", "Look at the state in this document and choose again."
)
BROWSER_TARGET_COVERED = Code(
    "BROWSER_TARGET_COVERED", "refused-stale", "Close or move what covers it, then try again with the new stateId."
)
BROWSER_TARGET_MOVING = Code(
    "BROWSER_TARGET_MOVING", "refused-stale", "Wait until it stands still, then observe again."
)
BROWSER_TARGET_DISABLED = Code("BROWSER_TARGET_DISABLED", "refused-stale", "Do first what the page asks for.")
BROWSER_REF_UNKNOWN = Code("BROWSER_REF_UNKNOWN", "refused-stale", "Take a ref from the newest state.")
BROWSER_NO_MATCH = Code(
    "BROWSER_NO_MATCH", "refused-stale", "See what there is: deepseekeyes browser observe --find TEXT"
)
BROWSER_MANY_MATCHES = Code("BROWSER_MANY_MATCHES", "refused-stale", "Say which: --ref REF --state ID, or --nth N.")
BROWSER_TARGET_REQUIRED = Code("BROWSER_TARGET_REQUIRED", "usage", "Give --ref REF --state ID, or --role and --name.")
BROWSER_DRAG_END_REQUIRED = Code(
    "BROWSER_DRAG_END_REQUIRED", "usage", "Give --to-ref REF or --to-name NAME, or --by-x and --by-y."
)
BROWSER_SESSION_SET = Code(
    "BROWSER_SESSION_SET",
    "usage",
    "End it first: deepseekeyes browser close --session {session}, or open another: --session NAME",
)
BROWSER_LAST_PAGE = Code("BROWSER_LAST_PAGE", "usage", "End the session instead: deepseekeyes browser close")
BROWSER_DIALOG_OPEN = Code(
    "BROWSER_DIALOG_OPEN", "refused-stale", "Answer it: deepseekeyes browser dialog --accept, or --dismiss"
)
BROWSER_NO_DIALOG = Code("BROWSER_NO_DIALOG", "refused-stale", "Observe again; the dialog has gone.")
BROWSER_WRONG_KIND = Code("BROWSER_WRONG_KIND", "refused-stale", "{instead}")
BROWSER_OPTION_UNKNOWN = Code("BROWSER_OPTION_UNKNOWN", "refused-stale", "Choose one of: {choices}")
BROWSER_FOCUS_LOST = Code("BROWSER_FOCUS_LOST", "refused-stale", "Observe again; something else has the focus.")
BROWSER_PAGE_CLOSED = Code(
    "BROWSER_PAGE_CLOSED", "refused-stale", "See the pages: deepseekeyes browser pages; another one is active now."
)
BROWSER_PAGE_UNKNOWN = Code("BROWSER_PAGE_UNKNOWN", "usage", "See the pages: deepseekeyes browser pages")
BROWSER_URL_INVALID = Code("BROWSER_URL_INVALID", "usage", "Give a whole address, such as https://example.org/")
BROWSER_URL_DENIED = Code("BROWSER_URL_DENIED", "policy", "{fix}")
BROWSER_NAVIGATION_FAILED = Code("BROWSER_NAVIGATION_FAILED", "unavailable", "Check the address and the network.")
BROWSER_TIMEOUT = Code("BROWSER_TIMEOUT", "unavailable", "Observe again, or raise {setting}.")
BROWSER_WAIT_TIMEOUT = Code("BROWSER_WAIT_TIMEOUT", "unavailable", "Wait longer: --timeout MS")
BROWSER_FAILED = Code(
    "BROWSER_FAILED", "unavailable", "Observe again; if it lasts, close the session and open a new one."
)
BROWSER_EXPECTED_MISSING = Code("BROWSER_EXPECTED_MISSING", "usage", "Say what to wait for by --expected TEXT.")
BROWSER_FILE_UNREADABLE = Code("BROWSER_FILE_UNREADABLE", "input", "Give files that exist and can be read.")
BROWSER_RUN_UNREADABLE = Code(
    "BROWSER_RUN_UNREADABLE", "input", "Name a run: deepseekeyes browser report --verify --run ID"
)
BROWSER_DOWNLOADS_TOO_LARGE = Code(
    "BROWSER_DOWNLOADS_TOO_LARGE", "input", "Allow more by browser.max_download_bytes, or open a new session."
)

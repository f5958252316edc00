"""Failure codes of the automation package."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

AUTOMATION_BUDGET = Code(
    "AUTOMATION_BUDGET",
    "policy",
    "Write the report and start a new session, or raise {setting} in the configuration.",
)
ASSERTION_UNSUPPORTED = Code("ASSERTION_UNSUPPORTED", "usage", "Use one of: {choices}.")
ASSERTION_TARGET_MISSING = Code("ASSERTION_TARGET_MISSING", "usage", "Name the control: --ref REF, or a locator.")
ASSERTION_EXPECTED_MISSING = Code("ASSERTION_EXPECTED_MISSING", "usage", "Say what is expected: --expected TEXT.")
ASSERTION_UNSEEN = Code(
    "ASSERTION_UNSEEN", "policy", "Deliver the screenshot first: deepseekeyes desktop observe --screenshot."
)
RUN_LOG_BROKEN = Code("RUN_LOG_BROKEN", "input", "Close the session and start a new one; the files stay in {folder}.")
RUN_CLOSED = Code("RUN_CLOSED", "input", "Start a new session.")
SCRIPT_INVALID = Code("SCRIPT_INVALID", "input", 'Each line is an object such as {"action": "click", "ref": "e3"}.')
SCRIPT_TOO_LONG = Code("SCRIPT_TOO_LONG", "input", "Split the script, or raise {setting}.")
YAML_MISSING = Code("YAML_MISSING", "input", "pip install 'pyyaml>=6', or write the script as JSON lines")
OUT_FOLDER_MISSING = Code("OUT_FOLDER_MISSING", "input", "Create the folder first: mkdir -p {folder}")
SCREENSHOT_UNUSABLE = Code("SCREENSHOT_UNUSABLE", "unavailable", "Observe again.")
ACTION_UNRESOLVED = Code(
    "ACTION_UNRESOLVED",
    "unresolved",
    "Look at what is there before doing it again; when nothing answers, close the session and open a new one.",
)
TEXT_MISSING = Code(
    "TEXT_MISSING", "usage", "Give one of --value, --value-file, --value-env, --value-stdin, --secret-name."
)
TEXT_REFUSED = Code("TEXT_REFUSED", "usage", "Give a secret by --secret-name NAME, or by --value-env NAME --secret.")
TEXT_TOO_LONG = Code("TEXT_TOO_LONG", "input", "Give it in parts, or raise automation.max_text_bytes.")
SECRET_UNKNOWN = Code(
    "SECRET_UNKNOWN", "usage", 'Add it to the configuration: [automation.secrets] {name} = {{ env = "VARIABLE" }}'
)
SECRET_ELSEWHERE = Code("SECRET_ELSEWHERE", "policy", "Add the site to automation.secrets.{name}.origins.")
TEXT_FILE_UNREADABLE = Code("TEXT_FILE_UNREADABLE", "input", "Give a file that exists and can be read.")

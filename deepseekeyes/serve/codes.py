"""Failure codes of the serving doors."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

SERVE_EXTRA_MISSING = Code("SERVE_EXTRA_MISSING", "input", "Install it: pip install 'deepseekeyes[{extra}]'")
SERVE_GROUP_UNKNOWN = Code("SERVE_GROUP_UNKNOWN", "input", "Choose among: {groups}")
SERVE_AUTOMATION_DISABLED = Code(
    "SERVE_AUTOMATION_DISABLED", "policy", "Switch it on: deepseekeyes mcp serve --group {group} --enable"
)
SERVE_TOKEN_REQUIRED = Code(
    "SERVE_TOKEN_REQUIRED", "policy", "Name a variable that holds a token: --token-env NAME, or listen on 127.0.0.1."
)
SERVE_TOKEN_WEAK = Code("SERVE_TOKEN_WEAK", "policy", "Use a token of at least {least} characters without blanks.")
SERVE_ADDRESS_UNUSABLE = Code(
    "SERVE_ADDRESS_UNUSABLE", "input", "Choose another address or port: --host HOST --port PORT (0 picks a free port)."
)
SERVE_TOOL_UNKNOWN = Code("SERVE_TOOL_UNKNOWN", "usage", "List the tools again: the server has no tool of this name.")
SERVE_ARGUMENT_UNKNOWN = Code("SERVE_ARGUMENT_UNKNOWN", "usage", "Use the arguments of the tool's input schema only.")
SERVE_ARGUMENTS_TOO_LARGE = Code("SERVE_ARGUMENTS_TOO_LARGE", "input", "Send less: raise serve.max_request_bytes.")
SERVE_ARGUMENTS_TOO_DEEP = Code("SERVE_ARGUMENTS_TOO_DEEP", "input", "Send arguments that are nested less deeply.")
SERVE_BUSY = Code("SERVE_BUSY", "unavailable", "Try again when other calls have ended, or raise serve.calls_waiting.")
SERVE_STDIN_REFUSED = Code(
    "SERVE_STDIN_REFUSED", "input", "Pass a file, sha256:HEX or a data: URL: the door has no standard input."
)
SERVE_STOPPING = Code("SERVE_STOPPING", "unavailable", "Start the server again, then repeat the call.")
SERVE_RESOURCE_UNKNOWN = Code("SERVE_RESOURCE_UNKNOWN", "input", "List the resources and their templates again.")

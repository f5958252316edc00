"""Every failure of the MCP planes, with the kind that decides its exit code."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

# Configuration and the switch
MCP_DISABLED = Code(
    "MCP_DISABLED",
    "policy",
    "set `enabled = true` under [mcp], or DEEPSEEKEYES_MCP_ENABLED=true, or add --enable to this command",
)
MCP_CONFIG_INVALID = Code("MCP_CONFIG_INVALID", "input", "deepseekeyes mcp add --help")
MCP_SERVER_UNKNOWN = Code("MCP_SERVER_UNKNOWN", "input", "deepseekeyes mcp servers")
MCP_SERVER_DISABLED = Code(
    "MCP_SERVER_DISABLED", "policy", "set `enabled = true` under [mcp.servers.{server}] in config.toml"
)
MCP_CREDENTIAL_MISSING = Code("MCP_CREDENTIAL_MISSING", "auth", "export {variable}=...")
MCP_EXTRA_MISSING = Code("MCP_EXTRA_MISSING", "input", "pip install 'deepseekeyes[mcp]'")
MCP_REQUIRES_DEEPSEEKEYES = Code(
    "MCP_REQUIRES_DEEPSEEKEYES", "policy", "call this tool through a model that deepseekeyes serves"
)
MCP_INPUT_INVALID = Code("MCP_INPUT_INVALID", "input", "deepseekeyes mcp tools {server} --schema")

# Connection
MCP_COMMAND_NOT_FOUND = Code(
    "MCP_COMMAND_NOT_FOUND", "input", "install the program, or give its full path as `command`"
)
MCP_CONNECT_FAILED = Code("MCP_CONNECT_FAILED", "unavailable", "deepseekeyes mcp test {server}")
MCP_CONNECT_TIMEOUT = Code(
    "MCP_CONNECT_TIMEOUT", "unavailable", "raise mcp.connect_timeout_ms, or start the server by hand and watch it"
)
MCP_CONNECTION_UNHEALTHY = Code("MCP_CONNECTION_UNHEALTHY", "unavailable", "deepseekeyes mcp reconnect {server}")
MCP_TRANSPORT_CLOSED = Code("MCP_TRANSPORT_CLOSED", "unavailable", "deepseekeyes mcp test {server}")
MCP_SESSION_LOST = Code("MCP_SESSION_LOST", "unavailable", "run the command again; the next call opens a new session")
MCP_AUTH_REJECTED = Code("MCP_AUTH_REJECTED", "auth", "check the variables named under [mcp.servers.{server}.headers]")
MCP_FRAME_LIMIT = Code("MCP_FRAME_LIMIT", "contract", "raise mcp.max_frame_bytes if this server is trusted")
MCP_PROTOCOL_INVALID = Code("MCP_PROTOCOL_INVALID", "contract", "deepseekeyes mcp lint {server}")
MCP_STDOUT_NOISE = Code("MCP_STDOUT_NOISE", "contract", "make the server log to stderr, or raise mcp.max_noise_lines")
MCP_METHOD_UNSUPPORTED = Code("MCP_METHOD_UNSUPPORTED", "contract", "deepseekeyes mcp lint {server}")
MCP_TIMEOUT = Code("MCP_TIMEOUT", "unavailable", "raise timeout_ms under [mcp.servers.{server}]")
MCP_CALL_UNRESOLVED = Code(
    "MCP_CALL_UNRESOLVED", "unresolved", "look at the server's own state before calling again; it may have taken effect"
)
MCP_CLOSE_FAILED = Code("MCP_CLOSE_FAILED", "unavailable", "deepseekeyes mcp reconnect {server}")
MCP_REFRESH_FAILED = Code("MCP_REFRESH_FAILED", "unavailable", "deepseekeyes mcp test {server}")

# Signing in (OAuth client credentials)
MCP_OAUTH_CREDENTIAL_MISSING = Code("MCP_OAUTH_CREDENTIAL_MISSING", "auth", "export {variable}=...")
MCP_OAUTH_DISCOVERY_FAILED = Code(
    "MCP_OAUTH_DISCOVERY_FAILED",
    "auth",
    "open these addresses by hand, and check `url` under [mcp.servers.{server}]",
)
MCP_OAUTH_UNAVAILABLE = Code("MCP_OAUTH_UNAVAILABLE", "unavailable", "deepseekeyes mcp test {server}")
MCP_OAUTH_ISSUER_MISMATCH = Code(
    "MCP_OAUTH_ISSUER_MISMATCH",
    "auth",
    "correct the metadata, or, if you trust it, set {setting} under [mcp.servers.{server}.oauth]",
)
MCP_OAUTH_INTERACTIVE_UNSUPPORTED = Code(
    "MCP_OAUTH_INTERACTIVE_UNSUPPORTED",
    "auth",
    "register a client for the client_credentials grant, or name a token under [mcp.servers.{server}.headers]",
)
MCP_OAUTH_METHOD_UNSUPPORTED = Code(
    "MCP_OAUTH_METHOD_UNSUPPORTED",
    "auth",
    'set auth_method = "client_secret_basic" under [mcp.servers.{server}.oauth] if the server takes it all the same',
)
MCP_OAUTH_CLIENT_REJECTED = Code(
    "MCP_OAUTH_CLIENT_REJECTED",
    "auth",
    'check the client id and secret, or try auth_method = "{other}" under [mcp.servers.{server}.oauth]',
)
MCP_OAUTH_SCOPE_REFUSED = Code("MCP_OAUTH_SCOPE_REFUSED", "auth", "set `scope` under [mcp.servers.{server}.oauth]")
MCP_OAUTH_TOKEN_INVALID = Code("MCP_OAUTH_TOKEN_INVALID", "contract", "deepseekeyes mcp test {server}")
MCP_OAUTH_TOKEN_REJECTED = Code(
    "MCP_OAUTH_TOKEN_REJECTED", "auth", "check that the authorization server issues tokens for this resource and scope"
)
MCP_OAUTH_FAILED = Code("MCP_OAUTH_FAILED", "auth", "deepseekeyes mcp test {server}")

# Tool catalogs
MCP_CATALOG_UNKNOWN = Code("MCP_CATALOG_UNKNOWN", "input", "deepseekeyes mcp refresh {server} --enable")
MCP_CATALOG_REJECTED = Code("MCP_CATALOG_REJECTED", "contract", "deepseekeyes mcp lint {server}")
MCP_CATALOG_TOOL_LIMIT = Code("MCP_CATALOG_TOOL_LIMIT", "contract", "raise mcp.max_catalog_tools")
MCP_CATALOG_PAGE_LIMIT = Code("MCP_CATALOG_PAGE_LIMIT", "contract", "raise mcp.max_catalog_pages")
MCP_CATALOG_CURSOR_LOOP = Code("MCP_CATALOG_CURSOR_LOOP", "contract", "deepseekeyes mcp lint {server}")
MCP_CATALOG_DUPLICATE_TOOL = Code("MCP_CATALOG_DUPLICATE_TOOL", "contract", "deepseekeyes mcp lint {server}")
MCP_CATALOG_SCHEMA_CHARS_LIMIT = Code("MCP_CATALOG_SCHEMA_CHARS_LIMIT", "contract", "raise mcp.max_catalog_chars")
MCP_CATALOG_SCHEMA_BYTES_LIMIT = Code("MCP_CATALOG_SCHEMA_BYTES_LIMIT", "contract", "raise mcp.max_catalog_bytes")
MCP_CATALOG_SCHEMA_DEPTH_LIMIT = Code("MCP_CATALOG_SCHEMA_DEPTH_LIMIT", "contract", "raise mcp.max_catalog_depth")
MCP_CATALOG_SCHEMA_NODES_LIMIT = Code("MCP_CATALOG_SCHEMA_NODES_LIMIT", "contract", "raise mcp.max_catalog_nodes")
MCP_CATALOG_SCHEMA_INVALID = Code("MCP_CATALOG_SCHEMA_INVALID", "contract", "deepseekeyes mcp lint {server}")

# Content catalogs
MCP_CONTENT_DISABLED = Code(
    "MCP_CONTENT_DISABLED",
    "policy",
    "set `resources_enabled` or `prompts_enabled` under [mcp.servers.{server}] in config.toml",
)
MCP_CONTENT_UNAVAILABLE = Code("MCP_CONTENT_UNAVAILABLE", "unavailable", "deepseekeyes mcp test {server}")
MCP_CONTENT_CATALOG_INVALID = Code("MCP_CONTENT_CATALOG_INVALID", "contract", "deepseekeyes mcp lint {server}")
MCP_CONTENT_CATALOG_ENTRY_LIMIT = Code("MCP_CONTENT_CATALOG_ENTRY_LIMIT", "contract", "raise mcp.max_content_entries")
MCP_CONTENT_CATALOG_CHAR_LIMIT = Code("MCP_CONTENT_CATALOG_CHAR_LIMIT", "contract", "raise mcp.max_catalog_chars")
MCP_CONTENT_CATALOG_BYTE_LIMIT = Code("MCP_CONTENT_CATALOG_BYTE_LIMIT", "contract", "raise mcp.max_catalog_bytes")
MCP_CONTENT_PAGE_LIMIT = Code("MCP_CONTENT_PAGE_LIMIT", "contract", "raise mcp.max_catalog_pages")
MCP_CONTENT_CURSOR_LOOP = Code("MCP_CONTENT_CURSOR_LOOP", "contract", "deepseekeyes mcp lint {server}")
MCP_RESOURCES_UNSUPPORTED = Code(
    "MCP_RESOURCES_UNSUPPORTED", "contract", "set `resources_enabled = false` under [mcp.servers.{server}]"
)
MCP_PROMPTS_UNSUPPORTED = Code(
    "MCP_PROMPTS_UNSUPPORTED", "contract", "set `prompts_enabled = false` under [mcp.servers.{server}]"
)

# The gates of a call
MCP_TOOL_UNAVAILABLE = Code("MCP_TOOL_UNAVAILABLE", "unavailable", "deepseekeyes mcp tools {server}")
MCP_TOOL_RISK_BLOCKED = Code(
    "MCP_TOOL_RISK_BLOCKED", "policy", 'set `risk_policy = "allow"` under [mcp.servers.{server}] if it may write'
)
MCP_TOOL_NOT_ALLOWED = Code("MCP_TOOL_NOT_ALLOWED", "policy", "deepseekeyes mcp allow {server} TOOL")
MCP_TOOL_WITHHELD = Code("MCP_TOOL_WITHHELD", "policy", "deepseekeyes mcp tools {server}")
MCP_TOOL_CHANGED = Code("MCP_TOOL_CHANGED", "policy", "deepseekeyes mcp approve {server} {tool}")
MCP_TOOL_NOT_APPROVED = Code("MCP_TOOL_NOT_APPROVED", "policy", "answer yes when asked, or call it without --confirm")
MCP_EXTERNAL_CALL_LIMIT_REACHED = Code("MCP_EXTERNAL_CALL_LIMIT_REACHED", "policy", "deepseekeyes mcp runs end {run}")
MCP_RUN_INVALID = Code("MCP_RUN_INVALID", "input", "use 1 to 64 letters, digits, dots, dashes or underscores")
MCP_RESULT_CONTEXT_UNAVAILABLE = Code(
    "MCP_RESULT_CONTEXT_UNAVAILABLE", "input", "make the folder mcp-runs of the home writable; nothing was sent"
)
MCP_TOOL_CALL_FAILED = Code("MCP_TOOL_CALL_FAILED", "verdict", "deepseekeyes mcp tools {server} --schema")
MCP_TOOL_REPORTED_ERROR = Code("MCP_TOOL_REPORTED_ERROR", "verdict", "deepseekeyes mcp tools {server} --schema")
MCP_INPUT_REQUIRED = Code(
    "MCP_INPUT_REQUIRED",
    "contract",
    "give the tool what it asks for as arguments; questions in between are not supported",
)
MCP_TOOL_RESULT_FAILED = Code("MCP_TOOL_RESULT_FAILED", "input", "check that mcp.artifact_dir can be written")
MCP_CONTENT_INPUT_INVALID = Code("MCP_CONTENT_INPUT_INVALID", "input", "deepseekeyes mcp resources {server}")
MCP_RESOURCES_DISABLED = Code(
    "MCP_RESOURCES_DISABLED", "policy", "set `resources_enabled = true` under [mcp.servers.{server}] in config.toml"
)
MCP_RESOURCE_UNKNOWN = Code("MCP_RESOURCE_UNKNOWN", "input", "deepseekeyes mcp resources {server}")
MCP_RESOURCE_NOT_ALLOWED = Code(
    "MCP_RESOURCE_NOT_ALLOWED", "policy", "deepseekeyes mcp allow {server} URI --kind resources"
)
MCP_RESOURCE_READ_FAILED = Code("MCP_RESOURCE_READ_FAILED", "verdict", "deepseekeyes mcp resources {server}")
MCP_RESOURCE_RESULT_INVALID = Code("MCP_RESOURCE_RESULT_INVALID", "contract", "deepseekeyes mcp lint {server}")
MCP_PROMPTS_DISABLED = Code(
    "MCP_PROMPTS_DISABLED", "policy", "set `prompts_enabled = true` under [mcp.servers.{server}] in config.toml"
)
MCP_PROMPT_UNKNOWN = Code("MCP_PROMPT_UNKNOWN", "input", "deepseekeyes mcp prompts {server}")
MCP_PROMPT_NOT_ALLOWED = Code("MCP_PROMPT_NOT_ALLOWED", "policy", "deepseekeyes mcp allow {server} NAME --kind prompts")
MCP_PROMPT_ARGUMENT_INVALID = Code("MCP_PROMPT_ARGUMENT_INVALID", "input", "deepseekeyes mcp prompts {server}")
MCP_PROMPT_ARGUMENT_REQUIRED = Code("MCP_PROMPT_ARGUMENT_REQUIRED", "input", "deepseekeyes mcp prompts {server}")
MCP_PROMPT_GET_FAILED = Code("MCP_PROMPT_GET_FAILED", "verdict", "deepseekeyes mcp prompts {server}")
MCP_PROMPT_RESULT_INVALID = Code("MCP_PROMPT_RESULT_INVALID", "contract", "deepseekeyes mcp lint {server}")
MCP_CONTENT_RESULT_FAILED = Code("MCP_CONTENT_RESULT_FAILED", "input", "check that mcp.artifact_dir can be written")

# Results
MCP_RESULT_INVALID = Code("MCP_RESULT_INVALID", "contract", "deepseekeyes mcp lint {server}")
MCP_RESULT_DEPTH_LIMIT = Code("MCP_RESULT_DEPTH_LIMIT", "contract", "raise mcp.max_result_depth")
MCP_RESULT_NODE_LIMIT = Code("MCP_RESULT_NODE_LIMIT", "contract", "raise mcp.max_result_nodes")
MCP_RESULT_BLOCK_LIMIT = Code("MCP_RESULT_BLOCK_LIMIT", "contract", "raise mcp.max_result_blocks")
MCP_RESULT_STRING_LIMIT = Code("MCP_RESULT_STRING_LIMIT", "contract", "raise mcp.max_result_string_chars")
MCP_RESULT_IMAGE_COUNT_LIMIT = Code("MCP_RESULT_IMAGE_COUNT_LIMIT", "contract", "raise mcp.max_images")
MCP_RESULT_IMAGE_ENCODED_LIMIT = Code("MCP_RESULT_IMAGE_ENCODED_LIMIT", "contract", "raise mcp.max_image_encoded_chars")
MCP_RESULT_IMAGE_DECODED_LIMIT = Code("MCP_RESULT_IMAGE_DECODED_LIMIT", "contract", "raise mcp.max_image_bytes")
MCP_RESULT_IMAGE_INVALID = Code("MCP_RESULT_IMAGE_INVALID", "contract", "deepseekeyes mcp lint {server}")
INVALID_IMAGE_BASE64 = Code("INVALID_IMAGE_BASE64", "contract", "deepseekeyes mcp lint {server}")
UNSUPPORTED_IMAGE_TYPE = Code("UNSUPPORTED_IMAGE_TYPE", "contract", "have the server send png, jpeg, webp or gif")

# Pins and artifacts
MCP_PIN_UNCHANGED = Code("MCP_PIN_UNCHANGED", "input", "deepseekeyes mcp tools {server}")
MCP_APPROVAL_STALE = Code("MCP_APPROVAL_STALE", "refused-stale", "deepseekeyes mcp approve {server} {tool}")
MCP_ARTIFACT_NOT_FOUND = Code("MCP_ARTIFACT_NOT_FOUND", "input", "deepseekeyes mcp artifacts")

# Editing the configuration
MCP_SERVER_EXISTS = Code("MCP_SERVER_EXISTS", "input", "choose another name, or add --replace")
MCP_SECRET_LITERAL = Code(
    "MCP_SECRET_LITERAL", "input", "export {variable}=... and name the variable: {option} {name}={variable}"
)
MCP_SELECTOR_UNKNOWN = Code("MCP_SELECTOR_UNKNOWN", "input", "deepseekeyes config show mcp.servers.{server}")
MCP_IMPORT_UNREADABLE = Code("MCP_IMPORT_UNREADABLE", "input", "give the path of a JSON file, or - for standard input")
MCP_IMPORT_INVALID = Code(
    "MCP_IMPORT_INVALID", "input", "the file needs an object `mcpServers` (or `servers`) of servers by name"
)
MCP_IMPORT_UNSUPPORTED = Code("MCP_IMPORT_UNSUPPORTED", "input", "add it by hand: deepseekeyes mcp add --help")

# Lint
MCP_LINT_NOT_STARTED = Code("MCP_LINT_NOT_STARTED", "input", "start the server by hand and watch what it says")

"""Failure codes of the routing spine and of the engines behind it."""

from __future__ import annotations

from deepseekeyes.core.errors import Code
from deepseekeyes.evidence.codes import NO_ANSWER as NO_ANSWER

# The catalog
CATALOG_INVALID = Code(
    "CATALOG_INVALID",
    "input",
    "Correct the entries named above in config.toml or catalog.json, then run `deepseekeyes config validate`.",
)
ROUTE_NOT_FOUND = Code(
    "ROUTE_NOT_FOUND",
    "input",
    "List the eyes with `deepseekeyes vision routes`, and with `--reasoners` the models that answer.",
)
UNKNOWN_CAPABILITY = Code(
    "UNKNOWN_CAPABILITY", "input", "Use one of the capabilities that entries declare, such as image_to_evidence."
)

# The plan
NO_VISION_MODEL = Code(
    "NO_VISION_MODEL",
    "unavailable",
    "Declare a route that serves image_to_evidence in config.toml; `deepseekeyes vision routes` says what is left out.",
)
NO_COMPATIBLE_MODEL = Code(
    "NO_COMPATIBLE_MODEL",
    "unavailable",
    "Declare or enable a route for it in config.toml; `deepseekeyes vision routes` says why eyes are left out, "
    "and with `--reasoners` why models that answer are.",
)
POLICY_DISABLED = Code("POLICY_DISABLED", "policy", "Choose another route, or allow this one in the policy of routes.")
VISION_MODEL_NOT_MULTIMODAL = Code(
    "VISION_MODEL_NOT_MULTIMODAL",
    "unavailable",
    'If its model really sees, give the route `inputs = ["text", "image"]` in config.toml; else choose another route.',
)

# The walk
VISION_FAILOVER_EXHAUSTED = Code(
    "VISION_FAILOVER_EXHAUSTED",
    "unavailable",
    "Read the chain of codes with `deepseekeyes vision attempts`, add a fallback route, or wait for one with `--wait`.",
)
ROUTES_EXHAUSTED = Code(
    "ROUTES_EXHAUSTED",
    "unavailable",
    "Read the chain of codes with `deepseekeyes vision attempts`, add a fallback route, or wait for one with `--wait`.",
)
ROUTES_COOLING = Code(
    "ROUTES_COOLING",
    "unavailable",
    "Wait until the first route returns (`--wait`), or close the circuits with `deepseekeyes vision routes --reset`.",
)
INVOCATION_UNRESOLVED = Code(
    "INVOCATION_UNRESOLVED",
    "unresolved",
    "The work may have been done or paid for: look for its result before you send it again.",
)
INVOCATION_ABORTED = Code("INVOCATION_ABORTED", "interrupt", "Run the command again when you are ready.")
VISION_ROUTE_ERROR = Code(
    "VISION_ROUTE_ERROR",
    "unavailable",
    "Try another route with `--route`, or check this one with `deepseekeyes vision routes --check`.",
)

# The engines
ENGINE_UNSUPPORTED = Code("ENGINE_UNSUPPORTED", "input", "Use an engine word that this installation carries.")
ENGINE_AUTH = Code("ENGINE_AUTH", "auth", "Check the variable that the route's `key` names, and the account behind it.")
ENGINE_FORBIDDEN = Code(
    "ENGINE_FORBIDDEN", "auth", "The key is known but may not use this model; check the account's permissions."
)
ENGINE_QUOTA = Code(
    "ENGINE_QUOTA",
    "unavailable",
    "Top up the account, or use another route; `deepseekeyes vision routes --reset` tries this one again.",
)
ENGINE_RATE_LIMITED = Code(
    "ENGINE_RATE_LIMITED", "unavailable", "Wait for the seconds named in details, or add a fallback route."
)
ENGINE_CONTEXT_OVERFLOW = Code(
    "ENGINE_CONTEXT_OVERFLOW",
    "unavailable",
    "Send less, or set a smaller `limits.max_side` for the route, or use a model with a larger window.",
)
ENGINE_BUDGET_REJECTED = Code(
    "ENGINE_BUDGET_REJECTED", "unavailable", "Set a smaller output budget, or 0 to let the provider choose."
)
ENGINE_BAD_REQUEST = Code(
    "ENGINE_BAD_REQUEST", "unavailable", "Compare the route's settings with what its endpoint accepts."
)
ENGINE_MODEL_NOT_FOUND = Code(
    "ENGINE_MODEL_NOT_FOUND", "unavailable", "Set the route's `model` to a name that its endpoint lists."
)
ENGINE_ENDPOINT_NOT_FOUND = Code(
    "ENGINE_ENDPOINT_NOT_FOUND",
    "unavailable",
    "Set the route's `base_url` up to and including the version, such as `/v1`.",
)
ENGINE_IMAGE_UNSUPPORTED = Code(
    "ENGINE_IMAGE_UNSUPPORTED",
    "unavailable",
    "The endpoint refuses pictures: start it with its vision projector, or choose another route.",
)
ENGINE_IMAGE_REJECTED = Code(
    "ENGINE_IMAGE_REJECTED",
    "unavailable",
    "Set `limits.formats` or `limits.max_bytes` of the route to what its endpoint accepts.",
)
ENGINE_SERVER_ERROR = Code("ENGINE_SERVER_ERROR", "unavailable", "Try again later, or add a fallback route.")
ENGINE_LOADING = Code("ENGINE_LOADING", "unavailable", "The engine is still loading its model; try again in a moment.")
ENGINE_UNREACHABLE = Code("ENGINE_UNREACHABLE", "unavailable", "Start the engine, or correct the route's `base_url`.")
ENGINE_TIMEOUT = Code("ENGINE_TIMEOUT", "unavailable", "Raise the limit named in details, or use a faster route.")
ENGINE_MALFORMED = Code(
    "ENGINE_MALFORMED",
    "unavailable",
    "The endpoint does not speak the route's protocol; check `engine` and `base_url`.",
)
ENGINE_FAILED = Code("ENGINE_FAILED", "unavailable", "Try another route, or read the engine's own log.")
ENGINE_URL_REFUSED = Code(
    "ENGINE_URL_REFUSED",
    "policy",
    "Use https, or set `allow_http = true` in the route if the network between is yours.",
)
ANSWER_TOO_LARGE = Code(
    "ANSWER_TOO_LARGE", "contract", "Raise `limits.max_answer_bytes` of the route if such answers are expected."
)
INCOMPLETE_STREAM = Code("INCOMPLETE_STREAM", "unavailable", "The connection was cut; try again or use another route.")
VISION_OUTPUT_TRUNCATED = Code(
    "VISION_OUTPUT_TRUNCATED",
    "contract",
    "Raise `vision.base_max_tokens` or `vision.target_max_tokens`, or set 0 to let the provider choose.",
)
CONTENT_FILTERED = Code("CONTENT_FILTERED", "contract", "The provider withheld the answer; use another route.")
RECORDING_MISSING = Code(
    "RECORDING_MISSING", "input", "Record the exchange first, or point `options.recording` at the right file."
)
RECORDING_INVALID = Code(
    "RECORDING_INVALID", "input", "Record the exchanges again; the file is not a recording of this version."
)
ROUTING_STATE_INVALID = Code("ROUTING_STATE_INVALID", "input", "Reset it with `deepseekeyes vision routes --reset`.")

"""Nothing wrong: the control."""

import wire

wire.serve({})

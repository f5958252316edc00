"""The only modules that import the MCP SDK; `wiring` imports them, nothing else does."""

"""Commands of the `mcp` group."""

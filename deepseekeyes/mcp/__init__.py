"""Other people's MCP servers behind policy: definitions, catalogs, exposure, calls, results and audit."""

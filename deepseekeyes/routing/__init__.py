"""The one spine every model call walks: catalog, plan, ready, adapter, result."""

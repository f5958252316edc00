"""The `browser` commands."""

"""The `desktop` commands."""

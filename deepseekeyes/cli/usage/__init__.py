"""Commands of the `usage` group."""

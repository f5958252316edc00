"""Commands of the `vision` group."""

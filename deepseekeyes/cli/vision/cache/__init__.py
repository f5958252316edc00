"""Commands of the `vision cache` group."""

"""Commands of the `probe` group."""

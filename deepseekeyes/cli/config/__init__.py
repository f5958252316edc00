"""Commands of the `config` group."""

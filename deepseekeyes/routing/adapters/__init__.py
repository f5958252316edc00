"""Engines: how one request of one capability reaches one kind of server. Imported by `wiring` only."""

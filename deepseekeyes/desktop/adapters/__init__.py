"""Backends of the desktop package, one family a system."""

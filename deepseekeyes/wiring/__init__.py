"""Builds what operations need; the only code that imports adapters."""

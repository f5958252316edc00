"""Frozen pydantic documents, one family a file; mirrored as JSON Schema in `schemas/`."""

"""What every layer stands on: errors, canonical JSON, redaction, limits, geometry, clock, home, files and locks."""

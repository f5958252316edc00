"""Files, environment and flags become settings."""

"""Native windows: observed, acted on, verified."""

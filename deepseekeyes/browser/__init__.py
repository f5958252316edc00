"""A live Chromium page: observed, acted on, verified."""

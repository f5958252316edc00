"""Chromium and its relatives, driven by Playwright."""

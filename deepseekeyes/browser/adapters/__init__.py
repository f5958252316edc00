"""Drivers of a live browser, named by wiring only."""

"""Auditable eyes and hands for text-only reasoning models."""

__version__ = "0.1.0"

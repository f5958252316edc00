"""The evidence contract: pure, from model text to validated evidence."""

"""From an image to evidence and to an answer."""

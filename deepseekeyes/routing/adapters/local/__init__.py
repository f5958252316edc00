"""The built-in eye: text, codes, colours and plain shapes, read on this machine without a network.

`identity` is cheap and serves the cache key; `engine` loads the heavy packages when the first picture is read.
"""

"""Answers a call with a line that begins like an answer and is broken."""

import wire

wire.serve({"tools/call": lambda request: wire.raw(f'{{"jsonrpc":"2.0","id":{request["id"]},"result":{{"content":[')})

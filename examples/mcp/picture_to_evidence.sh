#!/bin/sh
# A picture that someone else's MCP tool sends, read into evidence.
#
#   sh examples/mcp/picture_to_evidence.sh get-tiny-image npx -y @modelcontextprotocol/server-everything
#
# EYES names the program; the home's configuration gets a server called `example`.
set -eu
EYES=${EYES:-deepseekeyes}
tool=$1
shift

$EYES mcp add example --replace --allow "$tool" -- "$@" >/dev/null
$EYES mcp call example "$tool" --enable --json | $EYES vision read - --json

#!/bin/sh
# Write a note in an editor, save it through the editor's own dialog, check the file, write the report.
# usage: sh desktop-notes.sh FILE       (without a display: xvfb-run -a sh desktop-notes.sh FILE)
set -eu
file=$1
note='Grüße 👋 今日は'
export DEEPSEEKEYES_DESKTOP_ENABLED=true
eyes() { deepseekeyes desktop "$@" --session notes --json; }
quietly() { eyes "$@" >/dev/null; }
trap 'quietly close || true' EXIT

quietly launch mousepad --allow-launch
state=$(eyes type --app mousepad --role text --value "$note" --require-verified | jq -r .stateId)
quietly key CTRL+S --state "$state"
quietly wait --until window --title "Save As" --timeout 20000
quietly set-value --title "Save As" --role text --value "$file" --require-verified
quietly click --title "Save As" --role push_button --name Save
quietly assert window_title_contains --app mousepad --expected "$(basename "$file")"
[ "$(cat "$file")" = "$note" ] || { echo "the file holds something else" >&2; exit 1; }
eyes report --report-name notes

#!/bin/sh
# Log in with a secret, fill a form, confirm a dialog, download a file, assert, report: one command a step.
# usage: SHOP_PASSWORD=... sh browser-shop.sh URL
set -eu
export DEEPSEEKEYES_BROWSER_ENABLED=true
eyes() { deepseekeyes browser "$@" --session shop --json; }
quietly() { eyes "$@" >/dev/null; }
trap 'quietly close || true' EXIT

quietly open "$1"
quietly type --name User --value Ada --require-verified
quietly type --name Password --value-env SHOP_PASSWORD --secret --require-verified
quietly click --role button --name "Log in" --require-verified
quietly assert text_contains --expected "Welcome Ada" --retry 2000
quietly type --name Amount --value 12 --require-verified
quietly click --role button --name Order --require-verified
quietly dialog --accept
quietly assert text_contains --expected "Ordered 12 pieces" --retry 2000
quietly click --role link --name Receipt --require-verified
quietly wait --until download
eyes report --report-name shop

#!/bin/sh
# Read an example picture with the local eye, show the evidence, and name the picture with its boxes.
# usage: demo.sh DEEPSEEKEYES
set -eu
eyes=$1
mkdir -p demo
picture=examples/images/error-dialog.png
printf '$ deepseekeyes vision read %s\n\n' "$picture"
"$eyes" --home demo/home vision read "$picture" --text
printf '\n$ deepseekeyes vision show %s --out demo/error-dialog.png\n\n' "$picture"
"$eyes" --home demo/home vision show "$picture" --out demo/error-dialog.png --text
"$eyes" --home demo/home vision show "$picture" --out demo/error-dialog.html --text

#!/bin/sh
# Run every benchmark one after another. usage: bench.sh PYTHON [NAME...]
set -eu
python=$1
shift
for file in tests/bench/bench_*.py; do
    name=$(basename "$file" .py)
    if [ "$#" -eq 0 ] || echo " $* " | grep -q " ${name#bench_} "; then
        printf '\n== %s\n' "${name#bench_}"
        "$python" "$file"
    fi
done

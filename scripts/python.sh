#!/bin/sh
# Make the virtual environment, or name the system package that is missing.
# usage: python.sh PYTHON VENV
set -eu
python=$1
venv=$2

say() { printf '%s\n' "$*" >&2; }

if ! command -v "$python" >/dev/null 2>&1; then
    say "error: no '$python' on PATH."
    say "hint: Debian: sudo apt-get install python3 python3-venv   macOS: brew install python@3.12   then: make PYTHON=python3.12 demo"
    exit 3
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    say "error: deepseekeyes needs Python 3.11 or newer; '$python' is $("$python" -V 2>&1)."
    say "hint: Debian: sudo apt-get install python3.11 python3.11-venv   macOS: brew install python@3.12   then: make PYTHON=python3.11 demo"
    exit 3
fi
if [ -x "$venv/bin/python" ] && "$venv/bin/python" -c 'import pip' 2>/dev/null; then
    :
elif ! "$python" -m venv --clear "$venv" 2>/dev/null; then
    say "error: '$python' cannot make a virtual environment."
    say "hint: Debian: sudo apt-get install $("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    exit 3
fi
# dependency groups need pip 25.1
"$venv/bin/python" -m pip install --quiet --upgrade 'pip>=25.1'

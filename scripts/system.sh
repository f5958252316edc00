#!/bin/sh
# Debian packages the tests need: installed as root, named otherwise.
set -eu
packages="chromium xvfb fonts-dejavu-core fonts-noto-cjk jq tmux"
# a desktop: window manager, buses, toolkits of the windows under test, an editor
packages="$packages openbox dbus-daemon at-spi2-core util-linux mousepad"
packages="$packages python3-gi gir1.2-gtk-3.0 gir1.2-gtk-4.0 python3-pyqt6 python3-tk"
# a Wayland session: compositor, portals, what takes their pictures
packages="$packages sway xdg-desktop-portal xdg-desktop-portal-wlr grim pipewire"
# node and npm may come from elsewhere than Debian
command -v npm >/dev/null 2>&1 || packages="$packages nodejs npm"
command -v git >/dev/null 2>&1 || packages="$packages git"

missing=""
for package in $packages; do
    if command -v dpkg-query >/dev/null 2>&1; then
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' || missing="$missing $package"
    fi
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    echo "error: the tests need these programs: $packages" >&2
    exit 3
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "error: the tests need Debian packages that are not installed:$missing" >&2
    echo "hint: sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 3
fi
echo "installing$missing (once)"
apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null

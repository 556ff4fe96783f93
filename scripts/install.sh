#!/bin/sh
# Installs what building foresee needs, from Debian, and says what. With `tests` also what testing needs.
# Root or sudo.
set -eu
packages="gcc libc6-dev meson ninja-build pkg-config libsqlite3-dev libpcre2-dev libode-dev libyaml-dev libexpat1-dev libminizip-dev nettle-dev libreadline-dev libcairo2-dev libcmocka-dev libmujoco-dev libjs-three"
[ "${1:-}" = tests ] &&
    packages="$packages clang libclang-rt-14-dev lld clang-format binutils sqlite3 man-db gringo swi-prolog-nox python3 python3-jsonschema python3-yaml chromium pandoc tmux zsh"
missing=""
for p in $packages; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
echo "Installing from Debian:$missing"
if [ "$(id -u)" -eq 0 ]; then as_root=""; else
    command -v sudo >/dev/null || { echo "Run as root, or install sudo, or install these by hand:$missing" >&2; exit 1; }
    as_root="sudo"
fi
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null

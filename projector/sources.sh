#!/bin/sh
# A header with the hash of the sources that decide what a log holds, wherever the tree lies and whatever it is kept
# in: those of the rooms that project. Arguments: the source tree, the header, its list of dependencies for ninja.
set -eu
LC_ALL=C
export LC_ALL
header=$2 depends=$3
case $header in /*) ;; *) header=$PWD/$header depends=$PWD/$depends ;; esac
cd "$1"
files=$(find base scene plans schema projector logger -name '*.[ch]' -o -name '*.def' | sort)
# shellcheck disable=SC2086
hash=$(sha256sum $files | sha256sum | cut -c 1-16)
printf '// Made by sources.sh.\n#define FINGERPRINT_SOURCES "%s"\n' "$hash" >"$header"
{
    printf '%s:' "$2"
    for file in $files; do printf ' %s/%s' "$(printf %s "$1" | sed 's/ /\\ /g')" "$file"; done
    echo
} >"$depends"

#!/bin/sh
# Every case: its plans and worlds hold no mistake, its draws can be made.
set -eu
: "${FORESEE:?the program under test}" "${LABEL:?flaw_label}"
HERE=$(cd "$(dirname "$0")" && pwd)
fail() { echo "FAILED: $*" >&2; exit 1; }
for case in "$HERE"/cases/*/; do
    for scene in tune held; do
        [ -f "$case$scene.yaml" ] || fail "$case has no scene $scene"
        "$FORESEE" check "$case$scene.yaml" || fail "$case$scene.yaml"
        "$LABEL" draw "${case}case.yaml" "$scene" 1 >/dev/null || fail "${case}case.yaml"
    done
done

#!/bin/sh
# Installs what is missing, builds, and projects a table setting twice: with dry grippers, and with wet ones.
set -eu
cd "$(dirname "$0")/.."
scripts/install.sh
[ -d build/meson-info ] || CC=gcc meson setup build >/dev/null
echo "Building ..."
ninja -C build foresee >build.log 2>&1 || { cat build.log; exit 1; }
rm -f build.log
logs=$(mktemp -d "${TMPDIR:-/tmp}/foresee-demo.XXXXXX")

show() { # title, plan, log
    printf '\n==== %s\n' "$1"
    status=0
    build/foresee run "$2" -o "$3" || status=$?
    [ "$status" -le 1 ] || exit "$status"
    status=0
    build/foresee diagnose "$3" || status=$?
    [ "$status" -le 1 ] || exit "$status"
}
show "Setting a place with dry grippers" examples/table_setting/default.yaml "$logs/dry.db"
show "The same with wet grippers" examples/table_setting/wet_grippers.yaml "$logs/wet.db"

picture=$logs/dropped.png
build/foresee show "$logs/wet.db" --at 19.9 --belief --to plate_4 -o "$picture"
# A film of it where ffmpeg is installed, its pictures in a folder otherwise.
film=$logs/dropped/
! command -v ffmpeg >/dev/null || film=$logs/dropped.mp4
build/foresee show "$logs/wet.db" --since 17 --rate 5 --belief --follow plate_4 -o "$film"

cat <<END

==== The plate, just dropped: the truth, and dashed what the robot believes
$picture
The seconds before and after it, five pictures for each:
$film

==== Try next
build/foresee view $logs/wet.db -o wet.html   # look at it in a browser: it plays
build/foresee tree $logs/wet.db
build/foresee query $logs/dry.db 'holds_w(on(X, table_1), at(end)).'
build/foresee query $logs/wet.db 'occurs_w(slip(Object, Hand), When).'
END
